import { isoOrNull, toIso } from '../../../kernel/clock.js';
import { decidingRules, decisionTimes } from '../../alert-rules/decision/view.js';
import { sentNotifications } from '../../incidents/decision-view.js';
import type { NotificationSent } from '../../incidents/incidents.js';
import type { DomainDecisionRecord } from './decision-record.js';
import type { DomainDecision } from './decision-schema.js';

/** Returns the decision of a domain in the API's shape. */
export function domainDecisionView(record: DomainDecisionRecord, sent: readonly NotificationSent[]): DomainDecision {
  const { registration, times } = record;
  const { expires_at_ms, checked_at_ms, ...rest } = registration;
  return {
    ...decidingRules(record),
    registration: { ...rest, expires_at: isoOrNull(expires_at_ms), checked_at: isoOrNull(checked_at_ms) },
    reason: record.reason,
    times: {
      since: toIso(times.since_ms),
      ...decisionTimes(times),
      notifications: sentNotifications(sent, times.since_ms).map(({ notification, elapsedMs }) => ({
        ...notification,
        after_since_ms: elapsedMs,
      })),
    },
  };
}
