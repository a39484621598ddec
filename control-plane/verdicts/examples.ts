/** Replies as the API documentation shows them. A test validates each against its schema. */

const MONITOR_ID = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';

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
