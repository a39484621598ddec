/** Example responses in the API documentation. A test validates each against its schema. */

const MONITOR_ID = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';
const CHANNEL_ID = 'chn_01kf5e6q0h3v8r2m9x4t7c1z5n';
const MESSAGE =
  'Shop front page is down: 3 of 3 locations fail with connection refused (fra, nyc, sin). First failed check 03:14:02 UTC.';
const RESOURCE = { type: 'monitor', id: MONITOR_ID, name: 'Shop front page' };

export const INCIDENT_EXAMPLE = {
  id: 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n',
  kind: 'monitor',
  monitor_id: MONITOR_ID,
  monitor_name: 'Shop front page',
  resource: RESOURCE,
  status: 'firing',
  severity: 'critical',
  message: MESSAGE,
  facts: {
    ...{ type: 'outage', failing: 3, of: 3, needed: 2, has_other_errors: false },
    error: { code: 'connection_refused', message: '203.0.113.7:443 refused the connection after 1 ms' },
  },
  started_at: '2026-01-24T03:14:02.118Z',
  resolved_at: null,
  duration_seconds: null,
  resolution: null,
  acknowledged_at: '2026-01-24T03:15:20.400Z',
  acknowledged_by: 'owner@example.com',
  acknowledged_link: null,
  silenced_at: null,
  silenced_until: null,
  maintenance: null,
  dependency: null,
  dependents: null,
  runbook_url: 'https://wiki.example.com/shop-is-down',
  notifications_sent: [
    {
      channel: 'webhook',
      channel_id: CHANNEL_ID,
      event: 'opened',
      sent_at: '2026-01-24T03:14:07.291Z',
      status: 'sent',
      attempts: 1,
      error: null,
    },
  ],
};
