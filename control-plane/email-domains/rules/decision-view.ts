import { toIso } from '../../../kernel/clock.js';
import { decidingRules, decisionTimes } from '../../alert-rules/decision/view.js';
import { sentNotifications } from '../../incidents/decision-view.js';
import type { NotificationSent } from '../../incidents/incidents.js';
import type { EmailDecisionRecord } from './decision-record.js';
import type { EmailDecision } from './decision-schema.js';

/** Returns the decision of an e-mail domain in the API's shape. */
export function emailDecisionView(record: EmailDecisionRecord, sent: readonly NotificationSent[]): EmailDecision {
  const { email, times } = record;
  return {
    ...decidingRules(record),
    email: { ...email },
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
