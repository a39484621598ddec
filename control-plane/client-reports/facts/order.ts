import type { BackupFacts, CertificateFacts, DomainFacts, MonitorFacts, ReputationFacts, ScanFacts } from './facts.js';
import { downtimeOf } from './sums.js';

/** The orders of the lists in a report. Sorting is stable, so what is equal stays in the order of creation. */

const STATUS_ORDER: Readonly<Record<ReputationFacts['status'], number>> = { listed: 0, unknown: 1, clean: 2 };

export function byDowntime(a: MonitorFacts, b: MonitorFacts): number {
  return downtimeOf(b.period) - downtimeOf(a.period) || a.name.localeCompare(b.name, 'en');
}

export function bySoonestEnd(a: CertificateFacts, b: CertificateFacts): number {
  return a.daysRemaining - b.daysRemaining;
}

/** Those without a date last. */
export function bySoonestExpiry(a: DomainFacts, b: DomainFacts): number {
  const [first, second] = [a.expiresMs ?? Number.POSITIVE_INFINITY, b.expiresMs ?? Number.POSITIVE_INFINITY];
  return first === second ? a.name.localeCompare(b.name, 'en') : first - second;
}

/** The lowest success rate first; jobs without runs are last. */
export function bySuccess(a: BackupFacts, b: BackupFacts): number {
  const rateOf = ({ succeeded, failed, missed }: BackupFacts) => succeeded / (succeeded + failed + missed);
  const [first, second] = [rateOf(a), rateOf(b)];
  if (Number.isNaN(first) || Number.isNaN(second)) return Number(Number.isNaN(first)) - Number(Number.isNaN(second));
  return first - second || b.longestGapMs - a.longestGapMs || a.name.localeCompare(b.name, 'en');
}

export function byListing(a: ReputationFacts, b: ReputationFacts): number {
  return STATUS_ORDER[a.status] - STATUS_ORDER[b.status] || a.target.localeCompare(b.target, 'en');
}

/** The lowest score first. */
export function byScanScore(a: ScanFacts, b: ScanFacts): number {
  return a.score - b.score || a.target.localeCompare(b.target, 'en');
}

/** The lowest score first; those without one before them, because nobody knows how they are. */
export function byScore(a: { name: string; score: number | null }, b: { name: string; score: number | null }): number {
  return (a.score ?? -1) - (b.score ?? -1) || a.name.localeCompare(b.name, 'en');
}
