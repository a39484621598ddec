import type { Db } from 'mongodb';
import type { Gap } from '../state/gap.js';

/** Control planes that were not there for longer could not receive pings. Clients that retry five times do so for as long. */
const GAP_MS = 30_000;
/** More than fall into the longest time that a run can take. */
const GAPS_MAX = 100;
const ID = 'pings';

/** One document: when control planes listened. */
interface ListeningDocument {
  _id: typeof ID;
  seen_ms: number;
  gaps?: Gap[];
}

/** Remembers the times in which no control plane could receive pings. */
export interface ListeningStore {
  /** Records that this control plane listens at `nowMs`. Resolves to the gaps, the oldest first. */
  listening(nowMs: number): Promise<Gap[]>;
  /** Resolves to the gaps, the oldest first, with one that ends at `nowMs` and is not recorded yet. */
  gaps(nowMs: number): Promise<Gap[]>;
}

export function createListeningStore(db: Db): ListeningStore {
  const listening = db.collection<ListeningDocument>('backup_listening');
  return {
    async listening(nowMs) {
      const gap = { from_ms: '$seen_ms', to_ms: nowMs };
      const wasAway = { $gt: [{ $subtract: [nowMs, '$seen_ms'] }, GAP_MS] };
      // A clock that was wrong may have been set back. What it recorded of the future must not count from now until then.
      const wasAhead = { $gt: ['$seen_ms', nowMs + GAP_MS] };
      const past = {
        $map: {
          input: { $ifNull: ['$gaps', []] },
          in: { from_ms: { $min: ['$$this.from_ms', nowMs] }, to_ms: { $min: ['$$this.to_ms', nowMs] } },
        },
      };
      const found = await listening.findOneAndUpdate(
        { _id: ID },
        [
          {
            $set: {
              gaps: { $cond: [wasAway, { $slice: [{ $concatArrays: [past, [gap]] }, -GAPS_MAX] }, past] },
              seen_ms: { $cond: [wasAhead, nowMs, { $max: ['$seen_ms', nowMs] }] },
            },
          },
        ],
        { upsert: true, returnDocument: 'after' },
      );
      return found?.gaps ?? [];
    },
    async gaps(nowMs) {
      const found = await listening.findOne({ _id: ID });
      if (found === null) return [];
      const { gaps = [], seen_ms } = found;
      return nowMs - seen_ms > GAP_MS ? [...gaps, { from_ms: seen_ms, to_ms: nowMs }] : gaps;
    },
  };
}
