import type { CertificateFacts, MonitorFacts, ReputationFacts } from './facts.js';
import { downtimeOf } from './sums.js';

/** The orders of the lists in a report. Sorting is stable, so what is equal stays in the order of creation. */

const STATUS_ORDER: Readonly<Record<ReputationFacts['status'], number>> = { listed: 0, unknown: 1, clean: 2 };

export function byDowntime(a: MonitorFacts, b: MonitorFacts): number {
  return downtimeOf(b.period) - downtimeOf(a.period) || a.name.localeCompare(b.name, 'en');
}

export function bySoonestEnd(a: CertificateFacts, b: CertificateFacts): number {
  return a.daysRemaining - b.daysRemaining;
}

export function byListing(a: ReputationFacts, b: ReputationFacts): number {
  return STATUS_ORDER[a.status] - STATUS_ORDER[b.status] || a.target.localeCompare(b.target, 'en');
}
