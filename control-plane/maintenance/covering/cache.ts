import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import { createChangePoll, POLL_CHANGES_MS } from '../../storage/poll-changes.js';
import type { PastWindowDocument, WindowDocument } from '../documents.js';
import type {
  Coverable,
  CoveringWindow,
  Maintenance,
  MaintenancePlan,
  PlannedMaintenance,
  UptimeMaintenance,
} from '../maintenance.js';
import type { WindowStore } from '../store.js';
import { createLeftOutTimes } from '../uptime/left-out-times.js';
import { RECOMPUTED_MS_MAX } from '../uptime/past.js';
import type { PastWindowStore } from '../uptime/past-store.js';
import { createApplies } from './applies.js';
import { type Covered, createCovered } from './covered.js';
import { createUpcoming, type Upcoming } from './upcoming.js';

/** A check can be judged this long after it was due. */
const LATE_MS_MAX = 86_400_000;

/** The windows of all workspaces that are not over, in memory. Changes by other control planes are seen within two seconds. */
export interface WindowCache extends Maintenance, MaintenancePlan, UptimeMaintenance {
  /** Takes a change of this control plane over at once. `past` is what the window left out of uptime before it. */
  put(window: WindowDocument, past: PastWindowDocument | null): void;
  remove(workspaceId: string, id: string, past: PastWindowDocument | null): void;
  /** Resolves when all windows have been read. */
  ready(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface Entry {
  window: WindowDocument;
  appliesTo: ReturnType<typeof createApplies>;
  covered: Covered;
  upcoming: Upcoming;
}

interface WindowCacheNeeds {
  store: Pick<WindowStore, 'notOver' | 'changeCounts' | 'newestChange'>;
  past: Pick<PastWindowStore, 'changedSince'>;
  clock: Clock;
  logger: Logger;
}

export function createWindowCache({ store, past, clock, logger }: WindowCacheNeeds): WindowCache {
  const leftOutTimes = createLeftOutTimes({ logger });
  const entries = new Map<string, Map<string, Entry>>();
  const counts = new Map<string, number>();
  /** Counts changes of this control plane: what was being read meanwhile may be older. */
  let ownChanges = 0;

  /** Reads the windows of workspaces with changes. The counts are read first, so that no change is missed. */
  async function readChanged(): Promise<void> {
    const before = ownChanges;
    const current = await store.changeCounts();
    const changed = [...current.keys()].filter((workspaceId) => counts.get(workspaceId) !== current.get(workspaceId));
    if (changed.length === 0) return;
    const recomputedMs = clock.now() - RECOMPUTED_MS_MAX;
    const windows = await store.notOver(changed, clock.now() - LATE_MS_MAX, recomputedMs);
    const earlierVersions = await past.changedSince(changed, recomputedMs);
    // What was read may be older than a change of this control plane. The next poll reads again.
    if (ownChanges !== before) return;
    const earlier = new Map(changed.map((workspaceId) => [workspaceId, entries.get(workspaceId)]));
    for (const workspaceId of changed) {
      entries.delete(workspaceId);
      counts.set(workspaceId, current.get(workspaceId) ?? 0);
    }
    leftOutTimes.replace(changed, windows, earlierVersions);
    for (const window of windows) keep(window, earlier.get(window.workspace_id)?.get(window._id));
  }

  /** What was computed of the same version stays, so that a change of one window does not cost the work of all. */
  function keep(window: WindowDocument, earlier?: Entry): void {
    const own = entries.get(window.workspace_id) ?? new Map<string, Entry>();
    const entry =
      earlier?.window.version === window.version
        ? earlier
        : {
            window,
            appliesTo: createApplies(window),
            covered: createCovered(window),
            upcoming: createUpcoming(window),
          };
    own.set(window._id, entry);
    entries.set(window.workspace_id, own);
  }

  return {
    planned: (workspaceId, nowMs) => plannedAmong(entries.get(workspaceId)?.values() ?? [], nowMs, logger),
    covering: (what, atMs) => coveringAmong(entries.get(what.workspaceId)?.values() ?? [], what, atMs, logger),
    put(window, before) {
      ownChanges += 1;
      keep(window);
      leftOutTimes.put(window, before);
    },
    remove(workspaceId, id, before) {
      ownChanges += 1;
      entries.get(workspaceId)?.delete(id);
      leftOutTimes.remove(workspaceId, id, before);
    },
    leftOut: leftOutTimes.leftOut,
    ready: readChanged,
    refresh: readChanged,
    ...createPeriodicTask({
      clock,
      periodMs: POLL_CHANGES_MS,
      run: createChangePoll({ newest: store.newestChange, read: readChanged, clock }),
      onFailure: (error) =>
        logger.warn({ err: error }, 'failed to poll for changed maintenance windows; the next poll retries'),
    }),
  };
}

/** Returns the window that covers it; of several, the one that ends last. */
function coveringAmong(entries: Iterable<Entry>, what: Coverable, atMs: number, logger: Logger): CoveringWindow | null {
  let found: CoveringWindow | null = null;
  for (const entry of entries) {
    const { window } = entry;
    const span = entry.appliesTo(what) ? spanOf(entry, atMs, logger) : null;
    if (span === null || (found !== null && found.until_ms >= span.to_ms)) continue;
    found = { id: window._id, name: window.name, until_ms: span.to_ms };
  }
  return found;
}

function spanOf({ window, covered }: Entry, atMs: number, logger: Logger) {
  try {
    return covered.at(atMs);
  } catch (err) {
    logger.error({ err, window: window._id }, 'failed to compute a maintenance window; it silences nothing');
    return null;
  }
}

function plannedAmong(entries: Iterable<Entry>, nowMs: number, logger: Logger): PlannedMaintenance[] {
  return [...entries].flatMap((entry) => {
    const occurrences = upcomingOf(entry, nowMs, logger);
    return occurrences.length === 0 ? [] : [{ id: entry.window._id, occurrences, appliesTo: entry.appliesTo }];
  });
}

function upcomingOf({ window, upcoming }: Entry, nowMs: number, logger: Logger) {
  try {
    return upcoming.at(nowMs);
  } catch (err) {
    logger.error({ err, window: window._id }, 'failed to compute a maintenance window; status pages do not show it');
    return [];
  }
}
