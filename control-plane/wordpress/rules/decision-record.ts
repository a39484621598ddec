import type { SharedDecision } from '../../alert-rules/documents.js';
import type { IncidentDecision } from '../../incidents/documents.js';
import type { CheckId } from '../checks/catalogue.js';

/** Why a check of a WordPress site opened an incident, or why the incident was resolved. */
export interface WordpressDecisionRecord extends SharedDecision {
  rule: SharedDecision['rule'] & { type: 'wordpress_check_failed' };
  wordpress: {
    site: string;
    url: string;
    check: CheckId;
    /** Of the last measurement before the decision. */
    evidence: string;
    /** The failing measurements until then. */
    measurements: number;
    /** Whether the check was seen to fail from outside. */
    from_outside: boolean;
    /** The last measurement that passed, before it failed. */
    passed_at_ms: number;
  };
  times: SharedDecision['times'] & { failing_since_ms: number; evaluated_at_ms: number };
}

/** Whether the decision is one of a WordPress site. */
export function isWordpressDecision(decision: IncidentDecision): decision is WordpressDecisionRecord {
  return 'wordpress' in decision;
}
