import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AssignmentChange, AssignmentSource } from '../../nodes/nodes.js';
import type { WorkspacePlans } from '../../plans/plans.js';
import type { MonitorLookup } from '../monitors.js';
import type { MonitorSecrets } from '../secrets/secrets.js';
import { assignmentFor, type DirectoryEntry, directoryEntry, isCheckedAt } from './assignment.js';
import type { DirectoryReads, DirectoryRow } from './directory-store.js';
import { createReadQueue } from './read-queue.js';
import { createSharing } from './sharing.js';
import { createPlansOfWorkspaces } from './workspace-plans.js';

/** Rows of one query. */
const PAGE_ROWS = 1_000;
/** Rows that are replaced at once. It takes some milliseconds, because every location of a row gets an assignment. */
const SLICE_ROWS = 100;

/** The monitors in memory and the reads that fill it; `directory.ts` decides when to read again. */
export interface DirectoryCache extends Omit<AssignmentSource, 'ready'> {
  lookup(monitorId: string): MonitorLookup | null;
  size(): number;
  /** Reads all monitors, page by page. */
  load(): Promise<void>;
  /** Reads these monitors again. A read that fails is repeated with the next call. */
  refresh(monitorIds: readonly string[]): Promise<void>;
  /** Compares all versions with the database and reads the monitors that differ. */
  reconcile(): Promise<void>;
  /** Reads the plans again, and the monitors of workspaces whose plan changed. */
  refreshPlans(): Promise<void>;
  /** Resolves when no read is running. */
  idle(): Promise<void>;
}

export function createDirectoryCache(
  store: DirectoryReads,
  workspacePlans: WorkspacePlans,
  secrets: Pick<MonitorSecrets, 'open'>,
): DirectoryCache {
  const entries = new Map<string, DirectoryEntry>();
  const listeners = new Set<(change: AssignmentChange) => void>();
  const plans = createPlansOfWorkspaces(workspacePlans);
  const share = createSharing();
  const reads = createReadQueue(readAgain);

  async function readAgain(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += PAGE_ROWS) {
      const page = ids.slice(start, start + PAGE_ROWS);
      const rows = new Map((await store.directoryRows(page)).map((row) => [row._id, row]));
      await plans.learn([...rows.values()]);
      await inSlices(
        page.map((id) => ({ id, row: rows.get(id) ?? null })),
        replace,
      );
    }
  }

  function replace(read: readonly { id: string; row: DirectoryRow | null }[]): void {
    const change: AssignmentChange = { put: [], remove: [] };
    for (const { id, row } of read) {
      const before = entries.get(id) ?? null;
      const after = row === null ? null : directoryEntry(row, secrets.open(row), plans.of(row.workspace_id), share);
      if (after === null) entries.delete(id);
      else entries.set(id, after);
      addDifference(change, before, after);
    }
    if (change.put.length === 0 && change.remove.length === 0) return;
    for (const listener of listeners) listener(change);
  }

  async function loadAll(): Promise<void> {
    for await (const rows of pages(store)) {
      await plans.learn(rows);
      await inSlices(
        rows.map((row) => ({ id: row._id, row })),
        replace,
      );
    }
  }

  async function refreshPlans(): Promise<void> {
    const changed = await plans.refresh();
    const affected = [...entries.values()].filter((entry) => changed.has(entry.workspace_id));
    if (affected.length > 0) await reads.request(affected.map((entry) => entry.id));
  }

  return {
    load: () => reads.exclusive(loadAll),
    refresh: reads.request,
    reconcile: async () => reads.request(await outdatedIds(store, entries)),
    refreshPlans,
    idle: reads.idle,
    lookup: (monitorId) => entries.get(monitorId) ?? null,
    size: () => entries.size,
    monitors: (location) => checkedAt(entries.values(), location),
    assignment(location, monitorId) {
      const entry = entries.get(monitorId);
      return entry === undefined ? null : assignmentFor(entry, location);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Does other work between two slices. Reads run one after another, so no other one replaces the same rows meanwhile. */
async function inSlices<Row>(rows: readonly Row[], handle: (slice: readonly Row[]) => void): Promise<void> {
  for (let start = 0; start < rows.length; start += SLICE_ROWS) {
    if (start > 0) await yieldToEventLoop();
    handle(rows.slice(start, start + SLICE_ROWS));
  }
}

function* checkedAt(entries: Iterable<DirectoryEntry>, location: string): Generator<DirectoryEntry> {
  for (const entry of entries) if (isCheckedAt(entry, location)) yield entry;
}

async function* pages(store: Pick<DirectoryReads, 'directoryPage'>): AsyncGenerator<DirectoryRow[]> {
  for (let after: string | null = null; ; ) {
    const rows: DirectoryRow[] = await store.directoryPage(after, PAGE_ROWS);
    yield rows;
    after = rows.at(-1)?._id ?? null;
    if (rows.length < PAGE_ROWS) return;
  }
}

/** Returns the monitors whose version differs from the database, including deleted ones. */
async function outdatedIds(
  store: Pick<DirectoryReads, 'versions'>,
  entries: ReadonlyMap<string, { version: number }>,
): Promise<string[]> {
  const deleted = new Set(entries.keys());
  const changed: string[] = [];
  for await (const { _id, version } of store.versions()) {
    deleted.delete(_id);
    if (entries.get(_id)?.version !== version) changed.push(_id);
  }
  return [...changed, ...deleted];
}

/** Adds what changed for the locations that had the monitor or have it now. */
function addDifference(change: AssignmentChange, before: DirectoryEntry | null, after: DirectoryEntry | null): void {
  const had = before === null || before.paused ? [] : before.locations;
  const has = after === null || after.paused ? [] : after.locations;
  for (const location of had) {
    if (before !== null && !has.includes(location)) change.remove.push({ location, monitorId: before.id });
  }
  if (after === null || before?.version === after.version) return;
  for (const location of has) {
    const assignment = assignmentFor(after, location);
    if (assignment !== null) change.put.push({ location, assignment });
  }
}
