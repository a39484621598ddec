import { createHash } from 'node:crypto';
import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';

/** A device that is not used for this long is new again. */
const REMEMBERED_MS = 365 * 86_400_000;
/** The most recent devices are kept. A program can send another user agent with each log-in. */
const DEVICES_PER_PERSON_MAX = 100;
/** The last use is accurate to a day, so that a log-in rarely writes it. */
const SEEN_MS = 86_400_000;

interface DeviceDocument {
  /** `<user>/<hash of the device and its network>` */
  _id: string;
  user_id: string;
  seen_at_ms: number;
  /** For the index that removes old documents. */
  expires_at: Date;
}

/** Remembers from which devices and networks a person logged in, also after their sessions have ended. */
export interface DevicesStore {
  ensureIndexes(): Promise<void>;
  isKnown(userId: string, device: { device: string; network: string }): Promise<boolean>;
  /** Remembers the device. Resolves to what it was: `first` of this person, `new` or `known`. */
  remember(
    tx: Transaction,
    userId: string,
    device: { device: string; network: string },
    atMs: number,
  ): Promise<'first' | 'new' | 'known'>;
}

export function createDevicesStore(db: Db): DevicesStore {
  const devices = db.collection<DeviceDocument>('known_devices');
  return {
    async ensureIndexes() {
      await devices.createIndex({ user_id: 1, seen_at_ms: -1 });
      await devices.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
    },
    async isKnown(user_id, device) {
      const known = await devices.findOne({ _id: `${user_id}/${hashOf(device)}`, user_id }, { projection: { _id: 1 } });
      return known !== null;
    },
    async remember(tx, user_id, device, atMs) {
      const { session } = tx;
      const _id = `${user_id}/${hashOf(device)}`;
      const known = await devices.findOne({ _id, user_id }, { session });
      const seen = { seen_at_ms: atMs, expires_at: new Date(atMs + REMEMBERED_MS) };
      if (known !== null) {
        if (atMs - known.seen_at_ms >= SEEN_MS) await devices.updateOne({ _id, user_id }, { $set: seen }, { session });
        return 'known';
      }
      const others = await devices
        .find(
          { user_id },
          { session, projection: { _id: 1 }, sort: { seen_at_ms: -1 }, limit: 2 * DEVICES_PER_PERSON_MAX },
        )
        .toArray();
      const surplus = others.slice(DEVICES_PER_PERSON_MAX - 1).map((device) => device._id);
      if (surplus.length > 0) await devices.deleteMany({ _id: { $in: surplus }, user_id }, { session });
      await devices.insertOne({ _id, user_id, ...seen }, { session });
      return others.length === 0 ? 'first' : 'new';
    },
  };
}

function hashOf({ device, network }: { device: string; network: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([device, network]))
    .digest('hex');
}
