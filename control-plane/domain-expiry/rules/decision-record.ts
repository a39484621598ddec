import type { SharedDecision } from '../../alert-rules/documents.js';
import type { IncidentDecision } from '../../incidents/documents.js';
import type { Stage } from './stage.js';

/** Why the registration of a domain opened an incident, or why the incident was resolved. */
export interface DomainDecisionRecord extends SharedDecision {
  rule: SharedDecision['rule'] & { type: 'domain_expiring' };
  registration: {
    domain: string;
    /** As the registry said when the decision was made; null if it no longer says so. */
    expires_at_ms: number | null;
    /** When the registry last answered; null if it never did. */
    checked_at_ms: number | null;
    registrar: string | null;
    /** The incident opened with at most this many days left. */
    days: Stage;
  };
  times: SharedDecision['times'] & { since_ms: number; evaluated_at_ms: number };
}

/** Whether the decision is one of the registration of a domain. */
export function isDomainDecision(decision: IncidentDecision): decision is DomainDecisionRecord {
  return 'registration' in decision;
}
