import { toIso } from '../../../kernel/clock.js';
import { decidingRules, decisionTimes } from '../../alert-rules/decision/view.js';
import { sentNotifications } from '../../incidents/decision-view.js';
import type { NotificationSent } from '../../incidents/incidents.js';
import type { WordpressDecisionRecord } from './decision-record.js';
import type { WordpressDecision } from './decision-schema.js';

/** Returns the decision of a WordPress site in the API's shape. */
export function wordpressDecisionView(
  record: WordpressDecisionRecord,
  sent: readonly NotificationSent[],
): WordpressDecision {
  const { wordpress, times } = record;
  const { passed_at_ms, ...check } = wordpress;
  return {
    ...decidingRules(record),
    wordpress: { ...check, passed_at: toIso(passed_at_ms) },
    reason: record.reason,
    times: {
      failing_since: toIso(times.failing_since_ms),
      ...decisionTimes(times),
      notifications: sentNotifications(sent, times.failing_since_ms).map(({ notification, elapsedMs }) => ({
        ...notification,
        after_failing_ms: elapsedMs,
      })),
    },
  };
}
