import type { Logger } from '../../kernel/logger.js';
import type { FailedLogIn, RecordFailedLogIn } from '../sessions/failed-log-in.js';
import type { Job } from '../slice.js';
import type { RunTransaction } from '../storage/transaction.js';

/** Records failed log-ins after their answers. */
export interface Failures extends Job {
  record(failed: FailedLogIn): void;
}

/**
 * Returns the recorder. No answer waits for it, because an entry in the workspace of a person takes another time than one
 * about an address that nobody has, and that would tell whether somebody has it. Stopping waits for the entries.
 */
export function createFailures(needs: {
  recordFailure: RecordFailedLogIn;
  runTransaction: RunTransaction;
  logger: Logger;
}): Failures {
  const { recordFailure, runTransaction, logger } = needs;
  const pending = new Set<Promise<void>>();
  return {
    record(failed) {
      const entry = runTransaction((tx) => recordFailure(tx, failed))
        .catch((err) => logger.error({ err }, 'recording a failed log-in in the audit log failed'))
        .finally(() => pending.delete(entry));
      pending.add(entry);
    },
    start() {},
    async stop() {
      await Promise.all(pending);
    },
  };
}
