import type { SharedDecision } from '../../../alert-rules/documents.js';
import type { IncidentDecision } from '../../../incidents/documents.js';

/** Why a rule opened an incident of a server, or why the incident was resolved, with all that is needed to evaluate the rule again. */
export interface RuleDecisionRecord extends SharedDecision {
  rule: SharedDecision['rule'] & {
    type: 'metric' | 'server_offline' | 'disk_full';
    metric: string;
    operator: string | null;
    threshold: number | null;
    for_seconds: number | null;
    within_hours: number | null;
  };
  /** The samples that decided, oldest first; evenly thinned out if there are many. */
  samples: { at_ms: number; value: number }[];
  /** The value of the last sample; null for an offline server. */
  value: number | null;
  forecast: { full_at_ms: number; points_per_hour: number; observed_hours: number } | null;
  times: SharedDecision['times'] & {
    breaching_since_ms: number | null;
    evaluated_at_ms: number;
  };
}

/** Whether the decision is one of a rule on servers. */
export function isServerDecision(decision: IncidentDecision): decision is RuleDecisionRecord {
  return 'samples' in decision;
}
