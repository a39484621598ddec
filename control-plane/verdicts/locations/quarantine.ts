/** A location that many of its monitors fail at is quarantined from so many failures on, and no fewer. */
export const QUARANTINE_MONITORS_MIN = 10;

/** The failures have to begin within this time. */
export const QUARANTINE_WINDOW_MS = 60_000;

/** Share of its monitors that fails when a location is quarantined. */
const QUARANTINE_SHARE = 0.5;

/** Without canary targets: once fewer than this share has failed for all of `CALM_MS` its votes count again. */
const CALM_SHARE = 0.1;
const CALM_MS = 60_000;

/** With canary targets: no shorter than this, so that a quarantine is seen and does not flutter. */
const QUARANTINE_MS_MIN = 30_000;

/** So many good answers in a sounding clear a location of doubt, if they outnumber the bad ones. */
const SOUNDING_GOOD_MIN = 3;

/** Monitors that a location fails while another location says up, later than that failure began. */
export interface LocationFailures {
  /** Those that began within the window. */
  begun: number;
  /** All that fail now. */
  failing: number;
}

/** What a location has to check. */
export interface LocationLoad {
  monitors: number;
  /** Of those, how many are due within the window: a monitor that is checked each hour cannot fail sooner. */
  dueInWindow: number;
}

export interface LocationEvidence {
  failures: LocationFailures;
  load: LocationLoad;
  /** null: the location has no canary targets, or nobody reports. */
  canaryOk: boolean | null;
  connected: boolean;
}

export interface Quarantine {
  since_ms: number;
  /** Since when few enough have failed; null while they have not. */
  calm_since_ms: number | null;
}

/**
 * From when on the location's checks count for nothing in uptime: the failures that gave it away began within the
 * window before, and the verdict believed none of them either.
 */
export function voidFromMs(quarantine: Pick<Quarantine, 'since_ms'>): number {
  return quarantine.since_ms - QUARANTINE_WINDOW_MS;
}

export type QuarantineStep =
  | { to: 'trusted' }
  | { to: 'quarantined'; quarantine: Quarantine }
  /** Nothing to write. */
  | { to: 'unchanged' };

/** The rule of quarantine: from what is known of a location to whether its votes count. */
export function quarantineStep(now: Quarantine | null, evidence: LocationEvidence, nowMs: number): QuarantineStep {
  const broken = isBroken(evidence);
  if (now === null) {
    return broken ? { to: 'quarantined', quarantine: { since_ms: nowMs, calm_since_ms: null } } : { to: 'unchanged' };
  }
  if (evidence.canaryOk !== null) {
    const canLeave = evidence.canaryOk && !broken && nowMs - now.since_ms >= QUARANTINE_MS_MIN;
    return canLeave ? { to: 'trusted' } : { to: 'unchanged' };
  }
  const calm = evidence.connected && evidence.failures.failing < CALM_SHARE * evidence.load.monitors;
  if (!calm) {
    return now.calm_since_ms === null
      ? { to: 'unchanged' }
      : { to: 'quarantined', quarantine: { ...now, calm_since_ms: null } };
  }
  if (now.calm_since_ms === null) return { to: 'quarantined', quarantine: { ...now, calm_since_ms: nowMs } };
  return nowMs - now.calm_since_ms >= CALM_MS ? { to: 'trusted' } : { to: 'unchanged' };
}

/** Half of the monitors that were due, ten at least, have begun to fail within a minute while others disagree. */
function isBroken({ failures, load }: LocationEvidence): boolean {
  return failures.begun >= Math.max(QUARANTINE_MONITORS_MIN, QUARANTINE_SHARE * load.dueInWindow);
}

/** Counts what a location checks, from the intervals of its monitors. */
export function locationLoad(intervalsSeconds: Iterable<number>): LocationLoad {
  let monitors = 0;
  let dueInWindow = 0;
  for (const interval of intervalsSeconds) {
    monitors += 1;
    dueInWindow += Math.min(1, QUARANTINE_WINDOW_MS / (interval * 1_000));
  }
  return { monitors, dueInWindow };
}

/** Whether a sample of other monitors, checked after a lone failure, shows that the location's own network works. */
export function soundingClears(sounding: { asked: number; good: number; bad: number }): boolean {
  return sounding.good >= Math.min(SOUNDING_GOOD_MIN, sounding.asked) && sounding.good > sounding.bad;
}

/** The longest that a failure of one location alone is held back for doubt in the location. */
export const DOUBT_MS_MAX = 75_000;

/** Whether a failure that began at `sinceMs` and that only this location sees may be the location's own. */
export function isDoubtful(
  location: { monitors: number; canaryOk: boolean | null; clearedAtMs: number | null },
  sinceMs: number,
  nowMs: number,
): boolean {
  if (location.canaryOk === false) return true;
  if (location.monitors < QUARANTINE_MONITORS_MIN) return false;
  if (location.clearedAtMs !== null && location.clearedAtMs >= sinceMs) return false;
  return nowMs - sinceMs < DOUBT_MS_MAX;
}
