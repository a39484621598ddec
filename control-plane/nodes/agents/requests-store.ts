import { Binary, type Db } from 'mongodb';
import type { AgentRequestDocument } from '../documents.js';

/** Stores requests to agents of other control planes, and their responses. */
export interface AgentRequestStore {
  ensureIndexes(): Promise<void>;
  insert(request: { id: string; serverId: string; controlPlane: string }): Promise<void>;
  /** Resolves to the requests of other control planes without a response, oldest first. */
  pending(controlPlane: string): Promise<{ id: string; serverId: string }[]>;
  respond(id: string, sample: Uint8Array): Promise<void>;
  /** Resolves to the response; null while there is none. */
  response(id: string): Promise<Uint8Array | null>;
  /** Resolves to the id of the newest request. A change means that there is a new one. */
  newest(): Promise<string | null>;
}

const KEPT_S = 60;
const AGE_MS_MAX = 10_000;
const PENDING_MAX = 1_000;

export function createAgentRequestStore(db: Db): AgentRequestStore {
  const requests = db.collection<AgentRequestDocument>('agent_requests');
  return {
    async ensureIndexes() {
      await requests.createIndexes([{ key: { created_at: 1 }, expireAfterSeconds: KEPT_S }]);
    },
    async insert({ id, serverId, controlPlane }) {
      await requests.updateOne(
        { _id: id },
        {
          $setOnInsert: { server_id: serverId, control_plane: controlPlane, answer: null },
          $currentDate: { created_at: true },
        },
        { upsert: true },
      );
    },
    async pending(controlPlane) {
      const fresh = { $expr: { $gt: ['$created_at', { $subtract: ['$$NOW', AGE_MS_MAX] }] } };
      const rows = await requests
        .find({ ...fresh, answer: null, control_plane: { $ne: controlPlane } })
        .sort({ created_at: 1 })
        .limit(PENDING_MAX)
        .toArray();
      return rows.map((row) => ({ id: row._id, serverId: row.server_id }));
    },
    async respond(id, sample) {
      await requests.updateOne({ _id: id }, { $set: { answer: new Binary(sample) } });
    },
    async response(id) {
      const row = await requests.findOne({ _id: id }, { projection: { answer: 1 } });
      return row?.answer?.buffer ?? null;
    },
    async newest() {
      return (await requests.findOne({}, { sort: { created_at: -1 }, projection: { _id: 1 } }))?._id ?? null;
    },
  };
}
