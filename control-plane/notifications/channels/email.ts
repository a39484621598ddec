import type { Logger } from '../../../kernel/logger.js';
import { MAIL_CONNECTIONS_MAX, type MailServer } from '../../mail/mail-server.js';
import type { MailOutcome } from '../../mail/outcome.js';
import { EmailConfig } from '../channel-configs.js';
import type { Outcome } from '../delivery/retry.js';
import type { Message } from '../message.js';
import { type Channel, defineChannel, type SendContext } from './channel.js';
import { emailText } from './email-body.js';
import { type AddressedMail, mailsOf, subjectOf } from './email-mails.js';
import { type MailResult, outcomeOfMails } from './email-outcome.js';
import { createMailConnections, type MailConnections, type MailUse } from './mail-connections.js';

/**
 * A mail server may examine the content for long before it confirms it. One that has not confirmed it in time delivers the
 * mail and gets it again.
 */
const CONFIRM_MS_MAX = 60_000;
/** It counts as slow: as long as the mail server lets mails wait this long, they must not take the places of other channels. */
const BUSY: MailOutcome = {
  ...{ kind: 'retry', error: 'timeout: the mail server was busy with other e-mails' },
  ...{ responseStatus: null, cause: 'server' },
};

interface EmailNeeds {
  /** null if no mail server is configured. */
  server: MailServer | null;
  logger: Logger;
}

/**
 * Sends e-mails: one to the members of the workspace, and one to each other recipient, who can stop them with its link. The
 * Message-ID contains the ID of the notification, so that mail clients can recognize a duplicate. Later e-mails of an
 * incident refer to the same thread. Without a mail server, the e-mail is logged and `skipped`.
 */
export function createEmailChannel({ server, logger }: EmailNeeds): Channel {
  // A mail that waits for a connection must not use up the time that the server has to confirm it.
  const connections = createMailConnections(MAIL_CONNECTIONS_MAX);
  return defineChannel({
    config: EmailConfig,
    secrets: [],
    urls: [],
    async send(config, message, context) {
      if (server === null) {
        // More people read the log than the e-mail.
        const text = emailText({ ...message, actionLink: null }, null);
        logger.info(
          { to: config.to, subject: subjectOf(message), text },
          'no mail server is configured, so the e-mail was not sent',
        );
        return { kind: 'skipped', reason: 'no mail server is configured (PICKET_SMTP_URL)' };
      }
      return sendAll({ server, connections }, message, context);
    },
    close: async () => server?.close(),
  });
}

interface Sending {
  server: MailServer;
  connections: MailConnections;
}

async function sendAll(sending: Sending, message: Message, context: SendContext): Promise<Outcome> {
  if (context.mail === null) throw new Error('an e-mail channel needs its recipients');
  const { sort, reached, workspaceId } = context.mail;
  const { unconfirmed, ...sorted } = await sort();
  const isTest = message.kind === 'test';
  const mails = mailsOf(message, sorted, reached);
  const results = await Promise.all(mails.map((mail) => sendOne(sending, mail, { workspaceId, isTest }, context)));
  return outcomeOfMails(results, { unconfirmed, reached, isTest });
}

async function sendOne(
  { server, connections }: Sending,
  { addresses, mail }: AddressedMail,
  use: MailUse,
  context: SendContext,
): Promise<MailResult> {
  // Of its own: Node.js warns when as many listen to one signal as a channel can have recipients.
  const signal = AbortSignal.any([context.signal]);
  if (!(await connections.acquire(use, signal))) return { addresses, outcome: BUSY };
  // A person waits for the result of a test, so it has no longer limit.
  if (!use.isTest) context.restartLimit(CONFIRM_MS_MAX);
  try {
    return { addresses, outcome: await server.send(mail, signal) };
  } finally {
    connections.release(use);
  }
}
