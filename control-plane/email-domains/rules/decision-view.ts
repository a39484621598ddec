import { toIso } from '../../../kernel/clock.js';
import { optionalIso, sentNotifications } from '../../incidents/decision-view.js';
import type { NotificationSent } from '../../incidents/incidents.js';
import type { EmailDecisionRecord } from './decision-record.js';
import type { EmailDecision } from './decision-schema.js';

/** Returns the decision of an e-mail domain in the API's shape. */
export function emailDecisionView(record: EmailDecisionRecord, sent: readonly NotificationSent[]): EmailDecision {
  const { rule, email, times } = record;
  return {
    rule: { ...rule },
    other_rules: record.other_rules.map(({ id, name }) => ({ id, name })),
    email: { ...email },
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
