/** Answers as the documentation shows them. A test holds each against its schema. */

const MONITOR_ID = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';

const goodVote = (location: string, response_time_ms: number, checked_at: string) => ({
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
  response_time_ms: 84,
  location_status: [
    goodVote('fra', 31, '2026-01-31T12:00:12.204Z'),
    goodVote('nyc', 84, '2026-01-31T12:00:31.118Z'),
    goodVote('sin', 167, '2026-01-31T11:59:48.930Z'),
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

export const RESULT_EXAMPLE = {
  id: `${MONITOR_ID}/1769860812203/fra/0`,
  checked_at: '2026-01-31T12:00:12.204Z',
  location: 'fra',
  status: 'up',
  response_time_ms: 31.4,
  timings: { dns_ms: 1.2, connect_ms: 8.7, tls_ms: 10.1, ttfb_ms: 9.8, transfer_ms: 1.6 },
  http_status: 200,
  error: null,
  attempt: 0,
  final: true,
  reason: 'schedule',
  lateness_ms: 1,
};

export const METRICS_EXAMPLE = {
  monitor_id: MONITOR_ID,
  resolution: '1m',
  series: {
    response_time_ms: [
      { t: '2026-01-31T12:00:00.000Z', v: 94.1 },
      { t: '2026-01-31T12:01:00.000Z', v: 92.6 },
    ],
    'response_time_ms:fra': [{ t: '2026-01-31T12:00:00.000Z', v: 31.4 }],
    uptime: [{ t: '2026-01-31T12:00:00.000Z', v: 100 }],
    'uptime:fra': [{ t: '2026-01-31T12:00:00.000Z', v: 100 }],
  },
};

export const BACKTEST_REQUEST_EXAMPLE = {
  from: '2026-01-20T00:00:00Z',
  to: '2026-01-27T00:00:00Z',
  confirmations: 1,
  retries: 0,
};

const OUTAGE = {
  started_at: '2026-01-24T03:14:02.118Z',
  resolved_at: '2026-01-24T03:17:44.902Z',
  severity: 'critical',
};

export const BACKTEST_EXAMPLE = {
  monitor_id: MONITOR_ID,
  from: '2026-01-20T00:00:00.000Z',
  to: '2026-01-27T00:00:00.000Z',
  settings: { confirmations: 1, retries: 0, interval_seconds: 60 },
  results_read: 50_412,
  results_used: 50_412,
  would_have_been: [
    {
      started_at: '2026-01-22T19:40:11.530Z',
      confirmed_at: '2026-01-22T19:40:11.530Z',
      resolved_at: '2026-01-22T19:42:11.498Z',
      duration_seconds: 120,
      severity: 'warning',
      locations: ['sin'],
    },
    { ...OUTAGE, confirmed_at: '2026-01-24T03:14:02.118Z', duration_seconds: 223, locations: ['fra', 'nyc', 'sin'] },
  ],
  were: [
    {
      id: 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n',
      ...{ ...OUTAGE, confirmed_at: '2026-01-24T03:14:07.204Z', duration_seconds: 223 },
    },
  ],
  notes: ['Maintenance, quarantine and disconnected probes are not replayed: every stored result votes.'],
};

export const IMPORT_EXAMPLE = {
  dry_run: true,
  format: 'picket',
  summary: { created: 1, updated: 1, unchanged: 0, refused: 0 },
  monitors: [
    { name: 'Shop', action: 'updated', id: MONITOR_ID, changes: ['interval_seconds'], reasons: [], notes: [] },
    { name: 'Mail', action: 'created', id: null, changes: [], reasons: [], notes: [] },
  ],
};
