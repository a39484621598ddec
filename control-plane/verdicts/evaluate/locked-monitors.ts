import type { Logger } from '../../../kernel/logger.js';
import { isContention } from '../../storage/transaction.js';
import { StatesTimeout, type VerdictStore } from '../store.js';
import { createKeyedQueue } from './keyed-queue.js';

/**
 * Monitors that cannot be written, because a dead process has left them or their incidents locked for a minute. They are
 * evaluated one at a time beside the groups, so that they keep no other monitor waiting, until that succeeds.
 */
export interface LockedMonitors {
  /** Returns those that are not known to be locked. Starts or queues the evaluation of the others. */
  setApart(ids: readonly string[]): readonly string[];
  /** Finds out which of the monitors are locked, after their evaluation failed as if one were. */
  among(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Resolves once nothing runs or waits. */
  idle(): Promise<void>;
}

export function createLockedMonitors(
  { store, logger }: { store: Pick<VerdictStore, 'lockedAmong'>; logger: Logger },
  evaluate: (ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>,
): LockedMonitors {
  const known = new Set<string>();
  const watched = new WeakSet<Promise<void>>();
  const queue = createKeyedQueue({ runsMax: 1, keysMax: 1 }, async (ids) => {
    const errors = await evaluate(ids);
    for (const id of ids) if (!isLock(errors.get(id))) known.delete(id);
    return errors;
  });

  /** Of a single monitor, its incident may be locked instead. */
  async function lockedAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 1) return new Set(ids);
    return store.lockedAmong(ids).catch((err: unknown) => {
      logger.warn({ err, monitors: ids.length }, 'failed to find out which monitors are locked');
      return new Set<string>();
    });
  }

  return {
    setApart(ids) {
      for (const id of ids) {
        if (!known.has(id)) continue;
        const run = queue.run(id);
        // Each sweep joins the run that waits, whose failure is logged once.
        if (watched.has(run)) continue;
        watched.add(run);
        run.catch((err: unknown) => {
          logger.warn({ err, monitor: id }, 'evaluation of a locked monitor failed; the next sweep repeats it');
        });
      }
      return ids.filter((id) => !known.has(id));
    },
    async among(ids) {
      const locked = await lockedAmong(ids);
      const fresh = [...locked].filter((id) => !known.has(id));
      for (const id of fresh) known.add(id);
      if (fresh.length > 0) {
        logger.warn({ monitors: fresh }, 'a transaction has locked monitors; they are evaluated by themselves');
      }
      return locked;
    },
    idle: queue.idle,
  };
}

/** Returns whether an evaluation failed because a monitor or its incident is most likely locked. */
export function isLock(error: unknown): boolean {
  return isContention(error) || error instanceof StatesTimeout;
}
