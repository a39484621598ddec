import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../../storage/transaction.js';
import type { LatenessDocument, NodeReport, PresenceDocument } from '../documents.js';

/** A stream that wants to be the one of its node. */
export interface StreamClaim {
  nodeId: string;
  location: string;
  controlPlane: string;
  streamId: string;
  instance: string;
  credentialHash: string;
  drained: boolean;
  version: string;
  connectedAtMs: number;
}

export interface Heartbeat {
  nodeId: string;
  streamId: string;
  drained: boolean;
  draining: boolean;
  report: NodeReport | null;
}

/** A row with its age by the database's clock. */
export type AgedPresence = PresenceDocument & { age_ms: number };

/** Which control plane holds which node's stream, for all of them to read. */
export interface PresenceStore {
  ensureIndexes(): Promise<void>;
  /**
   * Makes the stream the one of its node. false when another process holds it: one that was heard of within
   * `silentMs` and is not going away. The same process always replaces its own older stream, and a credential
   * replaces the one before it: once used, no other can have opened the newer stream.
   */
  claim(claim: StreamClaim, silentMs: number): Promise<boolean>;
  /** Renews the rows and returns the nodes whose row now names another stream. */
  beat(beats: readonly Heartbeat[]): Promise<string[]>;
  /** Renews the rows of these nodes with one write, and returns those that another control plane holds. */
  renew(controlPlane: string, nodeIds: readonly string[]): Promise<string[]>;
  /** Which control plane holds the node's stream; null when none does. */
  holder(nodeId: string, silentMs: number): Promise<string | null>;
  /** The stream has ended; no effect when another one has taken over. */
  release(nodeId: string, streamId: string): Promise<void>;
  all(): Promise<AgedPresence[]>;
  noteLateness(samples: readonly LatenessDocument[]): Promise<void>;
  lateness(location: string, withinMs: number): Promise<Pick<LatenessDocument, 'p50_ms' | 'p99_ms' | 'slots_run'>[]>;
}

const LATENESS_KEPT_S = 7_200;

/** `collection`: probes and agents apart, as probes' rows are all read each few seconds. */
export function createPresenceStore(db: Db, collection: 'node_presence' | 'agent_presence'): PresenceStore {
  const presence = db.collection<PresenceDocument>(collection);
  const lateness = db.collection<LatenessDocument>('node_lateness');
  return {
    async ensureIndexes() {
      await lateness.createIndexes([
        { key: { location: 1, at: 1 } },
        { key: { at: 1 }, expireAfterSeconds: LATENESS_KEPT_S },
      ]);
    },
    claim: (claim, silentMs) => claimStream(presence, claim, silentMs),
    async beat(beats) {
      if (beats.length === 0) return [];
      await presence.bulkWrite(
        beats.map(({ nodeId, streamId, drained, draining, report }) => ({
          updateOne: {
            filter: { _id: nodeId, stream_id: streamId },
            update: { $set: { drained, draining, report }, $currentDate: { seen_at: true } },
          },
        })),
        { ordered: false },
      );
      const rows = await presence
        .find({ _id: { $in: beats.map((beat) => beat.nodeId) } })
        .project<Pick<PresenceDocument, '_id' | 'stream_id'>>({ stream_id: 1 })
        .toArray();
      const owners = new Map(rows.map((row) => [row._id, row.stream_id]));
      return beats.filter((beat) => owners.get(beat.nodeId) !== beat.streamId).map((beat) => beat.nodeId);
    },
    async renew(controlPlane, nodeIds) {
      if (nodeIds.length === 0) return [];
      const mine = { _id: { $in: [...nodeIds] } };
      await presence.updateMany({ ...mine, control_plane: controlPlane }, { $currentDate: { seen_at: true } });
      const lost = await presence
        .find({ ...mine, control_plane: { $ne: controlPlane } })
        .project<Pick<PresenceDocument, '_id'>>({ _id: 1 })
        .toArray();
      return lost.map(({ _id }) => _id);
    },
    async holder(nodeId, silentMs) {
      const fresh = { $expr: { $gt: ['$seen_at', { $subtract: ['$$NOW', silentMs] }] } };
      const row = await presence.findOne({ _id: nodeId, connected: true, ...fresh });
      return row?.control_plane ?? null;
    },
    async release(nodeId, streamId) {
      await presence.updateOne(
        { _id: nodeId, stream_id: streamId },
        { $set: { connected: false }, $currentDate: { seen_at: true } },
      );
    },
    all: () =>
      presence
        .aggregate<AgedPresence>([{ $set: { age_ms: { $subtract: ['$$NOW', '$seen_at'] } } }, { $sort: { _id: 1 } }])
        .toArray(),
    async noteLateness(samples) {
      if (samples.length === 0) return;
      await lateness.bulkWrite(
        samples.map(({ _id, ...sample }) => ({
          updateOne: { filter: { _id }, update: { $set: sample }, upsert: true },
        })),
        { ordered: false },
      );
    },
    lateness: (location, withinMs) =>
      lateness
        .find({ location, $expr: { $gt: ['$at', { $subtract: ['$$NOW', withinMs] }] } })
        .project<Pick<LatenessDocument, 'p50_ms' | 'p99_ms' | 'slots_run'>>({ p50_ms: 1, p99_ms: 1, slots_run: 1 })
        .toArray(),
  };
}

/** The race for a node's row is decided by the filters of the two writes. */
async function claimStream(
  presence: Collection<PresenceDocument>,
  claim: StreamClaim,
  silentMs: number,
): Promise<boolean> {
  const row = claimed(claim);
  // An upsert may not filter by $expr, and only $expr knows the database's time; hence two steps.
  const free = [
    { instance: claim.instance },
    { credential_hash: { $ne: claim.credentialHash } },
    { connected: false },
    { draining: true },
    { $expr: { $lt: ['$seen_at', { $subtract: ['$$NOW', silentMs] }] } },
  ];
  const taken = await presence.updateOne(
    { _id: claim.nodeId, $or: free },
    { $set: row, $currentDate: { seen_at: true } },
  );
  if (taken.matchedCount === 1) return true;
  try {
    const inserted = await presence.updateOne(
      { _id: claim.nodeId, stream_id: claim.streamId },
      { $set: row, $currentDate: { seen_at: true } },
      { upsert: true },
    );
    return inserted.upsertedCount === 1;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

function claimed(claim: StreamClaim): Omit<PresenceDocument, '_id' | 'seen_at'> {
  return {
    location: claim.location,
    control_plane: claim.controlPlane,
    stream_id: claim.streamId,
    instance: claim.instance,
    credential_hash: claim.credentialHash,
    connected: true,
    draining: false,
    drained: claim.drained,
    version: claim.version,
    connected_at_ms: claim.connectedAtMs,
    report: null,
  };
}
