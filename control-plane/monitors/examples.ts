/** Replies as the API documentation shows them. A test validates each against its schema. */

const MONITOR_ID = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';

const upStatus = (location: string, response_time_ms: number, checked_at: string) => ({
  location,
  status: 'up',
  response_time_ms,
  error: null,
  checked_at,
});

export const MONITOR_EXAMPLE = {
  id: MONITOR_ID,
  name: 'Shop front page',
  url: 'https://shop.example.com/',
  type: 'http',
  status: 'up',
  interval_seconds: 60,
  timeout_ms: 10_000,
  locations: ['fra', 'nyc', 'sin'],
  limited_by_plan: null,
  http: {
    method: 'GET',
    expected_status: 200,
    keyword: 'Add to basket',
    keyword_absent: null,
    follow_redirects: true,
    ignore_tls_errors: false,
    headers: {},
    body: null,
    timeout_ms: 10_000,
  },
  ssl: {
    grade: 'A+',
    expiry: '2026-04-18T09:21:07.000Z',
    days_remaining: 76,
    issuer: 'R11, Let’s Encrypt, US',
    subject: 'shop.example.com',
    fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    checked_at: '2026-01-31T12:00:12.204Z',
  },
  uptime_24h: 100,
  uptime_7d: 99.9861,
  uptime_30d: 99.9712,
  coverage_24h: 100,
  coverage_7d: 100,
  coverage_30d: 99.94,
  maintenance_seconds_24h: 0,
  maintenance_seconds_7d: 3_600,
  maintenance_seconds_30d: 14_400,
  uptime_computed_at: '2026-01-31T11:58:30.114Z',
  response_time_ms: 84,
  location_status: [
    upStatus('fra', 31, '2026-01-31T12:00:12.204Z'),
    upStatus('nyc', 84, '2026-01-31T12:00:31.118Z'),
    upStatus('sin', 167, '2026-01-31T11:59:48.930Z'),
  ],
  confirmations: null,
  retries: 1,
  channels: null,
  tags: ['production'],
  runbook_url: 'https://wiki.example.com/shop-is-down',
  created_at: '2026-01-03T08:15:00.000Z',
  updated_at: '2026-01-20T16:42:10.000Z',
  last_checked_at: '2026-01-31T12:00:31.118Z',
  status_changed_at: '2026-01-24T03:17:44.000Z',
  paused_at: null,
};

export const CHECK_REQUESTED_EXAMPLE = {
  monitor_id: MONITOR_ID,
  slot: '2026-01-31T12:00:40.000Z',
  locations: ['fra', 'nyc', 'sin'],
  results_by: '2026-01-31T12:00:52.000Z',
};

export const SUMMARY_EXAMPLE = {
  id: MONITOR_ID,
  name: 'Shop front page',
  url: 'https://shop.example.com/',
  type: 'http',
  status: 'up',
  state: 'up',
  status_changed_at: '2026-01-12T03:14:15.000Z',
  tags: ['production', 'shop'],
  uptime_24h: 100,
  coverage_24h: 100,
  uptime_30d: 99.9861,
  coverage_30d: 100,
  response_time_ms: 94,
  certificate_days_remaining: 76,
};

export const TOTALS_EXAMPLE = {
  monitors: 212,
  by_status: { up: 208, degraded: 2, down: 1, paused: 1, unknown: 0 },
  by_type: { http: 180, tcp: 24, ping: 8 },
  uptime_30d: 99.9712,
  coverage_30d: 99.94,
};
