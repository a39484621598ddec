/** Replies as the API documentation shows them. A test validates each against its schema. */

const MONITOR_ID = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';

export const RESULT_EXAMPLE = {
  id: 'res_01kgae4mzbc7w7rtsb6g6t4m2r',
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

export const STEPS_EXAMPLE = {
  monitor_id: MONITOR_ID,
  from: '2026-01-30T13:00:00.000Z',
  step_seconds: 3_600,
  uptime: [
    100,
    100,
    98.33,
    null,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
    100,
  ],
  response_time_ms: [94, 92, 310, null, 95, 93, 94, 91, 92, 92, 94, 93, 95, 96, 92, 91, 90, 94, 93, 92, 95, 94, 93, 92],
};
