import { CHECKS, type CheckId } from './checks/catalogue.js';
import { type CheckCounts, countsOf, READING_VALID_MS, scoreOf, stateOf } from './checks/status.js';
import { readingsOf, type SiteDocument } from './documents.js';

export const SITE_STATUSES = ['waiting', 'connected', 'silent', 'disconnected'] as const;
export type SiteStatus = (typeof SITE_STATUSES)[number];

/** How a site is, in the figures that pages, the API and reports show. */
export interface SiteSummary extends CheckCounts {
  status: SiteStatus;
  /** null for a site that was never connected. */
  score: number | null;
  failingChecks: CheckId[];
}

/** Returns the figures of a site. Pure. */
export function summaryOf(site: SiteDocument, nowMs: number): SiteSummary {
  const status = statusOf(site, nowMs);
  const states = CHECKS.map(({ id }) => ({ id, status: stateOf(readingsOf(site, id), nowMs).status }));
  const counts = countsOf(states);
  return {
    status,
    ...counts,
    score: status === 'waiting' ? null : scoreOf(counts),
    failingChecks: states.filter((state) => state.status === 'failing').map(({ id }) => id),
  };
}

function statusOf({ secret, seen_at_ms, disconnected_at_ms }: SiteDocument, nowMs: number): SiteStatus {
  if (secret === null) return disconnected_at_ms === null ? 'waiting' : 'disconnected';
  return nowMs - (seen_at_ms ?? 0) > READING_VALID_MS ? 'silent' : 'connected';
}
