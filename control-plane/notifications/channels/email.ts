import { createSemaphore } from '../../../kernel/concurrency/semaphore.js';
import type { Logger } from '../../../kernel/logger.js';
import { cut } from '../../cut.js';
import { MAIL_CONNECTIONS_MAX, type MailMessage, type MailServer } from '../../mail/mail-server.js';
import type { MailOutcome } from '../../mail/outcome.js';
import { EmailConfig } from '../channel-configs.js';
import type { Outcome } from '../delivery/retry.js';
import type { Message } from '../message.js';
import { type Channel, defineChannel } from './channel.js';
import { emailHtml, emailText } from './email-body.js';

/** RFC 5322 allows longer subjects, but mail clients do not show more in lists. */
const SUBJECT_CHARS_MAX = 200;
/**
 * A mail server may examine the content for long before it confirms it. One that has not confirmed it in time delivers the
 * mail and gets it again.
 */
const CONFIRM_MS_MAX = 60_000;
/** It counts as slow: as long as the mail server lets mails wait this long, they must not take the places of other channels. */
const BUSY: Outcome = {
  ...{ kind: 'retry', error: 'timeout: the mail server was busy with other e-mails' },
  ...{ responseStatus: null, retryAfterMs: null },
};

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
  // A mail that waits for a connection must not use up the time that the server has to confirm it.
  const connections = createSemaphore(MAIL_CONNECTIONS_MAX);
  return defineChannel({
    config: EmailConfig,
    secrets: [],
    urls: [],
    async send(config, message, context) {
      const mail = mailOf(config.to, message);
      if (server === null) {
        // More people read the log than the e-mail.
        const text = emailText({ ...message, actionLink: null });
        logger.info(
          { to: config.to, subject: mail.subject, text },
          'no mail server is configured, so the e-mail was not sent',
        );
        return { kind: 'skipped', reason: 'no mail server is configured (PICKET_SMTP_URL)' };
      }
      if (!(await connections.acquire(false, context.signal))) return BUSY;
      // A person waits for the result of a test, so it has no longer limit.
      if (message.kind !== 'test') context.restartLimit(CONFIRM_MS_MAX);
      try {
        return outcomeOf(await server.send(mail, context.signal));
      } finally {
        connections.release();
      }
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
