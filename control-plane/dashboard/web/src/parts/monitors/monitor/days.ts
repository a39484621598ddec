const HOUR_MS = 3_600_000;

/** An hour in which the monitor was observed; `uptime` in percent of the observed time. */
export interface ObservedHour {
  atMs: number;
  uptime: number;
}

/** A day in the viewer's zone. */
export interface Day {
  fromMs: number;
  /** In percent of the observed hours; null when there is none. */
  uptime: number | null;
  /** Percentage of the hours of the day that have observations; of today, the hours until now. */
  observed: number;
}

/** Returns the start of each of the last `count` days in the viewer's zone, with today. Pure. */
function dayStarts(nowMs: number, count: number): number[] {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return Array.from({ length: count }, (_, index) => new Date(year, month, day - count + 1 + index).getTime());
}

/** Returns when the first of the last `count` days begins. Pure. */
export function firstDayMs(nowMs: number, count: number): number {
  return dayStarts(nowMs, count)[0] ?? nowMs;
}

/** Returns the last `count` days, the oldest first. Pure. */
export function daysOf(hours: readonly ObservedHour[], nowMs: number, count: number): Day[] {
  const starts = dayStarts(nowMs, count);
  return starts.map((fromMs, index) => {
    const toMs = Math.min(starts[index + 1] ?? nowMs, nowMs);
    const inside = hours.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    const sum = inside.reduce((total, { uptime }) => total + uptime, 0);
    const all = Math.max(1, Math.ceil((toMs - fromMs) / HOUR_MS));
    return {
      fromMs,
      uptime: inside.length === 0 ? null : sum / inside.length,
      observed: Math.min(100, (inside.length / all) * 100),
    };
  });
}
