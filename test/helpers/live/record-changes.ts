import { createIds } from '../../../control-plane/storage/ids.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createRunTransaction, type Transaction } from '../../../control-plane/storage/transaction.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import type { TimelineEntry } from '../../../control-plane/timeline/timeline.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';

/** Writes changes as the slices do: on the timeline, in a transaction. */
export interface RecordedChanges {
  /** A monitor of this name went down. `within` runs in the transaction, after the write. */
  down(workspaceId: string, name: string, within?: (tx: Transaction) => Promise<void>): Promise<void>;
  /** Many at once. */
  allDown(workspaceId: string, names: readonly string[]): Promise<void>;
  /** Any line of the timeline. */
  record(entry: TimelineEntry): Promise<void>;
}

export function recordedChanges(mongo: Mongo): RecordedChanges {
  const timeline = createTimelineStore(mongo.db, createIds(systemClock, systemRandom));
  const runTransaction = createRunTransaction(mongo.client);
  return {
    down: (workspaceId, name, within) =>
      runTransaction(async (tx) => {
        await timeline.record(tx, [downEntry(workspaceId, name)]);
        await within?.(tx);
      }),
    allDown: (workspaceId, names) =>
      runTransaction((tx) =>
        timeline.record(
          tx,
          names.map((name) => downEntry(workspaceId, name)),
        ),
      ),
    record: (entry) => runTransaction((tx) => timeline.record(tx, [entry])),
  };
}

function downEntry(workspaceId: string, name: string): TimelineEntry {
  return {
    workspaceId,
    atMs: Date.now(),
    type: 'monitor.status_changed',
    resource: { type: 'monitor', id: `mon_${name}`, name },
    message: `${name} is down: the sentence that events leave out.`,
    actor: 'system',
    metadata: { from: 'up', to: 'down' },
  };
}
