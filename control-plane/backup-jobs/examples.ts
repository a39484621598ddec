/** The examples of this slice in the OpenAPI document. */

export const JOB_ID = 'bkp_01kf5e6q0h3v8r2m9x4t7c1z5n';
const RUN_ID = 'bkr_01kf5e6q0h3v8r2m9x4t7c1z5n';
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const REQUEST_EXAMPLE = {
  name: 'Database of the shop',
  schedule: { cron: '0 2 * * *', time_zone: 'Europe/Berlin' },
  grace_seconds: 3_600,
  min_size_bytes: 1_000_000,
  max_shrink_percent: 50,
  tags: ['production'],
};

const RUN = {
  id: RUN_ID,
  status: 'succeeded',
  problem: null,
  expected_at: null,
  started_at: '2026-01-31T01:00:02.000Z',
  ended_at: '2026-01-31T01:04:14.000Z',
  duration_seconds: 252,
  exit_code: 0,
  size_bytes: 734_003_200,
  sha256: SHA256,
};

export const RUN_EXAMPLE = { ...RUN, log: 'pg_dump: done\n' };

export const JOB_EXAMPLE = {
  id: JOB_ID,
  ...REQUEST_EXAMPLE,
  max_run_seconds: 43_200,
  expect_sha256: false,
  enabled: true,
  status: 'ok',
  running_since: null,
  expected_at: '2026-02-01T01:00:00.000Z',
  problem: null,
  last_good_at: RUN.ended_at,
  last_run: RUN,
  ping_url_end: 'x7Qa',
  created_by: 'ann@example.com',
  created_at: '2026-01-10T12:03:12.401Z',
  updated_at: '2026-01-10T12:03:12.401Z',
};

export const CREATED_EXAMPLE = {
  ...JOB_EXAMPLE,
  ...{ status: 'new', expected_at: '2026-01-11T01:00:00.000Z', last_good_at: null, last_run: null },
  ping_url: 'https://picket.example.com/ping/Yx0v3h9PpW1o2cT5uKfJ8dLq6sBnx7Qa',
};
