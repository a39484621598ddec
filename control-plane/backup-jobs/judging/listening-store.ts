import type { Db } from 'mongodb';
import type { Gap } from '../state/after-silence.js';

/** Control planes that were not there for longer could not receive pings. Clients retry for about as long. */
const GAP_MS = 60_000;
/** More than fall into the longest time that a run can take. */
const GAPS_MAX = 100;
const ID = 'pings';

/** One document: when control planes listened. */
interface ListeningDocument {
  _id: typeof ID;
  seen_ms: number;
  gaps: Gap[];
}

/** Remembers the times in which no control plane could receive pings. */
export interface ListeningStore {
  /** Records that this control plane listens at `nowMs`. Resolves to the gaps, the oldest first. */
  listening(nowMs: number): Promise<Gap[]>;
}

export function createListeningStore(db: Db): ListeningStore {
  const listening = db.collection<ListeningDocument>('backup_listening');
  return {
    async listening(nowMs) {
      const gap = { from_ms: '$seen_ms', to_ms: nowMs };
      const wasAway = { $gt: [{ $subtract: [nowMs, '$seen_ms'] }, GAP_MS] };
      const gaps = { $ifNull: ['$gaps', []] };
      const found = await listening.findOneAndUpdate(
        { _id: ID },
        [
          {
            $set: {
              gaps: { $cond: [wasAway, { $slice: [{ $concatArrays: [gaps, [gap]] }, -GAPS_MAX] }, gaps] },
              seen_ms: { $max: ['$seen_ms', nowMs] },
            },
          },
        ],
        { upsert: true, returnDocument: 'after' },
      );
      return found?.gaps ?? [];
    },
  };
}
