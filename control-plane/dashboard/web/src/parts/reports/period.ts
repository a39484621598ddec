export const PERIODS = ['week', 'days30', 'lastMonth', 'thisMonth', 'dates'] as const;
export type Period = (typeof PERIODS)[number];

/** Days as `<input type="date">` has them: `2026-01-31`. The last one is part of the period. */
export interface Dates {
  from: string;
  to: string;
}

const WEEK_DAYS = 7;

/**
 * Returns the period as the API takes it: days in the time zone of the report; undefined for the default of the API, the last 30
 * days. Dates that are missing are sent as they are, so that the API says what is wrong with them. Pure.
 */
export function periodOf(period: Period, dates: Dates, { now, timeZone }: { now: Date; timeZone: string }) {
  const [year, month, day] = dayIn(timeZone, now);
  switch (period) {
    case 'week':
      return { from: textOf(year, month, day - WEEK_DAYS), to: textOf(year, month, day) };
    case 'days30':
      return undefined;
    case 'lastMonth':
      return { from: textOf(year, month - 1, 1), to: textOf(year, month, 0) };
    case 'thisMonth':
      return { from: textOf(year, month, 1), to: textOf(year, month, day) };
    case 'dates':
      return dates;
  }
}

/** Returns year, month (January is 0) and day on the clocks of a time zone; of one that does not exist, which the API refuses, in UTC. */
function dayIn(timeZone: string, now: Date): [number, number, number] {
  const localTime = partsOf(timeZone, now) ?? partsOf('UTC', now) ?? [];
  const of = (wanted: Intl.DateTimeFormatPartTypes) => Number(localTime.find(({ type }) => type === wanted)?.value);
  return [of('year'), of('month') - 1, of('day')];
}

function partsOf(timeZone: string, now: Date): Intl.DateTimeFormatPart[] | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', year: 'numeric', month: 'numeric', day: 'numeric' },
    });
    return format.formatToParts(now);
  } catch {
    return null;
  }
}

/** Returns a day as text; days and months outside of their ranges are those of the months and years beside. */
function textOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
