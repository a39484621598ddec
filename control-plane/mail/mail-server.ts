import type { Transporter } from 'nodemailer';
import { oneLine } from './one-line.js';
import { failedMail, type MailOutcome, sentMail } from './outcome.js';

/** How many mails are sent at once. Others wait for a connection. */
export const MAIL_CONNECTIONS_MAX = 5;
const CONNECT_TIMEOUT_MS = 10_000;
/** RFC 5321, section 4.5.3.2.6, asks for ten minutes after the content; a sender that waits that long delays others. */
const SILENCE_TIMEOUT_MS = 60_000;

interface MailFile {
  name: string;
  /** `application/pdf` */
  type: string;
  bytes: Uint8Array;
}

/** A mail as the mail server gets it. */
export interface MailMessage {
  /** The same in every attempt. The Message-ID contains it, so that mail clients can recognise a duplicate. */
  id: string;
  /** One address each. */
  to: readonly string[];
  subject: string;
  text: string;
  html: string;
  /** The `Date` header; null for the time of the attempt. */
  dateMs: number | null;
  /** The conversation to which the mail belongs, and whether it begins it; null for none. */
  thread: { id: string; first: boolean } | null;
  headers: Readonly<Record<string, string>>;
  attachment?: MailFile;
  /** Texts that no error of the server may repeat. None is empty. */
  secrets: readonly string[];
}

/** The mail server of the installation. */
export interface MailServer {
  /** Makes one attempt. Never rejects. If the server has accepted an aborted mail, the retry has the same Message-ID. */
  send(message: MailMessage, signal: AbortSignal): Promise<MailOutcome>;
  close(): void;
}

interface MailServerSettings {
  /** `smtp://user:pass@host:port`; null if no mail server is configured. */
  smtpUrl: string | null;
  /** An address, or `Name <address>`. */
  from: string;
}

/** Returns null if no mail server is configured. Connects when the first mail is sent. */
export function createMailServer({ smtpUrl, from }: MailServerSettings): MailServer | null {
  if (smtpUrl === null) return null;
  let opening: Promise<Transporter> | null = null;
  const transport = () => {
    opening ??= openTransport(smtpUrl);
    return opening;
  };
  return {
    async send(message, signal) {
      try {
        return sentMail(await (await transport()).sendMail({ ...headersAndBody(message, from), signal }));
      } catch (error) {
        return failedMail(error, signal, message.secrets);
      }
    },
    close: () => void opening?.then((opened) => opened.close()),
  };
}

/** Loads the library, which takes 15 MB, only where mails are sent. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    pool: true,
    maxConnections: MAIL_CONNECTIONS_MAX,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // Attachments are bytes, so no text in them may make nodemailer read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function headersAndBody({ thread, dateMs, attachment, ...message }: MailMessage, from: string) {
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
  const threadId = thread === null ? '' : messageId(thread.id, domain);
  return {
    from: from.includes('<') ? from : { name: 'Picket', address: from },
    // As objects, because nodemailer splits a text at commas into several addresses.
    to: message.to.map((address) => ({ name: '', address })),
    subject: oneLine(message.subject),
    text: message.text,
    html: message.html,
    messageId: messageId(message.id, domain),
    ...(attachment === undefined ? {} : { attachments: [attached(attachment)] }),
    ...(dateMs === null ? {} : { date: new Date(dateMs) }),
    ...(thread === null ? {} : { references: thread.first ? threadId : [threadId] }),
    ...(thread === null || thread.first ? {} : { inReplyTo: threadId }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, oneLine(value)])),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function attached({ name, type, bytes }: MailFile) {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { filename: oneLine(name), content, contentType: type, contentDisposition: 'attachment' as const };
}

/** Replaces characters that are not allowed in the left side of a Message-ID (RFC 5322 dot-atom). */
function messageId(id: string, domain: string): string {
  return `<${id.replace(/[^A-Za-z0-9_#-]/g, '.')}@${domain}>`;
}
