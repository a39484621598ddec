import { toIso } from '../../../kernel/clock.js';
import { decidingRules, decisionTimes } from '../../alert-rules/decision/view.js';
import { sentNotifications } from '../../incidents/decision-view.js';
import type { NotificationSent } from '../../incidents/incidents.js';
import type { ListingDecisionRecord, LookupRecord } from './decision-record.js';
import type { ListingDecision } from './decision-schema.js';

/** Returns the decision of a listing in the API's shape. */
export function listingDecisionView(record: ListingDecisionRecord, sent: readonly NotificationSent[]): ListingDecision {
  const { listing, answer, times } = record;
  const { first, confirmed, ...listed } = listing;
  return {
    ...decidingRules(record),
    listing: { ...listed, first: lookupView(first), confirmed: lookupView(confirmed) },
    answer: answer === null ? null : { ...lookupView(answer), status: answer.status, policy: answer.policy },
    reason: record.reason,
    times: {
      listed_since: toIso(times.listed_since_ms),
      ...decisionTimes(times),
      notifications: sentNotifications(sent, times.listed_since_ms).map(({ notification, elapsedMs }) => ({
        ...notification,
        after_listed_ms: elapsedMs,
      })),
    },
  };
}

function lookupView({ at_ms, codes, reason }: LookupRecord): ListingDecision['listing']['first'] {
  return { at: toIso(at_ms), codes, reason };
}
