import { INCIDENT_EXAMPLE } from '../../../incidents/examples.js';

const SERVER = { type: 'server', id: 'srv_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'web-1' };
const SERVER_MESSAGE =
  'web-1: cpu_percent is 97.2 %, over the limit of 90 % since 03:09:02 UTC (5 min). Rule “CPU is busy”.';

/** An incident of a metric rule with its decision record. */
export const SERVER_INCIDENT_EXAMPLE = {
  ...INCIDENT_EXAMPLE,
  ...{ kind: 'server', monitor_id: null, monitor_name: null, resource: SERVER },
  ...{ severity: 'warning', message: SERVER_MESSAGE, started_at: '2026-01-24T03:09:02.000Z' },
  facts: {
    ...{ type: 'metric', metric: 'cpu_percent', operator: '>', threshold: 90, value: 97.2 },
    since: '2026-01-24T03:09:02.000Z',
  },
  ...{ acknowledged_at: null, acknowledged_by: null, runbook_url: null, notifications_sent: [] },
  events: [
    {
      at: '2026-01-24T03:14:02.311Z',
      type: 'opened',
      message: SERVER_MESSAGE,
      actor: 'system',
      until: null,
      link: null,
    },
  ],
  decision: {
    rule: {
      id: 'rule_01kf5e6q0h3v8r2m9x4t7c1z5n',
      name: 'CPU is busy',
      version: 3,
      type: 'metric',
      metric: 'cpu_percent',
      operator: '>',
      threshold: 90,
      for_seconds: 300,
      within_hours: null,
      severity: 'warning',
    },
    other_rules: [],
    samples: [
      { t: '2026-01-24T03:09:02.000Z', v: 93.1 },
      { t: '2026-01-24T03:11:32.000Z', v: 98.4 },
      { t: '2026-01-24T03:14:02.000Z', v: 97.2 },
    ],
    value: 97.2,
    forecast: null,
    reason: 'cpu_percent > 90 in each of 31 samples over 300 s',
    silent: null,
    times: {
      breaching_since: '2026-01-24T03:09:02.000Z',
      evaluated_at: '2026-01-24T03:14:02.280Z',
      opened_at: '2026-01-24T03:14:02.311Z',
      recovered_at: null,
      notifications: [],
    },
  },
  recovery: null,
};
