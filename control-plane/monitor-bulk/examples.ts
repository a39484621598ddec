/** Replies as the API documentation shows them. A test validates each against its schema. */

const GROUPS = [{ field: 'interval_seconds', from: 60, to: 30, monitors: 142 }];

export const BULK_PREVIEW_EXAMPLE = {
  dry_run: true,
  operation: 'set',
  fingerprint: 'q1eF0vJx9mC3n2b8',
  selected: 150,
  changed: 142,
  unchanged: 8,
  refused: 0,
  not_found: 0,
  groups: GROUPS,
  rows: [
    {
      id: 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n',
      name: 'Shop',
      result: 'changed',
      changes: { interval_seconds: { from: 60, to: 30 } },
      reasons: [],
      errors: [],
    },
  ],
  next_offset: 1,
  alerts: {
    basis: 'replayed',
    from: '2026-01-24T12:00:00.000Z',
    to: '2026-01-31T12:00:00.000Z',
    were: 9,
    tested_were: 9,
    tested_would_have_been: 11,
    monitors_tested: 142,
    complete: true,
  },
};

export const BULK_CHANGE_EXAMPLE = {
  id: 'blk_01kf5e6q0h3v8r2m9x4t7c1z5n',
  operation: 'set',
  fields: ['interval_seconds'],
  tags: [],
  groups: GROUPS,
  state: 'applied',
  total: 142,
  not_found: 0,
  names: ['Shop', 'Shop, checkout', 'Shop, search'],
  done: 142,
  skipped: 0,
  kept: 0,
  without_channels: 0,
  exceptions: [],
  retry_at: null,
  requested_by: 'ana@example.com',
  requested_at: '2026-01-31T12:00:00.000Z',
  finished_at: '2026-01-31T12:00:01.204Z',
  undo_until: '2026-02-01T12:00:01.204Z',
  undone_by: null,
  undone_at: null,
};
