/** A location needs at least this many failures to be quarantined, and this many monitors to be doubted. */
export const QUARANTINE_MONITORS_MIN = 10;

/** The failures must begin within this time. */
export const QUARANTINE_WINDOW_MS = 60_000;

/** The share of its monitors that must fail for a location to be quarantined. */
const QUARANTINE_SHARE = 0.5;

/** Without canary targets, the quarantine ends when fewer than this share have failed for all of `CALM_MS`. */
const CALM_SHARE = 0.1;
const CALM_MS = 60_000;

/** With canary targets, a quarantine lasts at least this long, so that it is visible and does not flap. */
const QUARANTINE_MS_MIN = 30_000;

/**
 * The monitors of one owner count as at most so many, those that fail and those that do not alike. So neither their number decides
 * whether a location looks broken for all, nor does it hide that it is.
 */
const OWNER_MONITORS_MAX = 10;

/**
 * Monitors of so many owners must fail; of all of them where a location has monitors of fewer. Anybody can point monitors at a target
 * of theirs that answers every location but one.
 */
const FAILING_OWNERS_MIN = 3;

/** Monitors that fail at a location. */
export interface Failures {
  /** Those that another location has seen up since the failure began, and whose failure began within the window. */
  startedRecently: number;
  /** All that another location has seen up since the failure began. */
  failing: number;
  /** Those that no other location sees up: they say nothing about the location. */
  down: number;
}

/** What a location must check. */
export interface Load {
  monitors: number;
  /** How many of them are due within the window: an hourly monitor cannot fail sooner. */
  dueInWindow: number;
}

export interface LocationLoad extends Load {
  workspaces: ReadonlyMap<string, Load>;
}

/** What is known of the monitors of one owner at a location, in all their workspaces. */
export interface OwnerEvidence extends Failures, Load {}

export interface LocationEvidence {
  /** Of each owner with monitors at the location. */
  owners: readonly OwnerEvidence[];
  /** null: the location has no canary targets, or no probe sends their status. */
  canaryOk: boolean | null;
  connected: boolean;
}

/** A location that looks broken. */
export interface Quarantine {
  since_ms: number;
  /** Since when few enough monitors fail; null while too many fail. */
  calm_since_ms: number | null;
}

/**
 * Returns when uptime stops counting the checks of the location: the failures that caused the quarantine began within
 * the window before it, and the verdict doubted them too.
 */
export function spanStartMs(appliedAtMs: number): number {
  return appliedAtMs - QUARANTINE_WINDOW_MS;
}

type QuarantineStep =
  | { to: 'trusted' }
  /** The location looks broken. Its votes are void unless too many locations do. */
  | { to: 'quarantined'; quarantine: Quarantine }
  /** Writes nothing. */
  | { to: 'unchanged' };

/** Returns whether a location looks broken, from what is known of it. */
export function quarantineStep(current: Quarantine | null, evidence: LocationEvidence, nowMs: number): QuarantineStep {
  const broken = isBroken(evidence);
  if (current === null) {
    return broken ? { to: 'quarantined', quarantine: { since_ms: nowMs, calm_since_ms: null } } : { to: 'unchanged' };
  }
  if (evidence.canaryOk !== null) {
    const canEnd = evidence.canaryOk && !broken && nowMs - current.since_ms >= QUARANTINE_MS_MIN;
    return canEnd ? { to: 'trusted' } : { to: 'unchanged' };
  }
  const calm = evidence.connected && isCalm(evidence.owners);
  if (!calm) {
    return current.calm_since_ms === null
      ? { to: 'unchanged' }
      : { to: 'quarantined', quarantine: { ...current, calm_since_ms: null } };
  }
  if (current.calm_since_ms === null) return { to: 'quarantined', quarantine: { ...current, calm_since_ms: nowMs } };
  return nowMs - current.calm_since_ms >= CALM_MS ? { to: 'trusted' } : { to: 'unchanged' };
}

/** Whether half of the monitors that were due, and at least ten, began to fail within a minute while others disagree. */
function isBroken({ owners }: LocationEvidence): boolean {
  const began = owners.reduce((sum, { startedRecently }) => sum + startedRecently, 0);
  if (began < QUARANTINE_MONITORS_MIN || !failForEnough(owners, ({ startedRecently }) => startedRecently)) return false;
  return (
    counted(
      owners,
      ({ startedRecently }) => startedRecently,
      ({ dueInWindow }) => dueInWindow,
    ) >= QUARANTINE_SHARE
  );
}

function isCalm(owners: readonly OwnerEvidence[]): boolean {
  if (owners.length === 0) return false;
  if (!failForEnough(owners, ({ failing }) => failing)) return true;
  return (
    counted(
      owners,
      ({ failing }) => failing,
      ({ monitors }) => monitors,
    ) < CALM_SHARE
  );
}

/** Returns which share of the monitors fails when those of each owner count as at most ten. */
function counted(
  owners: readonly OwnerEvidence[],
  failingOf: (owner: OwnerEvidence) => number,
  allOf: (owner: OwnerEvidence) => number,
): number {
  let [failing, all] = [0, 0];
  for (const owner of owners) {
    const total = allOf(owner);
    const weight = Math.min(1, OWNER_MONITORS_MAX / total);
    failing += Math.min(failingOf(owner), total) * weight;
    all += total * weight;
  }
  // Monitors that fail and are no longer assigned are all that is known.
  return all === 0 ? 1 : failing / all;
}

/** Whether monitors of enough owners fail. Owners without a monitor that could tell do not count. */
function failForEnough(owners: readonly OwnerEvidence[], failingOf: (owner: OwnerEvidence) => number): boolean {
  const failing = owners.filter((owner) => failingOf(owner) > 0).length;
  const others = owners.filter(
    (owner) => failingOf(owner) === 0 && owner.dueInWindow - owner.down >= 1 && owner.monitors > 0,
  ).length;
  return failing >= Math.max(1, Math.min(FAILING_OWNERS_MIN, failing + others));
}

/** Returns what a location must check, from its monitors. */
export function locationLoad(
  checked: Iterable<{ readonly interval_seconds: number; readonly workspace_id: string }>,
): LocationLoad {
  const all: Load = { monitors: 0, dueInWindow: 0 };
  const workspaces = new Map<string, Load>();
  for (const { interval_seconds, workspace_id } of checked) {
    const of = workspaces.get(workspace_id) ?? { monitors: 0, dueInWindow: 0 };
    workspaces.set(workspace_id, of);
    for (const load of [all, of]) {
      load.monitors += 1;
      load.dueInWindow += Math.min(1, QUARANTINE_WINDOW_MS / (interval_seconds * 1_000));
    }
  }
  return { ...all, workspaces };
}

/**
 * Returns what is known of the monitors of each owner at a location. `ownerOf` names the owner of a workspace. Pure.
 */
export function evidenceByOwner(
  failures: ReadonlyMap<string, Failures>,
  load: LocationLoad,
  ownerOf: (workspaceId: string) => string,
): OwnerEvidence[] {
  const owners = new Map<string, OwnerEvidence>();
  for (const workspaceId of new Set([...load.workspaces.keys(), ...failures.keys()])) {
    const name = ownerOf(workspaceId);
    const of = owners.get(name) ?? { monitors: 0, dueInWindow: 0, startedRecently: 0, failing: 0, down: 0 };
    owners.set(name, of);
    const loaded = load.workspaces.get(workspaceId);
    of.monitors += loaded?.monitors ?? 0;
    of.dueInWindow += loaded?.dueInWindow ?? 0;
    const failed = failures.get(workspaceId);
    of.startedRecently += failed?.startedRecently ?? 0;
    of.failing += failed?.failing ?? 0;
    of.down += failed?.down ?? 0;
  }
  return [...owners.values()];
}
