import { INCIDENT_EXAMPLE } from '../../incidents/examples.js';
import { JOB_ID, REQUEST_EXAMPLE } from '../examples.js';

const MISSED_AT = '2026-01-31T02:00:04.120Z';
const LAST_GOOD_AT = '2026-01-30T01:04:14.000Z';
const MESSAGE =
  'Database of the shop was expected at 2026-01-31 01:00:00 UTC and sent no ping by 2026-01-31 02:00:00 UTC: its schedule is 0 2 * * * in Europe/Berlin, with 1 h of grace. Last good run: 2026-01-30 01:04:14 UTC, 734 MB.';

/** An incident of a backup job with its decision record. */
export const BACKUP_INCIDENT_EXAMPLE = {
  ...INCIDENT_EXAMPLE,
  ...{ kind: 'backup', monitor_id: null, monitor_name: null, runbook_url: null },
  resource: { type: 'backup_job', id: JOB_ID, name: REQUEST_EXAMPLE.name },
  ...{ severity: 'critical', message: MESSAGE, started_at: MISSED_AT, facts: null },
  ...{ acknowledged_at: null, acknowledged_by: null, notifications_sent: [] },
  events: [{ at: MISSED_AT, type: 'opened', message: MESSAGE, actor: 'system', until: null, link: null }],
  decision: {
    rule: {
      id: 'rule_01kf5e6q0h3v8r2m9x4t7c1z5n',
      name: 'Backup missed or failed',
      version: 1,
      type: 'backup_missed',
      severity: 'critical',
    },
    other_rules: [],
    problem: 'missed',
    schedule: REQUEST_EXAMPLE.schedule,
    grace_seconds: 3_600,
    max_run_seconds: 43_200,
    min_size_bytes: 1_000_000,
    max_shrink_percent: 50,
    run: {
      ...{ id: 'bkr_01kf5e6q0h3v8r2m9x4t7c1z5n', status: 'missed', problem: 'missed' },
      ...{ expected_at: '2026-01-31T01:00:00.000Z', started_at: null, ended_at: null },
      ...{ exit_code: null, size_bytes: null, sha256: null, log: null },
    },
    compared_bytes: null,
    last_good_at: LAST_GOOD_AT,
    reason: 'no ping came within the grace period after the beginning that the schedule names',
    times: {
      ...{ failing_since: MISSED_AT, evaluated_at: MISSED_AT, opened_at: MISSED_AT, recovered_at: null },
      notifications: [],
    },
  },
  recovery: null,
};
