import type { Transporter } from 'nodemailer';
import type { Logger } from '../../../kernel/logger.js';
import { EmailConfig } from '../channel-configs.js';
import type { Outcome } from '../delivery/retry.js';
import type { Message } from '../message.js';
import { type Channel, defineChannel } from './channel.js';
import { cut } from './cut.js';
import { emailHtml, emailText } from './email-body.js';

/** RFC 5322 allows longer subjects, but mail clients do not show more in lists. */
const SUBJECT_CHARS_MAX = 200;
const ERROR_CHARS_MAX = 300;

/** The connection of nodemailer to a mail server. */
export type MailTransport = Pick<Transporter, 'sendMail' | 'close'>;

interface EmailNeeds {
  /** null if no mail server is configured. */
  transport: MailTransport | null;
  /** An address, or `Name <address>`. */
  from: string;
  logger: Logger;
}

/**
 * Sends e-mails. The Message-ID contains the ID of the notification, so that mail clients can recognize a duplicate.
 * Later e-mails of an incident refer to the same thread. Without a mail server, the e-mail is logged and `skipped`.
 */
export function createEmailChannel(needs: EmailNeeds): Channel {
  return defineChannel({
    config: EmailConfig,
    secrets: [],
    urls: [],
    async send(config, message, context) {
      const mail = mailOf(config.to, message, needs);
      if (needs.transport === null) {
        needs.logger.info(
          { to: config.to, subject: mail.subject, text: mail.text },
          'no mail server is configured, so the e-mail was not sent',
        );
        return { kind: 'skipped', reason: 'no mail server is configured (PICKET_SMTP_URL)' };
      }
      return settle(needs.transport.sendMail({ ...mail, signal: context.signal }), context.signal);
    },
    close: async () => needs.transport?.close(),
  });
}

function mailOf(to: string[], message: Message, needs: { from: string }) {
  const domain = /@([^\s>]+)/.exec(needs.from)?.[1] ?? 'localhost';
  const thread = messageId(`${message.incidentId}:opened`, domain);
  const first = message.kind === 'opened' || message.kind === 'test';
  return {
    from: needs.from.includes('<') ? needs.from : { name: 'Picket', address: needs.from },
    to,
    subject: oneLine(cut(message.title, SUBJECT_CHARS_MAX)),
    text: emailText(message),
    html: emailHtml(message),
    messageId: messageId(message.id, domain),
    // The thread has its own ID, because the ID of the first e-mail contains the channel.
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

/** Replaces characters that are not allowed in the left side of a Message-ID (RFC 5322 dot-atom). */
function messageId(id: string, domain: string): string {
  return `<${id.replace(/[^A-Za-z0-9_#-]/g, '.')}@${domain}>`;
}

/** Removes line breaks, so that a text cannot add headers even if nodemailer fails to encode it. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

interface SentInfo {
  rejected?: string[] | undefined;
  response?: string | undefined;
}

/** Returns the outcome of an e-mail. If the server has accepted an aborted e-mail, the retry has the same ID. */
async function settle(sending: Promise<SentInfo>, signal: AbortSignal): Promise<Outcome> {
  try {
    const info = await sending;
    const rejected = info.rejected ?? [];
    const warning = rejected.length === 0 ? null : cut(`refused for ${rejected.join(', ')}`, ERROR_CHARS_MAX);
    return { kind: 'sent', responseStatus: smtpCode(info.response), warning };
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

/**
 * Returns the outcome of a failed e-mail. A 5xx for a recipient or the content is a refusal. A 5xx for the login or the
 * greeting is retried, because the operator can fix its cause.
 */
function failure(error: unknown): Outcome {
  const text = cut(oneLine(error instanceof Error ? error.message : String(error)), ERROR_CHARS_MAX);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : Number.NaN;
  const responseStatus = Number.isInteger(status) ? status : null;
  const refused = responseStatus !== null && responseStatus >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  const described = code === '' ? text : `${code}: ${text}`;
  return refused
    ? { kind: 'refused', error: described, responseStatus }
    : { kind: 'retry', error: described, responseStatus, retryAfterMs: null };
}

function smtpCode(response: string | undefined): number | null {
  const code = Number(response?.slice(0, 3));
  return Number.isInteger(code) && code >= 200 ? code : null;
}
