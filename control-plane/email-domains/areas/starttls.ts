import { type AreaVerdict, decided, type Evidence, type Finding, notMeasured } from './area.js';
import { type MailServers, withoutMailServers } from './mx.js';

/** What a mail server answers to STARTTLS. */
export type StarttlsAnswer =
  /** No connection: mail servers of others are often out of reach, because networks block port 25. */
  | { kind: 'unreachable'; reason: string }
  /** It does not talk to Picket, as servers do with unknown senders. */
  | { kind: 'refused'; reason: string }
  | { kind: 'not_offered' }
  | { kind: 'tls'; version: string; trusted: boolean; reason: string | null }
  | { kind: 'tls_failed'; reason: string };

/** Asks the mail server at an address. Never rejects. */
export type AskStarttls = (server: { host: string; address: string }, signal: AbortSignal) => Promise<StarttlsAnswer>;

export interface ServerStarttls {
  host: string;
  answer: StarttlsAnswer;
}

/** Asks each mail server at its first address. */
export async function readStarttls(
  { servers }: MailServers,
  ask: AskStarttls,
  signal: AbortSignal,
): Promise<ServerStarttls[]> {
  const found = servers.map(async ({ host, addresses }) => {
    const [address] = addresses.kind === 'addresses' ? addresses.addresses : [];
    return address === undefined ? [] : [{ host, answer: await ask({ host, address }, signal) }];
  });
  return (await Promise.all(found)).flat();
}

/** Returns the verdict on STARTTLS. Pure. */
export function judgeStarttls(name: string, mail: MailServers, found: readonly ServerStarttls[]): AreaVerdict {
  const without = withoutMailServers(name, mail, 'STARTTLS');
  if (without !== null) return without;
  const evidence: Evidence[] = found.map(({ host, answer }) => ({ label: host, value: describe(answer) }));
  const measured = found.filter(({ answer }) => answer.kind !== 'unreachable' && answer.kind !== 'refused');
  if (measured.length === 0) {
    const message = `STARTTLS was not measured: Picket reaches no mail server of ${name} on port 25.`;
    const next_step = 'Nothing to do for the domain. Many networks block port 25; whoever runs Picket can open it.';
    return notMeasured({ code: 'starttls_unreachable', message, next_step }, evidence);
  }
  return decided(measured.flatMap(findingsOf), evidence);
}

function findingsOf({ host, answer }: ServerStarttls): Finding[] {
  if (answer.kind === 'not_offered') {
    const message = `The mail server ${host} does not offer STARTTLS, so mail to it is not encrypted.`;
    const next_step = 'Turn on TLS on the mail server.';
    return [{ code: 'starttls_missing', level: 'failing', message, next_step }];
  }
  if (answer.kind === 'tls_failed') {
    const message = `The TLS handshake with the mail server ${host} fails: ${answer.reason}.`;
    const next_step = 'Install a certificate, and allow TLS 1.2 or later.';
    return [{ code: 'starttls_handshake', level: 'failing', message, next_step }];
  }
  if (answer.kind === 'tls' && !answer.trusted) {
    const message = `The certificate of the mail server ${host} is not valid for its name: ${answer.reason ?? 'not trusted'}.`;
    const next_step = 'Install a certificate of a public authority for the name of the mail server.';
    return [{ code: 'starttls_certificate', level: 'warning', message, next_step }];
  }
  return [];
}

function describe(answer: StarttlsAnswer): string {
  if (answer.kind === 'unreachable') return `not measured: ${answer.reason}`;
  if (answer.kind === 'refused') return `not measured: ${answer.reason}`;
  if (answer.kind === 'not_offered') return 'STARTTLS is not offered';
  if (answer.kind === 'tls_failed') return `handshake failed: ${answer.reason}`;
  return `${answer.version}, ${answer.trusted ? 'certificate valid' : `certificate not valid (${answer.reason ?? 'not trusted'})`}`;
}
