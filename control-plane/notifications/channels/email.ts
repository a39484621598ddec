import type { Logger } from '../../../kernel/logger.js';
import { cut } from '../../cut.js';
import type { MailMessage, MailServer } from '../../mail/mail-server.js';
import type { MailOutcome } from '../../mail/outcome.js';
import { EmailConfig } from '../channel-configs.js';
import type { Outcome } from '../delivery/retry.js';
import type { Message } from '../message.js';
import { type Channel, defineChannel } from './channel.js';
import { emailHtml, emailText } from './email-body.js';

/** RFC 5322 allows longer subjects, but mail clients do not show more in lists. */
const SUBJECT_CHARS_MAX = 200;

interface EmailNeeds {
  /** null if no mail server is configured. */
  server: MailServer | null;
  logger: Logger;
}

/**
 * Sends e-mails. The Message-ID contains the ID of the notification, so that mail clients can recognize a duplicate.
 * Later e-mails of an incident refer to the same thread. Without a mail server, the e-mail is logged and `skipped`.
 */
export function createEmailChannel({ server, logger }: EmailNeeds): Channel {
  return defineChannel({
    config: EmailConfig,
    secrets: [],
    urls: [],
    async send(config, message, context) {
      const mail = mailOf(config.to, message);
      if (server === null) {
        logger.info(
          { to: config.to, subject: mail.subject, text: mail.text },
          'no mail server is configured, so the e-mail was not sent',
        );
        return { kind: 'skipped', reason: 'no mail server is configured (PICKET_SMTP_URL)' };
      }
      return outcomeOf(await server.send(mail, context.signal));
    },
    close: async () => server?.close(),
  });
}

function mailOf(to: string[], message: Message): MailMessage {
  return {
    id: message.id,
    to,
    subject: cut(message.title, SUBJECT_CHARS_MAX),
    text: emailText(message),
    html: emailHtml(message),
    dateMs: null,
    // The thread has its own ID, because the ID of the first e-mail contains the channel.
    thread: { id: `${message.incidentId}:opened`, first: message.kind === 'opened' || message.kind === 'test' },
    headers: { 'X-Picket-Notification': message.id },
    secrets: [],
  };
}

function outcomeOf(outcome: MailOutcome): Outcome {
  if (outcome.kind !== 'retry') return outcome;
  return { kind: 'retry', error: outcome.error, responseStatus: outcome.responseStatus, retryAfterMs: null };
}
