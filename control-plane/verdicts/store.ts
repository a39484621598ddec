import { isDeepStrictEqual } from 'node:util';
import type { Db, Filter } from 'mongodb';
import type { MonitorDocument, VerdictState } from '../monitors/documents.js';
import { isMaxTimeExpired, type Transaction } from '../storage/transaction.js';
import { findLocked } from '../storage/writes/find-locked.js';
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
   * read the others again. In a transaction, where all must be written or none, it resolves to none unless all are;
   * outside of one, it rejects with `StatesTimeout` if the time was not enough for all.
   */
  writeStates(tx: Transaction | null, writes: readonly StateWrite[]): Promise<ReadonlySet<string>>;
  /** Returns those that another transaction has written and not committed. */
  lockedAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Some states could not be written in time, most likely because another transaction has locked their monitors. */
export class StatesTimeout extends Error {
  /** The monitors whose next state is stored nevertheless. */
  readonly written: ReadonlySet<string>;

  constructor(written: ReadonlySet<string>, cause: unknown) {
    super(`states of monitors were not written within ${STATES_MS_MAX} ms`, { cause });
    this.name = 'StatesTimeout';
    this.written = written;
  }
}

/** Outside of a transaction, the server itself repeats a write to a locked document without end. */
const STATES_MS_MAX = 3_000;

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
      const ids = writes.map(({ monitor }) => monitor._id);
      const updates = writes.map((write) => ({ updateOne: stateUpdate(write) }));
      if (tx !== null) {
        const { matchedCount } = await monitors.bulkWrite(updates, { session: tx.session, ordered: false });
        return new Set(matchedCount === writes.length ? ids : []);
      }
      /** Reads what is stored, with `local` also what a majority has not confirmed yet. */
      const written = async (level: 'majority' | 'local') => {
        const found = await monitors.find({ _id: { $in: ids } }, { readConcern: { level } }).toArray();
        const states = new Map(found.map(({ _id, state }) => [_id, state]));
        return new Set(writes.filter((write) => isWritten(write, states)).map(({ monitor }) => monitor._id));
      };
      try {
        const { matchedCount } = await monitors.bulkWrite(updates, { maxTimeMS: STATES_MS_MAX, ordered: false });
        if (matchedCount === writes.length) return new Set(ids);
        return matchedCount === 0 ? new Set() : await written('majority');
      } catch (error) {
        if (!isMaxTimeExpired(error)) throw error;
        const stored = await written('local');
        if (stored.size < writes.length) throw new StatesTimeout(stored, error);
        return stored;
      }
    },
    lockedAmong: (ids) => findLocked(db.client, monitors, ids),
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
