/** The response examples of the OpenAPI document. A test validates each against its schema. */

export const FORWARDER_EXAMPLE = {
  id: 'fwd_01kf5e6q0h3v8r2m9x4t7c1z5n',
  type: 'syslog',
  name: 'SIEM',
  target: 'syslog+tls://siem.example.com:6514',
  format: 'json',
  filter: { severity: ['warning', 'critical'] },
  auth_set: false,
  ca: null,
  state: 'active',
  paused: false,
  paused_at: null,
  lag: { events: 0, seconds: 0 },
  cursor: { entry_id: 'evt_01kf5e6q0h3v8r2m9x4t7c1z5n', timestamp: '2026-01-31T12:00:00.000Z' },
  sequence: 1042,
  delivered: 1042,
  failures: 0,
  failing_since: null,
  next_attempt_at: null,
  last_success_at: '2026-01-31T12:00:06.000Z',
  last_error: null,
  last_error_at: null,
  created_at: '2026-01-03T08:10:00.000Z',
  updated_at: '2026-01-03T08:10:00.000Z',
};

export const CREATED_FORWARDER_EXAMPLE = {
  ...FORWARDER_EXAMPLE,
  type: 'webhook',
  target: 'https://siem.example.com/picket',
  auth_set: true,
  secret: `whsec_${'x'.repeat(43)}=`,
};

export const FORWARDER_TEST_EXAMPLE = { status: 'sent', error: null, response_status: 204, duration_ms: 81 };
