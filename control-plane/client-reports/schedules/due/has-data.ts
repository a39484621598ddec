import type { ReportFacts } from '../../facts/facts.js';
import type { ScheduleSettings } from '../documents.js';

/** Returns whether there is anything of the period to report about: something was observed, or an incident began. Pure. */
export function hasData(
  { period, incidents, reputation }: Pick<ReportFacts, 'period' | 'incidents' | 'reputation'>,
  { sections }: Pick<ScheduleSettings, 'sections'>,
): boolean {
  if (period.observedMs > 0 || incidents.total > 0) return true;
  // Blacklists are as of now, so they say something about every period.
  return sections.reputation !== false && reputation.some(({ checkedMs }) => checkedMs !== null);
}
