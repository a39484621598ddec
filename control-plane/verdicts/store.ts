import { isDeepStrictEqual } from 'node:util';
import type { Db, Filter } from 'mongodb';
import type { MonitorDocument, VerdictState } from '../monitors/documents.js';
import type { Transaction } from '../storage/transaction.js';
import { type CertificateStore, createCertificateStore } from './certificates/store.js';

/** A state that replaces the one that was read with the monitor. */
export interface StateWrite {
  monitor: MonitorDocument;
  next: VerdictState;
  /** The new value of `resolve_grace_until_ms`; undefined leaves it unchanged. */
  graceUntilMs: null | undefined;
}

/** The verdict's fields of `monitors`: its state by compare-and-set, and what the periodic tasks read. */
export interface VerdictStore extends CertificateStore {
  ensureIndexes(): Promise<void>;
  /** An outage of the monitor opens no incident before `untilMs`: a person has resolved one. */
  mute(tx: Transaction, workspaceId: string, monitorId: string, untilMs: number): Promise<void>;
  load(id: string): Promise<MonitorDocument | null>;
  /** Returns those that exist, in no order. */
  loadMany(ids: readonly string[]): Promise<MonitorDocument[]>;
  /** Returns active monitors whose state needs attention, ordered by id. */
  needingAttention(afterId: string | null, limit: number): Promise<MonitorDocument[]>;
  /**
   * Writes each next state if the stored state is the one that was read, the monitor is not paused and, for a state
   * that needs no more attention, no result has arrived since. Resolves to the monitors whose next state is stored now;
   * read the others again. In a transaction, where all must be written or none, it resolves to none unless all are.
   */
  writeStates(tx: Transaction | null, writes: readonly StateWrite[]): Promise<ReadonlySet<string>>;
}

export function createVerdictStore(db: Db): VerdictStore {
  const monitors = db.collection<MonitorDocument>('monitors');
  const certificates = createCertificateStore(monitors);
  const within = (tx: Transaction | null) => (tx === null ? {} : { session: tx.session });
  return {
    ...certificates,
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
  };
}

function stateUpdate({ monitor, next, graceUntilMs }: StateWrite) {
  const filter: Filter<MonitorDocument> = {
    _id: monitor._id,
    workspace_id: monitor.workspace_id,
    'state.revision': monitor.state.revision,
    paused_at_ms: null,
  };
  if (!next.attention) filter.live = monitor.live;
  const set: Record<string, unknown> = { 'state.revision': monitor.state.revision + 1 };
  for (const [field, value] of Object.entries(next)) {
    if (field !== 'revision') set[`state.${field}`] = value;
  }
  if (graceUntilMs !== undefined) set['resolve_grace_until_ms'] = graceUntilMs;
  return { filter, update: { $set: set } };
}

/** Whether the stored state is the one of this write. An equal state by a concurrent writer counts as well. */
function isWritten({ monitor, next }: StateWrite, states: ReadonlyMap<string, VerdictState>): boolean {
  const stored = states.get(monitor._id);
  if (stored === undefined || stored.revision !== monitor.state.revision + 1) return false;
  const wanted = { ...monitor.state, ...next, revision: stored.revision };
  return isDeepStrictEqual(stored, wanted);
}
