import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { waitFor } from '../wait.js';

/** A mail as the server received it. */
export interface ReceivedMail {
  from: string;
  /** The envelope's recipients. */
  to: string[];
  raw: string;
  /** Unfolded, by lower-case name. The last of several with the same name. */
  headers: Record<string, string>;
  /** Decoded parts by their media type. */
  parts: Record<string, string>;
}

export interface Mailbox {
  /** `smtp://user:pass@host:port`. */
  url: string;
  mails: ReceivedMail[];
  /** Refuses recipients for which the rule returns a code, such as 550 or 450. */
  refuse(rule: (address: string) => number | null): void;
  /** Refuses the content of mails for which the rule returns a response. */
  refuseContent(rule: (raw: string) => { code: number; text: string } | null): void;
  /** Confirms each mail this much later. */
  slow(ms: number): void;
  /** From now on, mails are received but never confirmed. Resolves when the first sender waits. */
  hang(): Promise<void>;
  /** From now on, mails are confirmed again. Those that were received meanwhile are not. */
  resume(): void;
  /** The connections that were open at the same time, at most. */
  connectionsPeak(): number;
  arrived(count: number, timeoutMs?: number): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

/** A real SMTP server on a port of its own. */
export async function startMailbox({ port: wanted = 0 } = {}): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  let rule: (address: string) => number | null = () => null;
  let contentRule: (raw: string) => { code: number; text: string } | null = () => null;
  let hanging: (() => void) | null = null;
  let connectionsPeak = 0;
  let slowMs = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    // Senders keep their connections open for a while. A test does not wait for that.
    closeTimeout: 50,
    allowInsecureAuth: true,
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username ?? '' }),
    onConnect(_session, callback) {
      connectionsPeak = Math.max(connectionsPeak, server.connections.size);
      callback();
    },
    onRcptTo(address, _session, callback) {
      const code = rule(address.address);
      callback(
        code === null
          ? null
          : Object.assign(new Error(`${code === 550 ? '5.1.1 ' : ''}${address.address} is refused`), {
              responseCode: code,
            }),
      );
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
        const to = session.envelope.rcptTo.map((recipient) => recipient.address);
        const raw = Buffer.concat(chunks).toString('latin1');
        const refusal = contentRule(raw);
        if (refusal !== null) {
          return callback(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        }
        mails.push({ from, to, ...parsed(raw) });
        if (hanging === null) setTimeout(callback, slowMs);
        else hanging();
      });
    },
  });
  server.on('error', () => undefined); // A client that is cut off is what some tests do.
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://picket:secret@127.0.0.1:${port}`,
    mails,
    refuse(next) {
      rule = next;
    },
    refuseContent(next) {
      contentRule = next;
    },
    slow(ms) {
      slowMs = ms;
    },
    resume() {
      hanging = null;
    },
    connectionsPeak: () => connectionsPeak,
    hang() {
      return new Promise((resolve) => {
        hanging = resolve;
      });
    },
    async arrived(count, timeoutMs = 60_000) {
      await waitFor(`${count} mails`, timeoutMs, () => mails.length >= count, 5);
      return mails;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function parsed(raw: string): Pick<ReceivedMail, 'raw' | 'headers' | 'parts'> {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1];
  const parts: Record<string, string> = {};
  for (const part of boundary === undefined ? [] : body.split(`--${boundary}`).slice(1, -1)) {
    const inner = split(part.replace(/^\r\n/, ''));
    const type = (inner.headers['content-type'] ?? '').split(';')[0] ?? '';
    // A mail with an attachment has the two forms of its text in a part of their own.
    if (type.startsWith('multipart/')) Object.assign(parts, parsed(part.replace(/^\r\n/, '')).parts);
    else parts[type] = decoded(inner.body, inner.headers['content-transfer-encoding'] ?? '7bit');
  }
  return { raw, headers, parts };
}

function split(text: string): { headers: Record<string, string>; body: string } {
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { headers, body: text.slice(end + 4) };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
