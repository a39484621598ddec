import type { ChangedSchedule, Recurrence, Schedule, Span } from '../documents.js';
import { createCronTimes } from './cron.js';
import { parseRule } from './rrule/parse.js';
import { createRuleTimes } from './rrule/times.js';
import type { Times } from './times.js';
import { createZone, type LocalMs } from './zone.js';

const MINUTE_MS = 60_000;
/** Clocks are set forward by an hour at most, so that a later time on the clock cannot be an earlier instant beyond this. */
const SHIFT_MS_MAX = 3 * 60 * MINUTE_MS;

/** The part of an endless time that is asked for: occurrences that begin in [fromMs, toMs), the first `max` of them. */
interface Part {
  fromMs: number;
  toMs: number;
  max: number;
}

/**
 * Returns the occurrences as planned, without the changes of single ones, in the order of their begin. Pure. Throws if the
 * expression or the time zone is not valid.
 */
function occurrencesOf({ starts_at_ms, ends_at_ms, recurrence }: Schedule, part: Part): Span[] {
  if (recurrence === null) {
    const once = { from_ms: starts_at_ms, to_ms: ends_at_ms ?? starts_at_ms };
    return once.from_ms >= part.fromMs && once.from_ms < part.toMs && part.max > 0 ? [once] : [];
  }
  const fromMs = Math.max(part.fromMs, starts_at_ms);
  const toMs = Math.min(part.toMs, ends_at_ms ?? Number.POSITIVE_INFINITY);
  return recurring(recurrence, starts_at_ms, { ...part, fromMs, toMs });
}

function recurring(recurrence: Recurrence, startMs: number, part: Part): Span[] {
  const { fromMs, max } = part;
  const zone = createZone(recurrence.time_zone);
  const { times, lastMs } = timesOf(recurrence, zone.toLocal(startMs));
  // Nothing is looked for after the last one, so that a rule that is over costs nothing.
  const toMs = Math.min(part.toMs, lastMs + 1);
  if (toMs <= fromMs) return [];
  const begins = new Set<number>();
  const stopLocalMs = Number.isFinite(toMs) ? zone.toLocal(toMs) + SHIFT_MS_MAX : Number.POSITIVE_INFINITY;
  let enoughLocalMs = Number.POSITIVE_INFINITY;
  for (const localMs of times.after(zone.toLocal(fromMs) - SHIFT_MS_MAX, stopLocalMs)) {
    if (localMs > enoughLocalMs) break;
    const beginMs = zone.toInstant(localMs);
    if (beginMs >= fromMs && beginMs < toMs) begins.add(beginMs);
    if (begins.size >= max) enoughLocalMs = Math.min(enoughLocalMs, localMs + SHIFT_MS_MAX);
  }
  return [...begins]
    .sort((a, b) => a - b)
    .slice(0, max)
    .map((from_ms) => ({ from_ms, to_ms: from_ms + recurrence.duration_minutes * MINUTE_MS }));
}

/** Returns the begins on the clock of the time zone, and the instant of the last one at the latest. */
function timesOf({ cron, rrule }: Recurrence, startLocalMs: LocalMs): { times: Times; lastMs: number } {
  if (typeof rrule !== 'string') return { times: createCronTimes(cron ?? ''), lastMs: Number.POSITIVE_INFINITY };
  const rule = parseRule(rrule);
  return { times: createRuleTimes(rule, startLocalMs), lastMs: rule.untilMs ?? Number.POSITIVE_INFINITY };
}

/**
 * Returns when the schedule applies, as people changed it: spans that overlap [fromMs, toMs), in order and without overlap.
 * A span that ends later than `toMs` can be cut short there only if others begin in between. Pure. Throws if the schedule is not valid.
 */
export function spansOf(schedule: ChangedSchedule, fromMs: number, toMs: number): Span[] {
  return firstSpans(schedule, fromMs, toMs, Number.POSITIVE_INFINITY);
}

/**
 * Returns whether the schedule applies at some time of [fromMs, toMs). Pure; computes a few occurrences, however many there are.
 * Throws if the schedule is not valid.
 */
export function coversSome(schedule: ChangedSchedule, fromMs: number, toMs: number): boolean {
  // The first one can be over at `fromMs` exactly, and another one can be cut.
  return toMs > fromMs && firstSpans(schedule, fromMs, toMs, 3).length > 0;
}

/** Of the first `max` occurrences that are not over long before `fromMs`. */
function firstSpans(schedule: ChangedSchedule, fromMs: number, toMs: number, max: number): Span[] {
  const { recurrence, extension, cut } = schedule;
  const begin = recurrence === null ? schedule.starts_at_ms : fromMs - recurrence.duration_minutes * MINUTE_MS;
  const planned = occurrencesOf(schedule, { fromMs: begin, toMs, max });
  const all = extension === null ? planned : [...planned, extension];
  return joined(all)
    .flatMap((span) => without(span, cut))
    .filter((span) => span.to_ms > fromMs && span.from_ms < toMs);
}

/**
 * Returns the first `max` spans that are not over at `nowMs` and begin before `toMs`, each occurrence for itself. Pure. Throws if
 * the schedule is not valid.
 */
export function nextOccurrences(
  schedule: ChangedSchedule,
  nowMs: number,
  max: number,
  toMs: number = Number.POSITIVE_INFINITY,
): Span[] {
  const { recurrence, extension, cut } = schedule;
  const lastedMs = (recurrence?.duration_minutes ?? 0) * MINUTE_MS;
  const fromMs = recurrence === null ? schedule.starts_at_ms : nowMs - lastedMs;
  // One is over at `nowMs` exactly; one may be extended, and one may be cut.
  const planned = occurrencesOf(schedule, { fromMs, toMs, max: max + 3 });
  const all = extension === null ? planned : withExtension(planned, extension);
  return all
    .flatMap((span) => without(span, cut))
    .filter((span) => span.to_ms > nowMs && span.from_ms < toMs)
    .slice(0, max);
}

/** Returns the occurrences with the added time: the extended one may have ended before the first of them. */
function withExtension(planned: readonly Span[], extension: Span): Span[] {
  const others = planned.filter((span) => span.from_ms < extension.from_ms || span.from_ms >= extension.to_ms);
  return [...others, extension].sort((a, b) => a.from_ms - b.from_ms);
}

/** Returns the spans in order, and joins those that overlap or touch. Pure. */
export function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from_ms - b.from_ms)) {
    const last = result.at(-1);
    if (last !== undefined && span.from_ms <= last.to_ms) last.to_ms = Math.max(last.to_ms, span.to_ms);
    else result.push({ ...span });
  }
  return result;
}

function without(span: Span, cut: Span | null): Span[] {
  if (cut === null || cut.to_ms <= span.from_ms || cut.from_ms >= span.to_ms) return [span];
  return [
    { from_ms: span.from_ms, to_ms: cut.from_ms },
    { from_ms: cut.to_ms, to_ms: span.to_ms },
  ].filter(({ from_ms, to_ms }) => from_ms < to_ms);
}

/** Returns the time from which on the schedule covers nothing; null if it has no end. Pure. */
export function overAtMs({ ends_at_ms, recurrence, extension }: ChangedSchedule): number | null {
  if (ends_at_ms === null) return null;
  // The last occurrence begins before the end, and is over at the latest then.
  const lastedMs = (recurrence?.duration_minutes ?? 0) * MINUTE_MS;
  return Math.max(ends_at_ms + lastedMs, extension?.to_ms ?? 0);
}
