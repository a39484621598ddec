const HOUR_MS = 3_600_000;

/** The days of a period in a time zone. The first and the last one can be shorter than a day. */
export interface Days {
  /** The first millisecond of each within the period. */
  starts: number[];
  /** Returns the place of the day that contains the time. Times before the period are in its first day. */
  placeOf(atMs: number): number;
}

/** Returns the days of [fromMs, toMs). `fromMs` is a full hour, and a day begins with the first full hour (UTC) in it. */
export function daysOf(fromMs: number, toMs: number, timeZone: string): Days {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const starts: number[] = [];
  let day = '';
  for (let hourMs = fromMs; hourMs < toMs; hourMs += HOUR_MS) {
    const ofHour = format.format(hourMs);
    if (ofHour !== day) starts.push(hourMs);
    day = ofHour;
  }
  return { starts, placeOf: (atMs) => placeIn(starts, atMs) };
}

/** Binary search. */
function placeIn(starts: readonly number[], atMs: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}
