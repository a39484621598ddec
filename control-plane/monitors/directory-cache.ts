import type { PlanName } from '../accounts/plans.js';
import type { AssignmentChange, AssignmentSource } from '../nodes/nodes.js';
import { assignmentFor, type DirectoryEntry, directoryEntry } from './assignment.js';
import type { MonitorLookup, WorkspacePlans } from './monitors.js';
import type { DirectoryRow, MonitorStore } from './store.js';

/** Rows of one read of the database. */
const PAGE_ROWS = 1_000;
/** Values kept for sharing; beyond it sharing starts anew, which costs memory and nothing else. */
const SHARED_VALUES_MAX = 20_000;
/** Of a workspace that is being deleted, say: nothing is kept longer for it than for anyone. */
const PLAN_OF_THE_UNKNOWN: PlanName = 'Free';

/** The monitors in memory and how they get there; what makes them be read again is `directory.ts`. */
export interface DirectoryCache extends Omit<AssignmentSource, 'ready'> {
  lookup(monitorId: string): MonitorLookup | null;
  size(): number;
  /** Reads everything, page by page. */
  load(): Promise<void>;
  /** Reads these again; what does not resolve is tried again with the next call. */
  refresh(monitorIds: readonly string[]): Promise<void>;
  /** Compares all versions with the database's and reads what differs; then the plans. */
  reconcile(): Promise<void>;
  /** Resolves when no read is under way. */
  idle(): Promise<void>;
}

export function createDirectoryCache(
  store: Pick<MonitorStore, 'directoryPage' | 'directoryRows' | 'versions'>,
  plans: WorkspacePlans,
): DirectoryCache {
  const entries = new Map<string, DirectoryEntry>();
  const listeners = new Set<(change: AssignmentChange) => void>();
  const knownPlans = createKnownPlans(plans);
  const share = createSharing();
  const reads = createReads(readAgain);

  async function readAgain(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += PAGE_ROWS) {
      const page = ids.slice(start, start + PAGE_ROWS);
      const rows = new Map((await store.directoryRows(page)).map((row) => [row._id, row]));
      await knownPlans.learn([...rows.values()]);
      take(page.map((id) => ({ id, row: rows.get(id) ?? null })));
    }
  }

  function take(read: readonly { id: string; row: DirectoryRow | null }[]): void {
    const change: AssignmentChange = { put: [], remove: [] };
    for (const { id, row } of read) {
      const before = entries.get(id) ?? null;
      const after = row === null ? null : directoryEntry(row, knownPlans.of(row.workspace_id), share);
      if (after === null) entries.delete(id);
      else entries.set(id, after);
      addDifference(change, before, after);
    }
    if (change.put.length === 0 && change.remove.length === 0) return;
    for (const listener of listeners) listener(change);
  }

  async function loadAll(): Promise<void> {
    for await (const rows of pages(store)) {
      await knownPlans.learn(rows);
      take(rows.map((row) => ({ id: row._id, row })));
    }
  }

  async function reconcile(): Promise<void> {
    await reads.want(await differing(store, entries));
    const changed = await knownPlans.refresh();
    const touched = [...entries.values()].filter((entry) => changed.has(entry.workspace_id));
    if (touched.length > 0) await reads.want(touched.map((entry) => entry.id));
  }

  return {
    load: () => reads.alone(loadAll),
    refresh: reads.want,
    reconcile,
    idle: reads.idle,
    lookup: (monitorId) => entries.get(monitorId) ?? null,
    size: () => entries.size,
    assignments: (location) =>
      [...entries.values()].map((entry) => assignmentFor(entry, location)).filter((assignment) => assignment !== null),
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

async function* pages(store: Pick<MonitorStore, 'directoryPage'>): AsyncGenerator<DirectoryRow[]> {
  for (let after: string | null = null; ; ) {
    const rows: DirectoryRow[] = await store.directoryPage(after, PAGE_ROWS);
    yield rows;
    after = rows.at(-1)?._id ?? null;
    if (rows.length < PAGE_ROWS) return;
  }
}

/** Monitors whose version is not the database's, those that are gone among them. */
async function differing(
  store: Pick<MonitorStore, 'versions'>,
  entries: ReadonlyMap<string, { version: number }>,
): Promise<string[]> {
  const gone = new Set(entries.keys());
  const others: string[] = [];
  for await (const { _id, version } of store.versions()) {
    gone.delete(_id);
    if (entries.get(_id)?.version !== version) others.push(_id);
  }
  return [...others, ...gone];
}

/** What a monitor's change means to the locations that had it or get it. */
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

/**
 * Reads one after the other, so that an older one never overwrites a newer one. What is wanted while one is under
 * way is read together after it.
 */
function createReads(read: (ids: readonly string[]) => Promise<void>) {
  let last: Promise<void> = Promise.resolve();
  let wanted = new Set<string>();
  let next: Promise<void> | null = null;

  function alone(run: () => Promise<void>): Promise<void> {
    const ran = last.then(run);
    // A failed read must not stop the later ones; who asked for it is told.
    last = ran.catch(() => undefined);
    return ran;
  }

  async function readWanted(): Promise<void> {
    const ids = [...wanted];
    wanted = new Set();
    next = null;
    try {
      await read(ids);
    } catch (error) {
      for (const id of ids) wanted.add(id);
      throw error;
    }
  }

  return {
    alone,
    /** Resolves once all that was wanted until its read began has been read. */
    want(ids: readonly string[]): Promise<void> {
      for (const id of ids) wanted.add(id);
      next ??= alone(readWanted);
      return next;
    },
    idle: () => last,
  };
}

function createKnownPlans(plans: WorkspacePlans) {
  const known = new Map<string, PlanName>();
  async function ask(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const found = await plans.plans(ids);
    const plan = (id: string) => found.get(id) ?? PLAN_OF_THE_UNKNOWN;
    const changed = new Set(ids.filter((id) => known.get(id) !== plan(id)));
    for (const id of changed) known.set(id, plan(id));
    return changed;
  }
  return {
    of: (workspaceId: string) => known.get(workspaceId) ?? PLAN_OF_THE_UNKNOWN,
    async learn(rows: readonly { workspace_id: string }[]): Promise<void> {
      await ask([...new Set(rows.map((row) => row.workspace_id))].filter((id) => !known.has(id)));
    },
    /** Asks again for all that are known; answers those that changed. */
    refresh: () => ask([...known.keys()]),
  };
}

/** Gives values that are equal as JSON one place in memory: monitors have few different lists of locations. */
function createSharing(): <T>(value: T) => T {
  const values = new Map<string, unknown>();
  return <T>(value: T): T => {
    const key = JSON.stringify(value);
    const shared = values.get(key) as T | undefined;
    if (shared !== undefined) return shared;
    if (values.size >= SHARED_VALUES_MAX) values.clear();
    values.set(key, value);
    return value;
  };
}
