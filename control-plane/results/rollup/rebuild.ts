import { FUTURE_MS_MAX } from '../decode.js';
import type { ResultsStore } from '../store.js';
import type { UptimeRule } from '../uptime/uptime.js';
import type { HistoryOwner } from './documents.js';
import { KEEP_MS, mergeIntoHead, type RollupHead } from './head.js';
import { type HourWrite, rollHour } from './hours.js';
import { carriedResults, mergeResults } from './merge-results.js';
import { type RolledResult, rolledResult } from './rolled-result.js';
import { floorTo, HOUR_MS } from './slots.js';
import type { RollupStore } from './store.js';

interface RebuildInput {
  owner: HistoryOwner;
  /** null when the monitor has none. */
  head: RollupHead | null;
  incoming: readonly RolledResult[];
  rule: UptimeRule;
  targetMs: number;
}

interface RebuildNeeds {
  store: Pick<RollupStore, 'openingBefore' | 'opening'>;
  results: Pick<ResultsStore, 'finals'>;
  /** Accepts an hour for writing. */
  write(hour: HourWrite): Promise<void>;
}

const AT_ONCE_MS = 3 * HOUR_MS;
/** Results may be newer than the last minute to be written: by the minutes since then, and by clocks that are ahead. */
const AHEAD_MS = HOUR_MS + FUTURE_MS_MAX;

/**
 * Rolls up from raw results, hour by hour from the earliest new result on, and returns the new head. Used for late
 * results and for monitors without a head. Stops at an hour whose opening equals the stored one, or else at the end.
 */
export async function rebuildRollup(needs: RebuildNeeds, input: RebuildInput): Promise<RollupHead> {
  const { owner, head, incoming, rule } = input;
  const throughMs = Math.max(head?.through_ms ?? 0, input.targetMs);
  const earliestMs = incoming.reduce((least, result) => Math.min(least, result.slot_ms), throughMs);
  const startMs = floorTo(earliestMs, HOUR_MS);
  const horizonMs = Math.max(head?.horizon_ms ?? 0, throughMs - KEEP_MS);
  const between = await reader(needs, owner, startMs, throughMs);
  let carried = await openingAt(needs, owner, rule, startMs);
  let atHorizon = { hourMs: startMs, carried };

  for (let hourMs = startMs; hourMs < throughMs; hourMs += HOUR_MS) {
    const nextMs = hourMs + HOUR_MS;
    const results = await between(hourMs, nextMs);
    const hour = rollHour(carried, results, rule, hourMs, throughMs);
    if (hasContent(hour)) await needs.write(hour);
    carried = carriedResults(mergeResults(carried, results), rule, nextMs);
    if (nextMs <= horizonMs) atHorizon = { hourMs: nextMs, carried };
    if (head !== null && nextMs > latestBefore(incoming, head.horizon_ms) && nextMs <= head.horizon_ms) {
      // An hour without an opening and without results was not written.
      const stored = (await needs.store.opening(owner, nextMs)) ?? [];
      if (isSame(stored, carried)) return mergeRest(needs, input, head);
    }
  }
  const tail = await between(atHorizon.hourMs, throughMs + AHEAD_MS);
  return {
    through_ms: throughMs,
    horizon_ms: horizonMs,
    recent: carriedResults(mergeResults(atHorizon.carried, tail), rule, horizonMs),
    sums: null,
  };
}

type Between = (fromMs: number, toMs: number) => Promise<RolledResult[]>;

/** Returns a reader of results. The last hours are read at once, because all are needed; older ones hour by hour. */
async function reader(needs: RebuildNeeds, owner: HistoryOwner, startMs: number, throughMs: number): Promise<Between> {
  if (throughMs - startMs > AT_ONCE_MS) return (fromMs, toMs) => finals(needs, owner, fromMs, toMs);
  const all = await finals(needs, owner, startMs, throughMs + AHEAD_MS);
  return async (fromMs, toMs) => all.filter((result) => result.slot_ms >= fromMs && result.slot_ms < toMs);
}

/** The late results change nothing from this hour on: the head stays, without its sums, and the newer ones are merged. */
async function mergeRest(
  needs: RebuildNeeds,
  { incoming, rule, targetMs }: RebuildInput,
  head: RollupHead,
): Promise<RollupHead> {
  const rest = incoming.filter((result) => result.slot_ms >= head.horizon_ms);
  const merged = mergeIntoHead({ ...head, sums: null }, rest, rule, targetMs);
  if (merged === null) return { ...head, sums: null };
  for (const hour of merged.hours) await needs.write(hour);
  return merged.head;
}

/** Returns the results that covered their locations at the start of an hour, computed from an earlier stored hour. */
async function openingAt(
  { store, results }: RebuildNeeds,
  owner: HistoryOwner,
  rule: UptimeRule,
  startMs: number,
): Promise<RolledResult[]> {
  const known = await store.openingBefore(owner, startMs);
  if (known === null) return [];
  if (known.hourMs === startMs) return known.opening;
  const between = await finals({ results }, owner, known.hourMs, startMs);
  return carriedResults(mergeResults(known.opening, between), rule, startMs);
}

async function finals(
  { results }: Pick<RebuildNeeds, 'results'>,
  { workspaceId, monitorId }: HistoryOwner,
  fromMs: number,
  toMs: number,
): Promise<RolledResult[]> {
  return (await results.finals(workspaceId, monitorId, fromMs, toMs)).map(rolledResult);
}

function hasContent(hour: HourWrite): boolean {
  return hour.minutes.size > 0 || (hour.opening ?? []).length > 0;
}

function latestBefore(incoming: readonly RolledResult[], beforeMs: number): number {
  return incoming.reduce((most, { slot_ms }) => (slot_ms < beforeMs ? Math.max(most, slot_ms) : most), 0);
}

function isSame(one: readonly RolledResult[], other: readonly RolledResult[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
