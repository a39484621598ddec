import { STANDING_KEPT_MS } from '../../plans/cache.js';
import type { Standing } from '../../plans/standing.js';

/** A time in which pings could not be received. */
export interface Gap {
  from_ms: number;
  to_ms: number;
}

/** Returns whether there was a gap between two times, so that a ping may have been sent that Picket did not receive. Pure. */
export function isUnheard(gaps: readonly Gap[], fromMs: number, nowMs: number): boolean {
  return gaps.some((gap) => gap.to_ms > fromMs && gap.from_ms < nowMs);
}

/** Returns the gaps of a workspace: those of all control planes, and the time in which it was stopped last. Pure. */
export function gapsOf(
  { stopped, resumedMs }: Pick<Standing, 'stopped' | 'resumedMs'>,
  ofAll: readonly Gap[],
  nowMs: number,
): readonly Gap[] {
  if (stopped) return [{ from_ms: 0, to_ms: nowMs }];
  if (resumedMs === null) return ofAll;
  // Since when it was stopped does not matter: what began before it worked again was going on while it was stopped.
  return [...ofAll, { from_ms: 0, to_ms: resumedMs + STANDING_KEPT_MS }];
}
