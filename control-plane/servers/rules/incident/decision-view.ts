import { toIso } from '../../../../kernel/clock.js';
import { decidingRules, decisionTimes } from '../../../alert-rules/decision/view.js';
import { optionalIso, sentNotifications, silentView } from '../../../incidents/decision-view.js';
import type { NotificationSent } from '../../../incidents/incidents.js';
import { operatorSymbol } from '../fields.js';
import type { RuleDecisionRecord } from './decision-record.js';
import type { RuleDecision } from './decision-schema.js';

/** Returns the decision of a rule on servers in the API's shape. */
export function ruleDecisionView(record: RuleDecisionRecord, sent: readonly NotificationSent[]): RuleDecision {
  const { rule, forecast, times } = record;
  return {
    ...decidingRules(record),
    rule: { ...rule, operator: operatorSymbol(rule.operator) },
    samples: record.samples.map(({ at_ms, value }) => ({ t: toIso(at_ms), v: value })),
    value: record.value,
    forecast:
      forecast === null
        ? null
        : {
            full_at: toIso(forecast.full_at_ms),
            points_per_hour: forecast.points_per_hour,
            observed_hours: forecast.observed_hours,
          },
    reason: record.reason,
    silent: silentView(record),
    times: {
      breaching_since: optionalIso(times.breaching_since_ms),
      ...decisionTimes(times),
      notifications: sentNotifications(sent, times.breaching_since_ms).map(({ notification, elapsedMs }) => ({
        ...notification,
        after_breach_ms: elapsedMs,
      })),
    },
  };
}
