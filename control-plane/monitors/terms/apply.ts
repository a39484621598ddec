import { isDeepStrictEqual } from 'node:util';
import type { ChangedTerms } from '../../plans/standing.js';
import type { MonitorDocument } from '../documents.js';
import { lastChecked } from '../view.js';
import { limitedBy, wantedOf } from './limited.js';

/** The fields of a monitor that the terms of its workspace depend on. */
export type TermsMonitor = Pick<
  MonitorDocument,
  | '_id'
  | 'workspace_id'
  | 'version'
  | 'interval_seconds'
  | 'locations'
  | 'confirmations'
  | 'wanted'
  | 'paused_at_ms'
  | 'stopped'
  | 'live'
  | 'last_checked_at_ms'
>;

/** The operators of an update. They touch no field that results and verdicts write, except those that they must reset. */
export interface TermsUpdate {
  $set: Record<string, unknown>;
  $unset: Record<string, ''>;
}

/**
 * Returns how a monitor changes with the plan of its workspace, and when the workspace is stopped or resumed; null when it
 * does not. Pure. Stopping a workspace pauses its active monitors without resolving their incidents. Resuming it begins
 * without votes: results of checks before it no longer vote, so that no incident opens because of them.
 */
export function termsUpdate(
  monitor: TermsMonitor,
  terms: Pick<ChangedTerms, 'plan' | 'stopped'>,
  nowMs: number,
): TermsUpdate | null {
  const limits = limitUpdate(monitor, terms);
  const stop = stopUpdate(monitor, terms, nowMs);
  if (limits === null && stop === null) return null;
  return merged(limits, stop);
}

/** Of two operators on a field and a field within it, only the first remains: the database refuses both together. */
function merged(limits: TermsUpdate | null, stop: TermsUpdate | null): TermsUpdate {
  const $set = { ...limits?.$set, ...stop?.$set };
  const $unset = { ...limits?.$unset, ...stop?.$unset };
  const outer = [...Object.keys($set), ...Object.keys($unset)];
  const isInner = (path: string) => outer.some((other) => path.startsWith(`${other}.`));
  return { $set, $unset: Object.fromEntries(Object.entries($unset).filter(([path]) => !isInner(path))) };
}

function limitUpdate(monitor: TermsMonitor, { plan }: Pick<ChangedTerms, 'plan'>): TermsUpdate | null {
  const { interval_seconds, locations, confirmations, wanted } = limitedBy(plan, wantedOf(monitor), monitor);
  const next = { interval_seconds, locations, confirmations, wanted };
  const before = {
    interval_seconds: monitor.interval_seconds,
    locations: monitor.locations,
    confirmations: monitor.confirmations,
    wanted: monitor.wanted ?? null,
  };
  if (isDeepStrictEqual(before, next)) return null;
  const dropped = monitor.locations.filter((location) => !locations.includes(location));
  const forget = dropped.flatMap((location) => [`live.${location}`, `good.${location}`, `state.failing.${location}`]);
  return {
    $set: { ...next, last_checked_at_ms: lastChecked(monitor), 'state.attention': monitor.paused_at_ms === null },
    $unset: Object.fromEntries(forget.map((path) => [path, ''])),
  };
}

/** What a verdict remembers of votes. Status and incident stay. */
const VOTES_RESET = {
  $set: { 'state.first_failed_at_ms': null, 'state.recovering_since_ms': null },
  $unset: { 'state.failing': '', 'state.recovery_mark_ms': '', 'state.recheck_at_ms': '', 'state.confirm': '' },
} as const;

function stopUpdate(
  monitor: TermsMonitor,
  { stopped }: Pick<ChangedTerms, 'stopped'>,
  nowMs: number,
): TermsUpdate | null {
  if (stopped && monitor.paused_at_ms === null) {
    return { $set: { paused_at_ms: nowMs, stopped: true, 'state.attention': false }, $unset: {} };
  }
  if (stopped || monitor.stopped !== true) return null;
  // A user paused it in the same moment as the workspace was stopped, or resumed it since.
  if (monitor.paused_at_ms === null) return { $set: {}, $unset: { stopped: '' } };
  return {
    $set: {
      ...VOTES_RESET.$set,
      paused_at_ms: null,
      live: {},
      good: {},
      live_from_version: monitor.version + 1,
      last_checked_at_ms: lastChecked(monitor),
      'state.attention': true,
    },
    $unset: { ...VOTES_RESET.$unset, stopped: '' },
  };
}
