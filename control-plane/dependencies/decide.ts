import type { FailingThing, Hold, ParentMonitor } from './dependencies.js';

/** What still fails this long after its parent recovered notifies by itself. */
const RECOVERY_GRACE_MS = 120_000;
/** After the failure of a thing, each parent has one interval and this long to be checked. */
const WAIT_MARGIN_MS = 30_000;
/** Nothing waits longer for the check of a parent, whatever its interval: Picket requests that check at once. */
const WAIT_MS_MAX = 180_000;
/** A hold ends then, also while the parent is still down: an outage that is left alone must not keep others silent for ever. */
const HOLD_MS_MAX = 86_400_000;
/** Monitors that a hold names. A message counts what depends on one of them. */
const ANCESTORS_KEPT_MAX = 200;

/** A parent, as a decision needs it. */
export interface Parent extends ParentMonitor {
  /** Maintenance covers it now. */
  isCovered: boolean;
  /** A monitor that keeps it silent itself is down. */
  hasParentDown: boolean;
  /** So many locations have succeeded since then that the others alone cannot make it down; null: too few have. */
  goodSinceMs: number | null;
}

/**
 * Returns what keeps a thing from notifying; null: it notifies. `parents` are all that it depends on, the nearest first. A
 * parent counts only if it notifies every channel that the thing would notify. Pure.
 */
export function holdOf(thing: FailingThing, parents: readonly Parent[], nowMs: number): Hold | null {
  const known = thing.hold;
  const telling = parents.filter((parent) => tellsAllOf(parent, thing));
  // Nothing is checked while the workspace is stopped, so nothing is decided.
  if (known !== null && telling.some(({ isStopped }) => isStopped)) return known;
  const since_ms = known?.since_ms ?? nowMs;
  const endMs = since_ms + HOLD_MS_MAX;
  const ancestor_ids = telling.map(({ id }) => id).slice(0, ANCESTORS_KEPT_MAX);
  const hold = (
    state: Hold['state'],
    parent: Parent,
    until_ms: number | null,
    waiting_since_ms: number | null,
  ): Hold => {
    const isSame = known?.monitor_id === parent.id;
    // A person may have resolved the incident of a monitor that is still down.
    const incident_id = parent.incidentId ?? (isSame ? (known?.incident_id ?? null) : null);
    const monitor = { monitor_id: parent.id, monitor_name: parent.name, incident_id };
    return { state, ...monitor, since_ms, waiting_since_ms, until_ms, ancestor_ids };
  };

  const down = telling.filter(isDown);
  // The one that notifies: it depends on no other that is down.
  const root = down.find(({ hasParentDown }) => !hasParentDown) ?? down[0];
  if (root !== undefined) return endMs > nowMs ? hold('parent_down', root, null, null) : null;

  const recovered = latest(
    telling.filter(isWorking).filter(({ hasRecovered }) => hasRecovered),
    ({ changedAtMs }) => Math.min(changedAtMs + RECOVERY_GRACE_MS, endMs),
  );
  if (recovered !== null && recovered.atMs > nowMs) {
    return hold('parent_recovered', recovered.parent, recovered.atMs, null);
  }
  const waitingSinceMs = waitingSince(known, nowMs);
  const waiting = latest(uncheckedOf(thing, telling), (parent) => waitingSinceMs + waitMs(parent));
  if (waiting === null || waiting.atMs <= nowMs) return null;
  return hold('waiting', waiting.parent, waiting.atMs, waitingSinceMs);
}

/** A parent that was down is waited for anew when its checks stop; after its recovery there is no second wait. */
function waitingSince(known: Hold | null, nowMs: number): number {
  if (known?.state === 'waiting') return known.waiting_since_ms ?? known.since_ms;
  return known?.state === 'parent_recovered' ? known.since_ms : nowMs;
}

/** Returns the parents that may be down, but have not been checked since the thing began to fail. Pure. */
export function uncheckedOf(thing: FailingThing, parents: readonly Parent[]): Parent[] {
  const isUnchecked = ({ goodSinceMs }: Parent) => goodSinceMs === null || goodSinceMs < thing.failingSinceMs;
  return parents
    .filter((parent) => tellsAllOf(parent, thing))
    .filter((parent) => (isWorking(parent) ? isUnchecked(parent) : isLost(parent)));
}

/** Whether the monitor is down, by recent checks. One that is paused, stopped or in maintenance is not. Pure. */
export function isDown(parent: Omit<Parent, 'hasParentDown' | 'goodSinceMs'>): boolean {
  return isLive(parent) && parent.isKnown && parent.status === 'down';
}

/** Whether the monitor notifies every channel that the other would notify. A channel has one delay, whoever uses it. Pure. */
export function tellsAllOf(parent: Pick<Parent, 'channels'>, other: Pick<FailingThing, 'channels'>): boolean {
  const { channels } = parent;
  if (channels === null) return true;
  return other.channels?.every((channel) => channels.includes(channel)) === true;
}

/**
 * Returns since when so many checks have succeeded that the other `valid` votes alone cannot make a monitor down; null if too few
 * have. Pure.
 */
export function goodSince(checks: ParentMonitor['checks'], required: number): number | null {
  const upMs = checks.flatMap(({ atMs, up }) => (up ? [atMs] : [])).sort((a, b) => b - a);
  return upMs[Math.max(0, checks.length - required)] ?? null;
}

function isWorking(parent: Parent): boolean {
  return isLive(parent) && parent.isKnown && parent.status === 'up';
}

/** It was down when checks of it stopped to arrive, or began anew with other settings. */
function isLost(parent: Parent): boolean {
  return isLive(parent) && !parent.isKnown && parent.status === 'down' && parent.hadIncident;
}

function isLive({ isPaused, isStopped, isCovered }: Pick<Parent, 'isPaused' | 'isStopped' | 'isCovered'>): boolean {
  return !isPaused && !isStopped && !isCovered;
}

/** One that fails may need its retries and time-outs until it is down. */
function waitMs({ intervalMs, isFailing }: ParentMonitor): number {
  return isFailing ? WAIT_MS_MAX : Math.min(intervalMs + WAIT_MARGIN_MS, WAIT_MS_MAX);
}

function latest(
  parents: readonly Parent[],
  atMsOf: (parent: Parent) => number,
): { parent: Parent; atMs: number } | null {
  let found: { parent: Parent; atMs: number } | null = null;
  for (const parent of parents) {
    const atMs = atMsOf(parent);
    if (found === null || atMs > found.atMs) found = { parent, atMs };
  }
  return found;
}
