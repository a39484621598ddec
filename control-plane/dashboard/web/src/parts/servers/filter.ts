/** The states of servers, the worst first. */
export const STATUSES = ['offline', 'pending', 'online'] as const;

/** What the list can be filtered by, in the URL. */
export interface ServerFilter {
  q?: string;
  tag?: string;
  status?: (typeof STATUSES)[number];
}

/** What the charts of a server can show: from then until now. */
export const RANGES = ['1h', '6h', '24h', '7d', '30d', '1y'] as const;
export type Range = (typeof RANGES)[number];

const HOUR_MS = 3_600_000;
export const RANGE_MS: Readonly<Record<Range, number>> = {
  ...{ '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': 24 * HOUR_MS },
  ...{ '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS, '1y': 8_760 * HOUR_MS },
};

/** What the URL of a server's page has beside what was selected in a chart. */
export interface RangeSearch {
  range?: Range;
}
