import type { Collection, Filter, MongoClient } from 'mongodb';
import { isMaxTimeExpired } from '../../storage/transaction.js';
import { findLocked } from '../../storage/writes/find-locked.js';
import type { OutboxRow } from '../documents.js';

/** Rows that one write makes due. */
const RETRY_ROWS_MAX = 1_000;
/** Parts of so many rows. What is left, of more than 100,000, is due at its own time. */
const RETRY_PARTS_MAX = 100;
/** Outside of a transaction, the server itself repeats a write to a locked row without end. */
const RETRY_MS_MAX = 3_000;

/** Returns the function that makes all rows of a channel due now that wait for a retry; see `OutboxQueueStore`. */
export function createRetryNow(client: MongoClient, outbox: Collection<OutboxRow>) {
  return async (workspaceId: string, channelId: string, nowMs: number): Promise<number> => {
    const waiting: Filter<OutboxRow> = {
      workspace_id: workspaceId,
      channel_id: channelId,
      state: 'pending',
      waiting: 'retry',
      next_attempt_ms: { $gt: nowMs },
    };
    const makeDue = async (ids: readonly string[]) => {
      const options = { maxTimeMS: RETRY_MS_MAX };
      const filter = { ...waiting, _id: { $in: [...ids] } };
      return (await outbox.updateMany(filter, { $set: { next_attempt_ms: nowMs } }, options)).modifiedCount;
    };
    const left = new Set<string>();
    let made = 0;
    for (let part = 0; part < RETRY_PARTS_MAX; part++) {
      const found = await outbox
        .find({ ...waiting, _id: { $nin: [...left] } }, { projection: { _id: 1 } })
        .sort({ next_attempt_ms: 1 })
        .limit(RETRY_ROWS_MAX)
        .hint('retrying')
        .toArray();
      const ids = found.map(({ _id }) => _id);
      if (ids.length > 0) made += await makeDue(ids).catch(lockedOnes);
      if (ids.length < RETRY_ROWS_MAX) break;

      async function lockedOnes(error: unknown): Promise<number> {
        if (!isMaxTimeExpired(error)) throw error;
        // These are due at their own time.
        for (const id of await findLocked(client, outbox, ids)) left.add(id);
        return makeDue(ids.filter((id) => !left.has(id)));
      }
    }
    return made;
  };
}
