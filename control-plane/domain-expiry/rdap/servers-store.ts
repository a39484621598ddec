import type { Db } from 'mongodb';
import { isDuplicateKey } from '../../storage/transaction.js';
import type { RdapServerDocument } from '../documents.js';
import { FAILED_NAMES_MAX, KEPT_MS } from './limits.js';

/** A server that must be left alone. */
export interface BusyServer {
  freeAtMs: number;
  /** Why; null if it only answers another question. */
  problem: string | null;
}

/** When each RDAP server may be asked, for all control planes. */
export interface RdapServerStore {
  ensureIndexes(): Promise<void>;
  /** Takes the turn of the server if it is free, and resolves to null; otherwise to when it is free. */
  take(origin: string, nowMs: number, pauseMs: number): Promise<BusyServer | null>;
  failures(origin: string): Promise<number>;
  /** Notes that the server has failed for a name. Resolves to how many names it failed for since it last answered. */
  failedFor(origin: string, name: string): Promise<number>;
  /** No control plane asks the server before `freeAtMs`. `problem` says why. */
  pause(origin: string, freeAtMs: number, problem: string): Promise<void>;
  /** Notes that the server has answered. */
  answered(origin: string): Promise<void>;
}

export function createRdapServerStore(db: Db): RdapServerStore {
  const servers = db.collection<RdapServerDocument>('rdap_servers');
  return {
    async ensureIndexes() {
      await servers.createIndex({ kept_until: 1 }, { expireAfterSeconds: 0 });
    },
    async take(origin, nowMs, pauseMs) {
      const taken = { free_at_ms: nowMs + pauseMs, kept_until: new Date(nowMs + KEPT_MS) };
      try {
        // A server that is not free matches nothing, and its insertion fails.
        await servers.updateOne(
          { _id: origin, free_at_ms: { $lte: nowMs } },
          { $set: taken, $setOnInsert: { failures: 0, failed_names: [], problem: null } },
          { upsert: true },
        );
        return null;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const server = await servers.findOne({ _id: origin });
        return { freeAtMs: server?.free_at_ms ?? nowMs, problem: server?.problem ?? null };
      }
    },
    failures: async (origin) => (await servers.findOne({ _id: origin }))?.failures ?? 0,
    async failedFor(origin, name) {
      const room = { [`failed_names.${FAILED_NAMES_MAX - 1}`]: { $exists: false } };
      await servers.updateOne({ _id: origin, ...room }, { $addToSet: { failed_names: name } });
      return (await servers.findOne({ _id: origin }))?.failed_names.length ?? 0;
    },
    async pause(origin, freeAtMs, problem) {
      const update = { $max: { free_at_ms: freeAtMs }, $inc: { failures: 1 }, $set: { problem } };
      await servers.updateOne({ _id: origin }, update);
    },
    async answered(origin) {
      await servers.updateOne({ _id: origin }, { $set: { failures: 0, failed_names: [], problem: null } });
    },
  };
}
