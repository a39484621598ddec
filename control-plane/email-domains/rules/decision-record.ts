import type { SharedDecision } from '../../alert-rules/documents.js';
import type { IncidentDecision } from '../../incidents/documents.js';
import type { AreaName } from '../areas/area.js';

/** Why the settings of an e-mail domain opened an incident, or why the incident was resolved. */
export interface EmailDecisionRecord extends SharedDecision {
  rule: SharedDecision['rule'] & { type: 'email_score_fell' };
  email: {
    domain: string;
    /** The score before the fall. */
    from_score: number | null;
    /** The score when the decision was made. */
    score: number | null;
    /** The areas that failed then, with the message of each. */
    failing: { area: AreaName; message: string }[];
  };
  times: SharedDecision['times'] & { since_ms: number; evaluated_at_ms: number };
}

/** Whether the decision is one of an e-mail domain. */
export function isEmailDecision(decision: IncidentDecision): decision is EmailDecisionRecord {
  return 'email' in decision;
}
