import type { Transporter } from 'nodemailer';
import type { Logger } from '../../../kernel/logger.js';
import type { Outcome } from '../delivery/retry.js';
import type { Message } from '../message.js';
import { EmailConfig } from '../schema.js';
import { type Channel, defineChannel } from './channel.js';
import { cut } from './cut.js';
import { emailHtml, emailText } from './email-body.js';

/** RFC 5322 folds longer lines, but no list of mails shows more. */
const SUBJECT_CHARS_MAX = 200;
const ERROR_CHARS_MAX = 300;

/** A mail server as nodemailer speaks to it, or null when none is set. */
export type MailTransport = Pick<Transporter, 'sendMail' | 'close'>;

/**
 * E-mail. The Message-ID is made of the notification's id, so a mail that comes twice is one to any client that
 * knows threads; what follows the opening refers to it. Without a mail server the mail is logged and `skipped`.
 */
export function createEmailChannel(deps: {
  transport: MailTransport | null;
  /** An address, or `Name <address>`. */
  from: string;
  logger: Logger;
}): Channel {
  return defineChannel({
    config: EmailConfig,
    secrets: [],
    urls: [],
    async send(config, message, context) {
      const mail = mailOf(config.to, message, deps);
      if (deps.transport === null) {
        deps.logger.info(
          { to: config.to, subject: mail.subject, text: mail.text },
          'e-mail not sent: no mail server is set',
        );
        return { kind: 'skipped', reason: 'no mail server is set (PICKET_SMTP_URL)' };
      }
      return settle(deps.transport.sendMail({ ...mail, signal: context.signal }), context.signal);
    },
    close: async () => deps.transport?.close(),
  });
}

function mailOf(to: string[], message: Message, deps: { from: string }) {
  const domain = /@([^\s>]+)/.exec(deps.from)?.[1] ?? 'localhost';
  const thread = messageId(`${message.incidentId}:opened`, domain);
  const first = message.kind === 'opened' || message.kind === 'test';
  return {
    from: deps.from.includes('<') ? deps.from : { name: 'Picket', address: deps.from },
    to,
    subject: oneLine(cut(message.title, SUBJECT_CHARS_MAX)),
    text: emailText(message),
    html: emailHtml(message),
    messageId: messageId(message.id, domain),
    // The thread hangs on a name of its own and not on the first mail, whose id names its channel.
    references: first ? thread : [thread],
    ...(first ? {} : { inReplyTo: thread }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-Picket-Notification': oneLine(message.id),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Colons are no part of an identifier's left side (RFC 5322 dot-atom); `#` is. */
function messageId(id: string, domain: string): string {
  return `<${id.replace(/[^A-Za-z0-9_#-]/g, '.')}@${domain}>`;
}

/** Nodemailer encodes headers itself; that no line break reaches it does not depend on that. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

interface SentInfo {
  rejected?: string[] | undefined;
  response?: string | undefined;
}

/** A mail that its server already has cannot be called off; it then comes a second time with the same id. */
async function settle(sending: Promise<SentInfo>, signal: AbortSignal): Promise<Outcome> {
  try {
    const info = await sending;
    const rejected = info.rejected ?? [];
    const note = rejected.length === 0 ? null : cut(`refused for ${rejected.join(', ')}`, ERROR_CHARS_MAX);
    return { kind: 'sent', responseStatus: smtpCode(info.response), note };
  } catch (error) {
    if (signal.aborted)
      return {
        kind: 'retry',
        error: 'timeout: the mail server took too long',
        responseStatus: null,
        retryAfterMs: null,
      };
    return failure(error);
  }
}

/** A 5xx for an address or the mail itself stays so; one for the login or the greeting is the operator's to mend. */
function failure(error: unknown): Outcome {
  const text = cut(oneLine(error instanceof Error ? error.message : String(error)), ERROR_CHARS_MAX);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : Number.NaN;
  const responseStatus = Number.isInteger(status) ? status : null;
  const refused = responseStatus !== null && responseStatus >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  const said = code === '' ? text : `${code}: ${text}`;
  return refused
    ? { kind: 'refused', error: said, responseStatus }
    : { kind: 'retry', error: said, responseStatus, retryAfterMs: null };
}

function smtpCode(response: string | undefined): number | null {
  const code = Number(response?.slice(0, 3));
  return Number.isInteger(code) && code >= 200 ? code : null;
}
