import { isoOrNull, toIso } from '../../../kernel/clock.js';
import { optionalIso, sentNotifications } from '../../incidents/decision-view.js';
import type { NotificationSent } from '../../incidents/incidents.js';
import type { DomainDecisionRecord } from './decision-record.js';
import type { DomainDecision } from './decision-schema.js';

/** Returns the decision of a domain in the API's shape. */
export function domainDecisionView(record: DomainDecisionRecord, sent: readonly NotificationSent[]): DomainDecision {
  const { rule, registration, times } = record;
  const { expires_at_ms, checked_at_ms, ...rest } = registration;
  return {
    rule: { ...rule },
    other_rules: record.other_rules.map(({ id, name }) => ({ id, name })),
    registration: { ...rest, expires_at: isoOrNull(expires_at_ms), checked_at: isoOrNull(checked_at_ms) },
    reason: record.reason,
    times: {
      since: toIso(times.since_ms),
      evaluated_at: toIso(times.evaluated_at_ms),
      opened_at: optionalIso(times.opened_at_ms),
      recovered_at: optionalIso(times.recovered_at_ms),
      notifications: sentNotifications(sent, times.since_ms).map(({ notification, elapsedMs }) => ({
        ...notification,
        after_since_ms: elapsedMs,
      })),
    },
  };
}
