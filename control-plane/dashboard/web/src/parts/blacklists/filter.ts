/** The states of what is watched, the worst first. */
export const STATUSES = ['listed', 'unknown', 'clean'] as const;

/** What the list can be filtered by, in the URL. */
export interface BlacklistFilter {
  q?: string;
  status?: (typeof STATUSES)[number];
}

/** What the page of the instant check begins with, in the URL. */
export interface TargetSearch {
  target?: string;
}
