import { isIP } from 'node:net';
import type { Answer, Exchanges } from '../../../kernel/dns/answer.js';
import { notAllowed, type TargetGuard } from '../../../kernel/guard/target-guard.js';
import type { Lookups } from '../check/lookups.js';
import { type AreaVerdict, decided, type Finding, notMeasured, unknown } from './area.js';
import { isDnsName, plainName } from './dns-name.js';
import { failureOf } from './record-texts.js';

/** Mail servers of a domain that are looked at, the preferred ones first. */
const MAIL_SERVERS_MAX = 5;
/** Addresses of each mail server that are looked at, IPv4 first. */
const ADDRESSES_MAX = 8;

/** A mail server of the domain. */
export interface MailServer {
  host: string;
  priority: number;
  /** Those that the target guard allows, the first `ADDRESSES_MAX`: none if it refuses all. */
  addresses: Answer;
  /** The guard refuses some of its addresses: they may be internal ones, so they are neither shown nor asked about. */
  hasRefused: boolean;
}

/** What the domain says about its incoming mail. */
export interface MailServers {
  answer: Exchanges;
  /** The first `MAIL_SERVERS_MAX` by preference; empty for a domain that accepts no mail or has no MX record. */
  servers: MailServer[];
  /** The addresses of the domain itself, to which mail goes without an MX record. */
  own: Answer | null;
}

export async function readMailServers(
  name: string,
  lookups: Lookups,
  guard: Pick<TargetGuard, 'refusal' | 'report'>,
): Promise<MailServers> {
  const answer = await lookups.exchanges(name);
  if (answer.kind !== 'exchanges') {
    return { answer, servers: [], own: answer.kind === 'none' ? await lookups.addresses(name) : null };
  }
  const hosts = [...answer.exchanges]
    .sort((a, b) => a.priority - b.priority || a.exchange.localeCompare(b.exchange, 'en'))
    .map(({ exchange, priority }) => ({ host: plainName(exchange), priority }))
    .filter(({ host }) => host !== '')
    .slice(0, MAIL_SERVERS_MAX);
  const servers = hosts.map(async ({ host, priority }): Promise<MailServer> => {
    const isName = isDnsName(host) && isIP(host) === 0;
    const addresses: Answer = isName ? await lookups.addresses(host) : { kind: 'none' };
    return { host, priority, ...allowedOf(host, addresses, guard) };
  });
  return { answer, servers: await Promise.all(servers), own: null };
}

function allowedOf(
  host: string,
  found: Answer,
  guard: Pick<TargetGuard, 'refusal' | 'report'>,
): Pick<MailServer, 'addresses' | 'hasRefused'> {
  if (found.kind !== 'addresses') return { addresses: found, hasRefused: false };
  const refusals = found.addresses.map((address) => guard.refusal(address));
  const [refusal = null] = refusals.filter((reason) => reason !== null);
  if (refusal !== null) guard.report(host, refusal);
  const allowed = found.addresses.filter((_, at) => refusals[at] === null);
  return {
    addresses: { kind: 'addresses', addresses: allowed.slice(0, ADDRESSES_MAX) },
    hasRefused: refusal !== null,
  };
}

/** Whether the mail servers themselves are unknown, because the lookup of the MX records failed. */
export function areUnknown({ answer }: MailServers): boolean {
  return answer.kind === 'failed' || answer.kind === 'timeout';
}

/** Whether the domain says that it accepts no mail: a null MX (RFC 7505). */
export function acceptsNoMail({ answer }: MailServers): boolean {
  return answer.kind === 'exchanges' && answer.exchanges.length > 0 && answer.exchanges.every(isNullMx);
}

const isNullMx = ({ exchange }: { exchange: string }) => plainName(exchange) === '';

/** Returns the verdict on the MX records. Pure. */
export function judgeMx(name: string, mail: MailServers): AreaVerdict {
  const { answer, servers, own } = mail;
  if (answer.kind === 'failed' || answer.kind === 'timeout') {
    return unknown(`The MX records of ${name} could not be looked up: ${failureOf(answer)}.`);
  }
  if (answer.kind === 'none') return withoutRecord(name, own, answer.exists === false);
  if (acceptsNoMail(mail)) {
    const message = `${name} has a null MX record: it accepts no mail.`;
    return decided([{ code: 'mx_null', level: 'info', message, next_step: null }], [{ label: 'MX', value: '0 .' }]);
  }
  const evidence = servers.map((server) => ({
    label: `MX ${server.priority} ${server.host}`,
    value: addressesOf(server),
  }));
  if (answer.exchanges.length > servers.length) {
    const more = answer.exchanges.length - servers.length;
    evidence.push({ label: 'More', value: `${more} more MX records, which Picket does not look at` });
  }
  return withServers(name, mail, evidence);
}

function addressesOf({ host, addresses, hasRefused }: MailServer): string {
  if (addresses.kind !== 'addresses') return 'no address';
  return [...addresses.addresses, ...(hasRefused ? [notAllowed(host)] : [])].join(', ');
}

function withoutRecord(name: string, own: Answer | null, isUnknownName: boolean): AreaVerdict {
  if (own !== null && (own.kind === 'failed' || own.kind === 'timeout')) {
    return unknown(`${name} has no MX record, and its addresses could not be looked up: ${failureOf(own)}.`);
  }
  const next_step =
    'Publish an MX record with the name of your mail server. If the domain accepts no mail, publish “0 .”.';
  if (own?.kind === 'addresses') {
    const message = `${name} has no MX record, so mail goes to the address of the domain itself.`;
    return decided([{ code: 'mx_implicit', level: 'warning', message, next_step }], [], nullMxProposal(name));
  }
  const message = isUnknownName ? `${name} does not exist in DNS.` : `${name} has no MX record and no address.`;
  const code = isUnknownName ? 'domain_unknown' : 'mx_missing';
  return decided([{ code, level: 'failing', message, next_step }], [], nullMxProposal(name));
}

function nullMxProposal(name: string) {
  return { type: 'MX' as const, name, value: '0 .' };
}

function withServers(name: string, { answer, servers }: MailServers, evidence: AreaVerdict['evidence']): AreaVerdict {
  const findings: Finding[] = [];
  const failedOf = ({ addresses }: MailServer) => addresses.kind === 'failed' || addresses.kind === 'timeout';
  const dead = servers.filter(({ addresses }) => addresses.kind === 'none');
  const failed = servers.filter(failedOf);
  if (failed.length === servers.length || (failed.length > 0 && dead.length + failed.length === servers.length)) {
    return unknown(`The addresses of the mail servers of ${name} could not be looked up.`, evidence);
  }
  for (const { host } of dead) {
    const isAddress = isIP(host) !== 0;
    findings.push({
      code: isAddress ? 'mx_is_address' : 'mx_without_address',
      level: dead.length === servers.length ? 'failing' : 'warning',
      message: isAddress
        ? `The MX record names the address ${host}; it must name a host.`
        : `The mail server ${host} has no address.`,
      next_step: 'Remove the MX record, or publish an A or AAAA record for its host.',
    });
  }
  if (answer.kind === 'exchanges' && answer.exchanges.some(isNullMx)) {
    findings.push({
      code: 'mx_null_and_others',
      level: 'warning',
      message: `${name} has a null MX record beside others.`,
      next_step: 'Remove the null MX record (“.”), or all others.',
    });
  }
  return decided(findings, evidence);
}

/** Returns the verdict of an area about the mail servers where there are none to measure; null where there are some. */
export function withoutMailServers(name: string, mail: MailServers, area: string): AreaVerdict | null {
  if (mail.servers.length > 0) return null;
  if (mail.answer.kind === 'failed' || mail.answer.kind === 'timeout') {
    return unknown(`${area} was not checked: the MX records of ${name} could not be looked up.`);
  }
  const message = `${area} was not measured: ${name} has no MX record that names a mail server.`;
  const verdict = notMeasured({ code: 'no_mail_server', message, next_step: null });
  return { ...verdict, applies: false };
}
