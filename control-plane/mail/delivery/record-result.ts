import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { MailDocument } from '../documents.js';
import type { MailSettlement, MailStore } from '../store.js';

/** Resolves to whether the result is stored; false if another control plane has claimed or settled the mail. Never rejects. */
export type RecordResult = (mail: MailDocument, settlement: MailSettlement) => Promise<boolean>;

/**
 * Half a minute of pauses. The lease may end meanwhile, and others may claim the mail; a result that comes after their claim is
 * not stored.
 */
const TRIES_MAX = 60;
const RETRY_PAUSE_MS = 500;

/**
 * Stores the result of a claimed mail, and retries while the database is unavailable, because a result that is not stored
 * means a second mail. `stop` ends the retries.
 */
export function createRecordResult(
  { store, clock, logger }: { store: MailStore; clock: Clock; logger: Logger },
  stop: AbortSignal,
): RecordResult {
  return async (mail, settlement) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const stored = await store.settle(mail, settlement);
        // One that was not claimed has expired: another control plane has recorded that.
        if (!stored && mail.state === 'leased')
          logger.warn({ mail: mail._id }, 'another control plane has claimed an e-mail; it may arrive twice');
        return stored;
      } catch (err) {
        const isLast = attempt === TRIES_MAX || stop.aborted;
        const next = isLast ? 'the e-mail is sent again when its lease ends' : `retrying in ${RETRY_PAUSE_MS} ms`;
        logger.error({ err, mail: mail._id }, `failed to record the result of an e-mail; ${next}`);
        if (isLast) return false;
        await clock.sleep(RETRY_PAUSE_MS, stop);
      }
    }
  };
}
