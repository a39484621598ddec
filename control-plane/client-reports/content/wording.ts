import type { Tone } from './content.js';

/** How times look in a report. */
export interface Times {
  /** `3 Jan` */
  day(atMs: number): string;
  /** `3 Jan 2026` */
  date(atMs: number): string;
  /** `3 Jan 2026, 14:05` */
  time(atMs: number): string;
}

export function timesIn(timeZone: string): Times {
  const day = { timeZone, day: 'numeric', month: 'short' } as const;
  const formats = {
    day: new Intl.DateTimeFormat('en-GB', day),
    date: new Intl.DateTimeFormat('en-GB', { ...day, year: 'numeric' }),
    time: new Intl.DateTimeFormat('en-GB', {
      ...{ ...day, year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    }),
  };
  return {
    day: (atMs) => formats.day.format(atMs),
    date: (atMs) => formats.date.format(atMs),
    time: (atMs) => formats.time.format(atMs),
  };
}

const NO_DATA = 'no data';

/**
 * Returns a percentage for people: rounded down to two places, so that `100 %` means no second of downtime. null is "no
 * data", never 0 or 100.
 */
export function percent(value: number | null): string {
  if (value === null) return NO_DATA;
  if (value >= 100) return '100 %';
  // 99.95 * 100 is less than 9,995 in binary. A percentage has four places, so half of the last one is no rounding up.
  return `${(Math.floor(value * 100 + 0.005) / 100).toFixed(2)} %`;
}

export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** Returns a response time in whole milliseconds. */
export function milliseconds(value: number | null): string {
  return value === null ? NO_DATA : `${number(Math.round(value))} ms`;
}

/** Returns what an uptime means by colour. */
export function uptimeTone(value: number | null): Tone {
  if (value === null) return 'none';
  if (value >= 99.9) return 'good';
  return value >= 99 ? 'fair' : 'bad';
}
