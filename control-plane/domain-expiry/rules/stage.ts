import type { IncidentSeverity } from '../../incidents/documents.js';
import type { MonitoredDomainDocument, Registration } from '../documents.js';
import { CONFIRMED_MS } from '../rdap/limits.js';

const DAY_MS = 86_400_000;

/** The days before the expiry at which an incident opens. */
export const STAGES = [30, 14, 7, 3] as const;
export type Stage = (typeof STAGES)[number];

/** No domain with more time left has an incident. */
export const FIRST_STAGE_MS = STAGES[0] * DAY_MS;
export const CRITICAL_STAGE: Stage = 3;

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

/** Whether the registry has not answered for so long that its date may no longer hold. Pure. */
export function isStale({ checked_at_ms }: Pick<Registration, 'checked_at_ms'>, nowMs: number): boolean {
  return checked_at_ms !== null && nowMs - checked_at_ms > CONFIRMED_MS;
}

/**
 * Returns the stage of a domain that a workspace monitors; null also for a domain that it cannot renew. A stale date keeps the
 * stage that it had reached: the domain may have been renewed since. Pure.
 */
export function stageOfMonitored(
  { registration, is_of_others }: Pick<MonitoredDomainDocument, 'registration' | 'is_of_others'>,
  nowMs: number,
): Stage | null {
  if (is_of_others) return null;
  const { checked_at_ms } = registration;
  return stageOf(registration, checked_at_ms === null ? nowMs : Math.min(nowMs, checked_at_ms + CONFIRMED_MS));
}

/** Returns the severity of a stage: the last one is critical, the others have the severity of the rule. Pure. */
export function severityOf(stage: Stage, ofRule: IncidentSeverity): IncidentSeverity {
  return stage === CRITICAL_STAGE ? 'critical' : ofRule;
}
