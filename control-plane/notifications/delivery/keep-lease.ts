import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { OutboxRow } from '../documents.js';
import type { OutboxStore } from './outbox-store.js';

export interface KeepLeaseNeeds {
  outbox: Pick<OutboxStore, 'renew'>;
  /** How long other control planes leave a claimed row alone. */
  leaseMs: number;
  clock: Clock;
  logger: Logger;
}

/** A lease is renewed this many times before it would end. */
const RENEWALS_PER_LEASE = 3;

/**
 * Returns a function that renews the lease of a claimed row when it is due, so that no other control plane delivers the row
 * a second time meanwhile. Resolves to false when another one has claimed the row already. While the database is
 * unavailable, the lease cannot be renewed, but no other control plane can claim the row either.
 */
export function createLeaseKeeper({ outbox, leaseMs, clock, logger }: KeepLeaseNeeds, row: OutboxRow) {
  let renewAtMs = clock.monotonic();
  return async (): Promise<boolean> => {
    // From before the write: the answer can come long after the lease began, for example in a process that was suspended.
    const askedAtMs = clock.monotonic();
    if (askedAtMs < renewAtMs) return true;
    try {
      const renewed = await outbox.renew(row, leaseMs);
      renewAtMs = askedAtMs + leaseMs / RENEWALS_PER_LEASE;
      if (!renewed) logger.warn({ notification: row._id }, 'another control plane has claimed the notification');
      return renewed;
    } catch (err) {
      logger.warn({ err, notification: row._id }, 'failed to renew a lease; the next try follows');
      return true;
    }
  };
}

/** Runs `work` and keeps the lease of the row meanwhile: a receiver may take longer than a lease. */
export async function whileLeased<T>(needs: KeepLeaseNeeds, row: OutboxRow, work: () => Promise<T>): Promise<T> {
  const keep = createLeaseKeeper(needs, row);
  let renewing: Promise<void> = Promise.resolve();
  const timer = needs.clock.every(needs.leaseMs / RENEWALS_PER_LEASE, () => {
    renewing = renewing.then(async () => {
      if (!(await keep())) timer.cancel();
    });
  });
  try {
    return await work();
  } finally {
    timer.cancel();
    // A renewal that came after the result would lease a row that is to be retried.
    await renewing;
  }
}
