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

/** Monitors that fail at a location although another location has seen them up since the failure began. */
export interface LocationFailures {
  /** Failures that began within the window. */
  startedRecently: number;
  /** All current failures. */
  failing: number;
}

/** What a location must check. */
export interface LocationLoad {
  monitors: number;
  /** How many of them are due within the window: an hourly monitor cannot fail sooner. */
  dueInWindow: number;
}

export interface LocationEvidence {
  failures: LocationFailures;
  load: LocationLoad;
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
  const calm = evidence.connected && evidence.failures.failing < CALM_SHARE * evidence.load.monitors;
  if (!calm) {
    return current.calm_since_ms === null
      ? { to: 'unchanged' }
      : { to: 'quarantined', quarantine: { ...current, calm_since_ms: null } };
  }
  if (current.calm_since_ms === null) return { to: 'quarantined', quarantine: { ...current, calm_since_ms: nowMs } };
  return nowMs - current.calm_since_ms >= CALM_MS ? { to: 'trusted' } : { to: 'unchanged' };
}

/** Whether half of the monitors that were due, and at least ten, began to fail within a minute while others disagree. */
function isBroken({ failures, load }: LocationEvidence): boolean {
  return failures.startedRecently >= Math.max(QUARANTINE_MONITORS_MIN, QUARANTINE_SHARE * load.dueInWindow);
}

/** Returns what a location must check, from its monitors. */
export function locationLoad(checked: Iterable<{ readonly interval_seconds: number }>): LocationLoad {
  let monitors = 0;
  let dueInWindow = 0;
  for (const { interval_seconds } of checked) {
    monitors += 1;
    dueInWindow += Math.min(1, QUARANTINE_WINDOW_MS / (interval_seconds * 1_000));
  }
  return { monitors, dueInWindow };
}
