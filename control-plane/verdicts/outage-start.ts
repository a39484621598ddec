import type { DecisionRecord } from './decision-record.js';

/**
 * Returns when the outage of an incident began, from the incident and the decision that recovered it. An incident that
 * opened because an outage went on after a user resolved the previous incident began later than the outage.
 */
export function outageStart(incidentStartedAtMs: number, { times }: Pick<DecisionRecord, 'times'>): number {
  return Math.min(incidentStartedAtMs, times.first_failed_at_ms ?? incidentStartedAtMs);
}
