import { FUTURE_MS_MAX } from '../decode.js';
import type { ResultsStore } from '../store.js';
import { mergeResults } from '../uptime/figures.js';
import type { UptimeRule } from '../uptime/uptime.js';
import { type RolledResult, rolledResult } from './packed-slots.js';
import { absorb, floorTo, HOUR_MS, type HourWrite, KEEP_MS, type RollupHead, rollHour, stillNeeded } from './rollup.js';
import type { HistoryOwner, RollupStore } from './store.js';

export interface RebuildInput {
  owner: HistoryOwner;
  /** null when the monitor has none. */
  head: RollupHead | null;
  incoming: readonly RolledResult[];
  rule: UptimeRule;
  targetMs: number;
}

interface RebuildDependencies {
  store: Pick<RollupStore, 'openingBefore' | 'opening'>;
  results: Pick<ResultsStore, 'finals'>;
  /** Takes an hour to be written. */
  write(hour: HourWrite): Promise<void>;
}

const AT_ONCE_MS = 3 * HOUR_MS;
/** Newer results than the last minute to be written: those of the minutes since, and of clocks that are ahead. */
const AHEAD_MS = HOUR_MS + FUTURE_MS_MAX;

/**
 * Rolls up from raw results, hour by hour, from the earliest of the new ones on: for results that came late, and for
 * monitors without a head. Goes on until an hour begins as it was written to begin, or else up to now.
 */
export async function rebuildRollup(dependencies: RebuildDependencies, input: RebuildInput): Promise<RollupHead> {
  const { owner, head, incoming, rule } = input;
  const throughMs = Math.max(head?.through_ms ?? 0, input.targetMs);
  const earliestMs = incoming.reduce((least, result) => Math.min(least, result.slot_ms), throughMs);
  const startMs = floorTo(earliestMs, HOUR_MS);
  const horizonMs = Math.max(head?.horizon_ms ?? 0, throughMs - KEEP_MS);
  const between = await reader(dependencies, owner, startMs, throughMs);
  let carried = await openingAt(dependencies, owner, rule, startMs);
  let atHorizon = { hourMs: startMs, carried };

  for (let hourMs = startMs; hourMs < throughMs; hourMs += HOUR_MS) {
    const nextMs = hourMs + HOUR_MS;
    const results = await between(hourMs, nextMs);
    const hour = rollHour(carried, results, rule, hourMs, throughMs);
    if (saysSomething(hour)) await dependencies.write(hour);
    carried = stillNeeded(mergeResults(carried, results), rule, nextMs);
    if (nextMs <= horizonMs) atHorizon = { hourMs: nextMs, carried };
    if (head !== null && nextMs > latestBefore(incoming, head.horizon_ms) && nextMs <= head.horizon_ms) {
      // An hour that began in silence and had nothing in it was not written.
      const written = (await dependencies.store.opening(owner, nextMs)) ?? [];
      if (isSame(written, carried)) return absorbRest(dependencies, input, head);
    }
  }
  const tail = await between(atHorizon.hourMs, throughMs + AHEAD_MS);
  return {
    through_ms: throughMs,
    horizon_ms: horizonMs,
    recent: stillNeeded(mergeResults(atHorizon.carried, tail), rule, horizonMs),
    sums: null,
  };
}

type Between = (fromMs: number, toMs: number) => Promise<RolledResult[]>;

/** What is a few hours old is read at once, since it will be needed up to now; the further past hour by hour. */
async function reader(
  dependencies: RebuildDependencies,
  owner: HistoryOwner,
  startMs: number,
  throughMs: number,
): Promise<Between> {
  if (throughMs - startMs > AT_ONCE_MS) return (fromMs, toMs) => finals(dependencies, owner, fromMs, toMs);
  const all = await finals(dependencies, owner, startMs, throughMs + AHEAD_MS);
  return async (fromMs, toMs) => all.filter((result) => result.slot_ms >= fromMs && result.slot_ms < toMs);
}

/** The late results changed nothing from there on: the head stands, its sums aside, and takes the others in. */
async function absorbRest(
  dependencies: RebuildDependencies,
  { incoming, rule, targetMs }: RebuildInput,
  head: RollupHead,
): Promise<RollupHead> {
  const rest = incoming.filter((result) => result.slot_ms >= head.horizon_ms);
  const absorbed = absorb({ ...head, sums: null }, rest, rule, targetMs);
  if (absorbed === null) return { ...head, sums: null };
  for (const hour of absorbed.hours) await dependencies.write(hour);
  return absorbed.head;
}

/** What was being said at the start of an hour. An earlier hour that is rolled up is where it is worked out from. */
async function openingAt(
  { store, results }: RebuildDependencies,
  owner: HistoryOwner,
  rule: UptimeRule,
  startMs: number,
): Promise<RolledResult[]> {
  const known = await store.openingBefore(owner, startMs);
  if (known === null) return [];
  if (known.hourMs === startMs) return known.opening;
  const between = await finals({ results }, owner, known.hourMs, startMs);
  return stillNeeded(mergeResults(known.opening, between), rule, startMs);
}

async function finals(
  { results }: Pick<RebuildDependencies, 'results'>,
  { workspaceId, monitorId }: HistoryOwner,
  fromMs: number,
  toMs: number,
): Promise<RolledResult[]> {
  return (await results.finals(workspaceId, monitorId, fromMs, toMs)).map(rolledResult);
}

function saysSomething(hour: HourWrite): boolean {
  return hour.minutes.size > 0 || (hour.opening ?? []).length > 0;
}

function latestBefore(incoming: readonly RolledResult[], beforeMs: number): number {
  return incoming.reduce((most, { slot_ms }) => (slot_ms < beforeMs ? Math.max(most, slot_ms) : most), 0);
}

function isSame(one: readonly RolledResult[], other: readonly RolledResult[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
