import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Ids } from '../storage/ids.js';
import type { SecretBox } from '../storage/secret-box.js';
import { type BoundedMail, boundedMail, type MailContent } from './content.js';
import type { MailCountsStore } from './counts-store.js';
import type { MailDocument, Urgency } from './documents.js';
import type { Mailer, OutgoingMail } from './mailer.js';
import type { MailMetrics } from './metrics.js';
import { isOverMailLimit, MAILS_PER_HOUR_MAX, MAILS_PER_HOUR_OF_ONE_MAX, mailboxOf } from './recipient-limit.js';
import { KEPT_MS } from './retry.js';
import type { MailStore } from './store.js';

interface MailerNeeds {
  store: MailStore;
  counts: MailCountsStore;
  box: SecretBox;
  ids: Ids;
  metrics: MailMetrics;
  clock: Clock;
  logger: Logger;
  publicUrl: string;
  /** Whether a mail server is configured. */
  hasServer: boolean;
  /** Wakes the delivery. */
  wake(): void;
}

/** A mail that is valid for at most this long is one that a person waits for, such as the reset of a password. */
const URGENT_VALIDITY_MS = 24 * 3_600_000;

const NO_SERVER = 'no mail server is configured (PICKET_SMTP_URL)';

export function createMailer(needs: MailerNeeds): Mailer {
  const { store, counts, box, ids, metrics, clock, logger, hasServer } = needs;
  return {
    async send(tx, mail) {
      const bounded = boundedMail(mail, needs.publicUrl);
      const nowMs = clock.now();
      const fresh = documentOf(mail.id ?? ids.next('mail'), bounded.head, mail, nowMs);
      if (await isOverMailLimit(counts, tx, fresh)) {
        tx.afterCommit(() => {
          metrics.count(fresh.kind, 'skipped');
          const why = `the mailbox got ${MAILS_PER_HOUR_MAX} of this kind within an hour, or ${MAILS_PER_HOUR_OF_ONE_MAX} of this sender`;
          logger.warn({ to: fresh.to, kind: fresh.kind }, `an e-mail was not sent: ${why}`);
        });
        return 'limited';
      }
      if (hasServer) {
        await store.insert(tx, { ...fresh, sealed: sealContent(bounded.content, box, fresh._id) });
        tx.afterCommit(needs.wake);
        return undefined;
      }
      await store.insert(tx, skipped(fresh, nowMs));
      tx.afterCommit(() => {
        metrics.count(fresh.kind, 'skipped');
        // Not the content, because who reads the log could use its link in the name of the recipient.
        logger.info({ mail: fresh._id, ...bounded.head }, `an e-mail was not sent: ${NO_SERVER}`);
      });
      return undefined;
    },
  };
}

function documentOf(
  id: string,
  head: BoundedMail['head'],
  mail: Pick<OutgoingMail, 'expiresAtMs' | 'causedBy' | 'workspaceId' | 'attachmentId' | 'bulk' | 'withdrawnBy'>,
  nowMs: number,
): MailDocument {
  const { expiresAtMs, causedBy, workspaceId, attachmentId, withdrawnBy } = mail;
  return {
    _id: id,
    ...head,
    mailbox: mailboxOf(head.kind, head.to),
    ...(causedBy === undefined ? {} : { caused_by: causedBy }),
    ...(workspaceId === undefined ? {} : { workspace_id: workspaceId }),
    ...(attachmentId === undefined ? {} : { attachment_id: attachmentId }),
    ...(withdrawnBy === undefined ? {} : { withdrawn_by: withdrawnBy }),
    sealed: null,
    state: 'pending',
    urgency: urgencyOf(mail, nowMs),
    created_at_ms: nowMs,
    expires_at_ms: expiresAtMs,
    next_attempt_ms: nowMs,
    waiting: null,
    lease_until: null,
    fence: 0,
    attempts: 0,
    finished_ms: null,
    response_status: null,
    error: null,
    remove_at: null,
  };
}

function urgencyOf(
  { expiresAtMs, attachmentId, bulk }: Pick<OutgoingMail, 'expiresAtMs' | 'attachmentId' | 'bulk'>,
  nowMs: number,
): Urgency {
  if (bulk) return 3;
  if (attachmentId !== undefined) return 2;
  return expiresAtMs - nowMs <= URGENT_VALIDITY_MS ? 0 : 1;
}

function skipped(mail: MailDocument, nowMs: number): MailDocument {
  return { ...mail, state: 'skipped', error: NO_SERVER, finished_ms: nowMs, remove_at: new Date(nowMs + KEPT_MS) };
}

function sealContent(content: MailContent, box: SecretBox, id: string): string {
  return box.seal(JSON.stringify(content), { purpose: 'mail', id });
}

/** Returns the content of a stored mail. Throws `SealBroken` if it was sealed with another key or for another mail. */
export function openContent({ _id: id, sealed }: MailDocument, box: SecretBox): MailContent {
  if (sealed === null) throw new Error(`the mail ${id} has no content any more`);
  return JSON.parse(box.open(sealed, { purpose: 'mail', id })) as MailContent;
}
