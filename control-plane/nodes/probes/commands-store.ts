import type { Db } from 'mongodb';
import type { ProbeCommandDocument } from '../documents.js';

/** Stores run-now commands for probes of other control planes. */
export interface CommandStore {
  ensureIndexes(): Promise<void>;
  add(commands: readonly Omit<ProbeCommandDocument, 'created_at'>[]): Promise<void>;
  /**
   * Resolves to the commands written since then, by the database's clock, by other control planes than `controlPlane`;
   * oldest first.
   */
  since(since: Date | null, controlPlane: string): Promise<ProbeCommandDocument[]>;
  /** Resolves to the id of the newest command. A change means that there is a new one. */
  newest(): Promise<string | null>;
}

const COMMANDS_KEPT_S = 120;
/** An older command is useless, because the next regular check is soon enough. */
const COMMAND_AGE_MS_MAX = 30_000;
export const COMMANDS_READ_MAX = 5_000;

export function createCommandStore(db: Db): CommandStore {
  const commands = db.collection<ProbeCommandDocument>('probe_commands');
  return {
    async ensureIndexes() {
      await commands.createIndexes([{ key: { created_at: 1 }, expireAfterSeconds: COMMANDS_KEPT_S }]);
    },
    async add(added) {
      await commands.bulkWrite(
        added.map(({ _id, ...fields }) => ({
          updateOne: {
            filter: { _id },
            update: { $setOnInsert: fields, $currentDate: { created_at: true } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },
    since(since, controlPlane) {
      const fresh = { $expr: { $gt: ['$created_at', { $subtract: ['$$NOW', COMMAND_AGE_MS_MAX] }] } };
      const later = since === null ? {} : { created_at: { $gte: since } };
      return commands
        .find({ ...fresh, ...later, control_plane: { $ne: controlPlane } })
        .sort({ created_at: 1 })
        .limit(COMMANDS_READ_MAX)
        .toArray();
    },
    async newest() {
      return (await commands.findOne({}, { sort: { created_at: -1 }, projection: { _id: 1 } }))?._id ?? null;
    },
  };
}
