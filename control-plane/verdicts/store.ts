import { isDeepStrictEqual } from 'node:util';
import type { Db, Filter } from 'mongodb';
import type { OutageMute } from '../incidents/incidents.js';
import type { CertificateTold, MonitorDocument, VerdictState } from '../monitors/documents.js';
import type { Transaction } from '../storage/transaction.js';

/** A state to be written in the place of the one that a monitor was read with. */
export interface StateWrite {
  monitor: MonitorDocument;
  next: VerdictState;
  /** The new value of `resolve_grace_until_ms`; undefined: as it is. */
  graceUntilMs: null | undefined;
}

/** The verdict's side of `monitors`: its state by compare-and-set, and what the sweep and the hourly jobs look at. */
export interface VerdictStore extends OutageMute {
  ensureIndexes(): Promise<void>;
  load(id: string): Promise<MonitorDocument | null>;
  /** In no order; those that there are. */
  loadMany(ids: readonly string[]): Promise<MonitorDocument[]>;
  /** In a workspace, for a request. */
  find(workspaceId: string, id: string): Promise<MonitorDocument | null>;
  /** Active monitors that are not clean, by id. */
  needingAttention(afterId: string | null, limit: number): Promise<MonitorDocument[]>;
  /**
   * Writes each next state if nobody has written one since it was read, the monitor is not paused and, where
   * attention ends, no result has come since. Resolves the monitors of which the next state is written now; read
   * the others again. In a transaction, where all or nothing is wanted: of fewer than all it names none.
   */
  writeStates(tx: Transaction | null, writes: readonly StateWrite[]): Promise<ReadonlySet<string>>;
  /** Monitors whose certificate runs out before `beforeMs`, or of which something was told; by id. */
  certificatesToJudge(beforeMs: number, afterId: string | null, limit: number): Promise<MonitorDocument[]>;
  /** false when someone else wrote it since the monitor was read, or its certificate or status is another now. */
  writeTold(tx: Transaction, monitor: MonitorDocument, told: CertificateTold | null): Promise<boolean>;
  supersedeTold(tx: Transaction, monitor: MonitorDocument): Promise<void>;
}

export function createVerdictStore(db: Db): VerdictStore {
  const monitors = db.collection<MonitorDocument>('monitors');
  const within = (tx: Transaction | null) => (tx === null ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await monitors.createIndexes([
        {
          key: { _id: 1, 'state.attention': 1 },
          name: 'verdict_attention',
          partialFilterExpression: { 'state.attention': true },
        },
        { key: { 'certificate.not_after_ms': 1 }, name: 'certificate_not_after', sparse: true },
        { key: { 'certificate_told.days': 1 }, name: 'certificate_told', sparse: true },
      ]);
    },
    load: (id) => monitors.findOne({ _id: id }),
    loadMany: (ids) => monitors.find({ _id: { $in: [...ids] } }).toArray(),
    find: (workspaceId, id) => monitors.findOne({ _id: id, workspace_id: workspaceId }),
    needingAttention(afterId, limit) {
      const filter: Filter<MonitorDocument> = { 'state.attention': true, paused_at_ms: null };
      if (afterId !== null) filter._id = { $gt: afterId };
      return monitors.find(filter).sort({ _id: 1 }).limit(limit).hint('verdict_attention').batchSize(limit).toArray();
    },
    async writeStates(tx, writes) {
      if (writes.length === 0) return new Set();
      const updates = writes.map((write) => ({ updateOne: stateUpdate(write) }));
      const { matchedCount } = await monitors.bulkWrite(updates, { ...within(tx), ordered: false });
      if (matchedCount === writes.length) return new Set(writes.map(({ monitor }) => monitor._id));
      if (tx !== null || matchedCount === 0) return new Set();
      const found = await monitors.find({ _id: { $in: writes.map(({ monitor }) => monitor._id) } }).toArray();
      const states = new Map(found.map(({ _id, state }) => [_id, state]));
      return new Set(writes.filter((write) => isWritten(write, states)).map(({ monitor }) => monitor._id));
    },
    async mute(tx, workspaceId, monitorId, untilMs) {
      await monitors.updateOne(
        { _id: monitorId, workspace_id: workspaceId },
        {
          $set: { resolve_grace_until_ms: untilMs, 'state.incident': null, 'state.attention': true },
          $inc: { 'state.revision': 1 },
        },
        within(tx),
      );
    },
    certificatesToJudge(beforeMs, afterId, limit) {
      const filter: Filter<MonitorDocument> = {
        $or: [{ 'certificate.not_after_ms': { $lt: beforeMs } }, { 'certificate_told.days': { $gt: 0 } }],
        paused_at_ms: null,
        ...(afterId === null ? {} : { _id: { $gt: afterId } }),
      };
      return monitors.find(filter).sort({ _id: 1 }).limit(limit).batchSize(limit).toArray();
    },
    async writeTold(tx, monitor, told) {
      const filter: Filter<MonitorDocument> = {
        ...own(monitor),
        certificate_told: monitor.certificate_told ?? null,
        'certificate.fingerprint': monitor.certificate?.fingerprint ?? null,
        'state.status': monitor.state.status,
        paused_at_ms: null,
      };
      const result = await monitors.updateOne(filter, { $set: { certificate_told: told } }, within(tx));
      return result.matchedCount === 1;
    },
    async supersedeTold(tx, monitor) {
      await monitors.updateOne(
        { ...own(monitor), 'certificate_told.days': { $gt: 0 } },
        { $set: { 'certificate_told.superseded': true } },
        within(tx),
      );
    },
  };
}

function own(monitor: MonitorDocument) {
  return { _id: monitor._id, workspace_id: monitor.workspace_id };
}

function stateUpdate({ monitor, next, graceUntilMs }: StateWrite) {
  const filter: Filter<MonitorDocument> = {
    ...own(monitor),
    'state.revision': monitor.state.revision,
    paused_at_ms: null,
  };
  if (!next.attention) filter.live = monitor.live;
  const set: Record<string, unknown> = { 'state.revision': monitor.state.revision + 1 };
  for (const [member, value] of Object.entries(next)) {
    if (member !== 'revision') set[`state.${member}`] = value;
  }
  if (graceUntilMs !== undefined) set['resolve_grace_until_ms'] = graceUntilMs;
  return { filter, update: { $set: set } };
}

/** Whether the stored state is the one of this write. If a rival wrote the very same, it is as good as ours. */
function isWritten({ monitor, next }: StateWrite, states: ReadonlyMap<string, VerdictState>): boolean {
  const stored = states.get(monitor._id);
  if (stored === undefined || stored.revision !== monitor.state.revision + 1) return false;
  const wanted = { ...monitor.state, ...next, revision: stored.revision };
  return isDeepStrictEqual(stored, wanted);
}
