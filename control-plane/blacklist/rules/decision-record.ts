import type { SharedDecision } from '../../alert-rules/documents.js';
import type { IncidentDecision } from '../../incidents/documents.js';
import type { ListStatus } from '../results.js';

/** Why a listing opened an incident, or why the incident was resolved. */
export interface ListingDecisionRecord extends SharedDecision {
  rule: SharedDecision['rule'] & { type: 'blacklist_listed' };
  /** The listing when the incident was opened. */
  listing: {
    provider: string;
    provider_name: string;
    zone: string;
    target: string;
    /** The listed addresses of a domain. */
    addresses: string[];
    codes: string[];
    meanings: string[];
    policy: boolean;
    reason: string | null;
    delist_url: string | null;
    /** The two lookups that confirmed the listing. */
    first: LookupRecord;
    confirmed: LookupRecord;
    /** Whether the list passed its own tests during the second lookup. */
    tested: boolean;
  };
  /** The answer of the list at the end; null at the opening, and if Picket no longer queries the list. */
  answer: { at_ms: number; status: ListStatus; codes: string[]; policy: boolean; reason: string | null } | null;
  times: SharedDecision['times'] & {
    listed_since_ms: number;
    evaluated_at_ms: number;
  };
}

export interface LookupRecord {
  at_ms: number;
  codes: string[];
  reason: string | null;
}

/** Whether the decision is one of a listing. */
export function isListingDecision(decision: IncidentDecision): decision is ListingDecisionRecord {
  return 'listing' in decision;
}
