import { createApplies } from '../covering/applies.js';
import type { ChangedSchedule, Span, Targets } from '../documents.js';
import type { TaggedMonitor } from '../maintenance.js';
import { spansOf } from '../schedule/occurrences.js';

const HOUR_MS = 3_600_000;
/** Most questions are about the last minutes. Times near each other are computed together. */
const BEFORE_MS = HOUR_MS;
const AFTER_MS = 6 * HOUR_MS;

/** A window whose time does not count in uptime, as it is or was from one change to the next. */
export interface LeftOutVersion extends ChangedSchedule, Targets {
  /** When it was created or changed: it leaves out nothing before. */
  from_ms: number;
  /** When it was changed or deleted; null for a window as it is now. */
  until_ms: number | null;
  /** Of one that stands for several: the times. The schedule does not matter. */
  spans?: readonly Span[];
}

/** What one version of a window leaves out. */
export interface LeftOut {
  /** Returns the times within [fromMs, toMs) in which it applied to the monitor. Throws if the schedule cannot be computed. */
  of(monitor: TaggedMonitor, fromMs: number, toMs: number): Span[];
}

export function createLeftOut(version: LeftOutVersion): LeftOut {
  const appliesTo = createApplies(version);
  let known: { fromMs: number; toMs: number; spans: readonly Span[] } | null = null;

  function spansBetween(fromMs: number, toMs: number): readonly Span[] {
    if (version.spans !== undefined) return version.spans;
    if (known === null || fromMs < known.fromMs || toMs > known.toMs) {
      const range = { fromMs: fromMs - BEFORE_MS, toMs: toMs + AFTER_MS };
      known = { ...range, spans: spansOf(version, range.fromMs, range.toMs) };
    }
    return known.spans;
  }

  return {
    of(monitor, fromMs, toMs) {
      const valid = within({ from_ms: fromMs, to_ms: toMs }, version.from_ms, version.until_ms ?? toMs);
      if (valid === null) return [];
      const { _id: id } = monitor;
      return taggedTimes(monitor)
        .filter(({ tags }) => appliesTo({ type: 'monitor', id, tags }))
        .flatMap(({ fromMs: sinceMs, toMs: untilMs }) => {
          const tagged = within(valid, sinceMs, untilMs);
          if (tagged === null) return [];
          const { from_ms, to_ms } = tagged;
          return spansBetween(from_ms, to_ms).flatMap((span) => within(span, from_ms, to_ms) ?? []);
        });
    },
  };
}

/** Returns the tags of a monitor with the time in which it had them. */
function taggedTimes({ tags, tags_past = [] }: TaggedMonitor) {
  const times: { tags: readonly string[]; fromMs: number; toMs: number }[] = [];
  let fromMs = Number.NEGATIVE_INFINITY;
  for (const past of tags_past) {
    times.push({ tags: past.tags, fromMs, toMs: past.until_ms });
    fromMs = past.until_ms;
  }
  return [...times, { tags, fromMs, toMs: Number.POSITIVE_INFINITY }];
}

/** Returns the part of a span that is within [fromMs, toMs); null without any. */
function within({ from_ms, to_ms }: Span, fromMs: number, toMs: number): Span | null {
  const part = { from_ms: Math.max(from_ms, fromMs), to_ms: Math.min(to_ms, toMs) };
  return part.from_ms < part.to_ms ? part : null;
}
