import type { CheckReadings, CheckStatus } from '../documents.js';
import { STALE } from '../vulnerabilities/compare.js';

/** An older reading of the plugin says nothing about the site any more. */
export const READING_VALID_MS = 24 * 3_600_000;

export interface CheckState {
  status: CheckStatus;
  evidence: string;
  /** When the reading that decides was taken; null without one. */
  checkedAtMs: number | null;
  /** Where it was taken; null without one. */
  source: 'plugin' | 'outside' | null;
}

/**
 * Returns the state of a check. It passes only if the plugin has read the effect back within 24 h and after the last change,
 * and no look from outside in that time says otherwise: attackers see what the outside sees. Pure.
 */
export function stateOf(readings: CheckReadings, nowMs: number): CheckState {
  const { inside, outside } = readings;
  if (outside !== null && outside.status === 'failing' && isCurrent(readings, outside.at_ms, nowMs)) {
    const evidence = `Seen from outside: ${outside.evidence}`;
    return { status: 'failing', evidence, checkedAtMs: outside.at_ms, source: 'outside' };
  }
  if (inside === null) return { status: 'unknown', evidence: 'not measured yet', checkedAtMs: null, source: null };
  const taken = { checkedAtMs: inside.at_ms, source: 'plugin' } as const;
  if (!isCurrent(readings, inside.at_ms, nowMs)) {
    const evidence =
      nowMs - inside.at_ms > READING_VALID_MS ? 'not measured for 24 hours' : 'not measured since the change';
    return { status: 'unknown', evidence, ...taken };
  }
  if (inside.until_ms !== undefined && nowMs > inside.until_ms) return { status: 'unknown', evidence: STALE, ...taken };
  return { status: inside.status, evidence: inside.evidence, ...taken };
}

/** Returns whether a reading that was taken then still says something: within 24 h, and since the last change. */
export function isCurrent(
  { changed_at_ms }: Pick<CheckReadings, 'changed_at_ms'>,
  atMs: number,
  nowMs: number,
): boolean {
  return nowMs - atMs <= READING_VALID_MS && atMs >= (changed_at_ms ?? 0);
}

/** How many checks have each status. */
export type CheckCounts = Record<CheckStatus, number>;

export function countsOf(checks: readonly { status: CheckStatus }[]): CheckCounts {
  const count = (wanted: CheckStatus) => checks.filter(({ status }) => status === wanted).length;
  return { passing: count('passing'), failing: count('failing'), unknown: count('unknown') };
}

/** Returns the share of passing checks in percent, rounded down; null without checks. `unknown` counts as not passing. */
export function scoreOf({ passing, failing, unknown }: CheckCounts): number | null {
  const all = passing + failing + unknown;
  return all === 0 ? null : Math.floor((100 * passing) / all);
}
