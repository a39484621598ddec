import type { QuarantineSpan, QuarantineSpans } from '../results.js';

/** Returns the spans during which fewer than half of these locations were quarantined. */
export type SpansOfLocations = (locations: readonly string[]) => QuarantineSpans;

/**
 * Returns a function that limits the spans to those that count for a monitor with these locations. Monitors with the
 * same locations share the work.
 */
export function minoritySpans(spans: QuarantineSpans): SpansOfLocations {
  const known = new Map<string, QuarantineSpans>();
  return (locations) => {
    const quarantined = locations.filter((code) => spans.has(code));
    if (2 * quarantined.length < locations.length) return spans;
    const key = locations.join();
    const limited = known.get(key) ?? limitedSpans(spans, quarantined, locations.length);
    known.set(key, limited);
    return limited;
  };
}

function limitedSpans(spans: QuarantineSpans, quarantined: readonly string[], assigned: number): QuarantineSpans {
  const changes = quarantined
    .flatMap((code) => (spans.get(code) ?? []).flatMap((span) => changesOf(code, span)))
    .sort((a, b) => a.at_ms - b.at_ms);
  const limited = new Map<string, QuarantineSpan[]>();
  // Spans of a location may overlap, so they are counted.
  const open = new Map<string, number>();
  for (const [index, { at_ms, code, by }] of changes.entries()) {
    open.set(code, (open.get(code) ?? 0) + by);
    const untilMs = changes[index + 1]?.at_ms ?? null;
    if (untilMs === at_ms) continue;
    const now = quarantined.filter((one) => (open.get(one) ?? 0) > 0);
    if (2 * now.length < assigned) for (const one of now) addSpan(limited, one, at_ms, untilMs);
  }
  return limited;
}

function changesOf(code: string, { from_ms, to_ms }: QuarantineSpan): { at_ms: number; code: string; by: number }[] {
  const start = { at_ms: from_ms, code, by: 1 };
  return to_ms === null ? [start] : [start, { at_ms: to_ms, code, by: -1 }];
}

function addSpan(limited: Map<string, QuarantineSpan[]>, code: string, from_ms: number, to_ms: number | null): void {
  const own = limited.get(code) ?? [];
  limited.set(code, own);
  const last = own.at(-1);
  if (last !== undefined && last.to_ms === from_ms) last.to_ms = to_ms;
  else own.push({ from_ms, to_ms });
}
