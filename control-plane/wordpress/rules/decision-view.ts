import { toIso } from '../../../kernel/clock.js';
import { optionalIso, sentNotifications } from '../../incidents/decision-view.js';
import type { NotificationSent } from '../../incidents/incidents.js';
import type { WordpressDecisionRecord } from './decision-record.js';
import type { WordpressDecision } from './decision-schema.js';

/** Returns the decision of a WordPress site in the API's shape. */
export function wordpressDecisionView(
  record: WordpressDecisionRecord,
  sent: readonly NotificationSent[],
): WordpressDecision {
  const { rule, wordpress, times } = record;
  const { passed_at_ms, ...check } = wordpress;
  return {
    rule: { ...rule },
    other_rules: record.other_rules.map(({ id, name }) => ({ id, name })),
    wordpress: { ...check, passed_at: toIso(passed_at_ms) },
    reason: record.reason,
    times: {
      failing_since: toIso(times.failing_since_ms),
      evaluated_at: toIso(times.evaluated_at_ms),
      opened_at: optionalIso(times.opened_at_ms),
      recovered_at: optionalIso(times.recovered_at_ms),
      notifications: sentNotifications(sent, times.failing_since_ms).map(({ notification, elapsedMs }) => ({
        ...notification,
        after_failing_ms: elapsedMs,
      })),
    },
  };
}
