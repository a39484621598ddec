import type { IncidentSeverity } from '../../incidents/documents.js';
import type { MonitoredDomainDocument, Registration } from '../documents.js';

const DAY_MS = 86_400_000;

/** The days before the expiry at which an incident opens. */
export const STAGES = [30, 14, 7, 3] as const;
export type Stage = (typeof STAGES)[number];

/** No domain with more time left has an incident. */
export const FIRST_STAGE_MS = STAGES[0] * DAY_MS;
const CRITICAL_STAGE: Stage = 3;

/**
 * Returns the stage that a registration has reached; null with more time left, and if its expiry is not known. One that the
 * registry is about to delete has reached the last, whatever its date. Pure.
 */
export function stageOf(
  { expires_at_ms, phase }: Pick<Registration, 'expires_at_ms' | 'phase'>,
  nowMs: number,
): Stage | null {
  if (phase === 'deleting') return CRITICAL_STAGE;
  if (expires_at_ms === null) return null;
  return STAGES.findLast((days) => expires_at_ms - nowMs <= days * DAY_MS) ?? null;
}

/** Returns the stage of a domain that a workspace monitors; null also for a domain that it cannot renew. Pure. */
export function stageOfMonitored(
  { registration, is_of_others }: Pick<MonitoredDomainDocument, 'registration' | 'is_of_others'>,
  nowMs: number,
): Stage | null {
  return is_of_others ? null : stageOf(registration, nowMs);
}

/** Returns the severity of a stage: the last one is critical, the others have the severity of the rule. Pure. */
export function severityOf(stage: Stage, ofRule: IncidentSeverity): IncidentSeverity {
  return stage === CRITICAL_STAGE ? 'critical' : ofRule;
}
