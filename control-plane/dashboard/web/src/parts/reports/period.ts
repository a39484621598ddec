export const PERIODS = ['week', 'days30', 'lastMonth', 'thisMonth', 'dates'] as const;
export type Period = (typeof PERIODS)[number];

/** Days as `<input type="date">` has them: `2026-01-31`. The last one is part of the period. */
export interface Dates {
  from: string;
  to: string;
}

const WEEK_DAYS = 7;

/**
 * Returns the period as the API takes it, with days in the time zone of the browser; undefined for the default of the
 * API, the last 30 days. Dates that are missing are sent as they are, so that the API says what is wrong with them.
 */
export function periodOf(period: Period, { from, to }: Dates, now: Date): Dates | undefined {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  switch (period) {
    case 'week':
      return { from: new Date(year, month, day - WEEK_DAYS).toISOString(), to: now.toISOString() };
    case 'days30':
      return undefined;
    case 'lastMonth':
      return { from: new Date(year, month - 1, 1).toISOString(), to: new Date(year, month, 1).toISOString() };
    case 'thisMonth':
      return { from: new Date(year, month, 1).toISOString(), to: now.toISOString() };
    case 'dates':
      return { from: startOf(from, 0), to: startOf(to, 1) };
  }
}

/** Returns the beginning of a day, or of a later one; other text as it is. */
function startOf(date: string, daysLater: number): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date);
  if (match === null) return date;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  return new Date(year, month - 1, day + daysLater).toISOString();
}
