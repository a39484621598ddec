import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../../storage/transaction.js';
import type { LatenessDocument, NodeStatus, PresenceDocument } from '../documents.js';
import type { AgedHolder } from './lost.js';

/** A stream that claims to be the current one of its node. */
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

interface Heartbeat {
  nodeId: string;
  streamId: string;
  drained: boolean;
  draining: boolean;
  status: NodeStatus | null;
}

/** A row, and its age by the database's clock. */
export type AgedPresence = PresenceDocument & { age_ms: number };

/** Stores which control plane holds the stream of each node. */
export interface PresenceStore {
  ensureIndexes(): Promise<void>;
  /**
   * Makes the stream the current one of its node. Resolves to false when another process holds a stream, was heard
   * within `silentMs`, and is not draining. A process always replaces its own older stream, and a stream with a rotated
   * credential replaces one with the previous credential.
   */
  claim(claim: StreamClaim, silentMs: number): Promise<boolean>;
  /** Renews the rows and resolves to the nodes whose row has another stream now. */
  heartbeat(beats: readonly Heartbeat[]): Promise<string[]>;
  /** Renews the rows of these nodes with one write, and resolves to the nodes that another control plane holds. */
  renew(controlPlane: string, nodeIds: readonly string[]): Promise<string[]>;
  /** Resolves to the control plane that holds the node's stream; null without one. */
  holder(nodeId: string, silentMs: number): Promise<string | null>;
  /** Resolves to the control planes that hold or held the streams of these nodes; nodes that never connected are missing. */
  holders(nodeIds: readonly string[]): Promise<Map<string, AgedHolder>>;
  /** Records the end of the stream. No effect when another stream has replaced it. */
  release(nodeId: string, streamId: string): Promise<void>;
  all(): Promise<AgedPresence[]>;
  saveLateness(samples: readonly LatenessDocument[]): Promise<void>;
  lateness(location: string, withinMs: number): Promise<Pick<LatenessDocument, 'p50_ms' | 'p99_ms' | 'slots_run'>[]>;
}

const LATENESS_KEPT_S = 7_200;

/** Probes and agents have separate collections, because all rows of probes are read every few seconds. */
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
    heartbeat: (beats) => renewStreams(presence, beats),
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
    async holders(nodeIds) {
      const rows = await presence
        .find({ _id: { $in: [...nodeIds] } })
        .project<AgedHolder & { _id: string }>({
          control_plane: 1,
          connected: 1,
          claimed_ms: { $subtract: ['$$NOW', '$claimed_at'] },
          renewed_ms: { $subtract: ['$$NOW', '$seen_at'] },
        })
        .toArray();
      return new Map(rows.map((row) => [row._id, row]));
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
    async saveLateness(samples) {
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

/** Renews the rows of the streams, and resolves to the nodes whose row has another stream now. */
async function renewStreams(presence: Collection<PresenceDocument>, beats: readonly Heartbeat[]): Promise<string[]> {
  if (beats.length === 0) return [];
  await presence.bulkWrite(
    beats.map(({ nodeId, streamId, drained, draining, status }) => ({
      updateOne: {
        filter: { _id: nodeId, stream_id: streamId },
        update: { $set: { drained, draining, report: status }, $currentDate: { seen_at: true } },
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
}

/** The filters of the two writes decide between concurrent claims. */
async function claimStream(
  presence: Collection<PresenceDocument>,
  claim: StreamClaim,
  silentMs: number,
): Promise<boolean> {
  const row = claimed(claim);
  // Two steps, because an upsert cannot filter by $expr, and only $expr can compare with the database's time.
  const free = [
    { instance: claim.instance },
    { credential_hash: { $ne: claim.credentialHash } },
    { connected: false },
    { draining: true },
    { $expr: { $lt: ['$seen_at', { $subtract: ['$$NOW', silentMs] }] } },
  ];
  const taken = await presence.updateOne(
    { _id: claim.nodeId, $or: free },
    { $set: row, $currentDate: { seen_at: true, claimed_at: true } },
  );
  if (taken.matchedCount === 1) return true;
  try {
    const inserted = await presence.updateOne(
      { _id: claim.nodeId, stream_id: claim.streamId },
      { $set: row, $currentDate: { seen_at: true, claimed_at: true } },
      { upsert: true },
    );
    return inserted.upsertedCount === 1;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

function claimed(claim: StreamClaim): Omit<PresenceDocument, '_id' | 'seen_at' | 'claimed_at'> {
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
