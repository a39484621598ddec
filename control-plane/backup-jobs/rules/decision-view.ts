import { toIso } from '../../../kernel/clock.js';
import { decidingRules, decisionTimes } from '../../alert-rules/decision/view.js';
import { optionalIso, sentNotifications } from '../../incidents/decision-view.js';
import type { NotificationSent } from '../../incidents/incidents.js';
import type { BackupDecisionRecord } from './decision-record.js';
import type { BackupDecision } from './decision-schema.js';

/** Returns the decision of a backup job in the API's shape. */
export function backupDecisionView(record: BackupDecisionRecord, sent: readonly NotificationSent[]): BackupDecision {
  const { problem, schedule, grace_seconds, max_run_seconds, min_size_bytes, max_shrink_percent, times } = record;
  const { run_id, status, exit_code, size_bytes, sha256, log, ...run } = record.run;
  return {
    ...decidingRules(record),
    problem,
    schedule: { ...schedule },
    ...{ grace_seconds, max_run_seconds, min_size_bytes, max_shrink_percent },
    run: {
      id: run_id,
      status,
      problem: run.problem,
      expected_at: optionalIso(run.expected_at_ms),
      started_at: optionalIso(run.started_at_ms),
      ended_at: optionalIso(run.ended_at_ms),
      ...{ exit_code, size_bytes, sha256, log },
    },
    compared_bytes: record.compared_bytes,
    last_good_at: optionalIso(record.last_good_at_ms),
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
