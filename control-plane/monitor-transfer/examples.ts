/** Replies as the API documentation shows them. A test validates each against its schema. */

const MONITOR_ID = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';

export const IMPORT_EXAMPLE = {
  dry_run: true,
  format: 'picket',
  summary: { created: 1, updated: 1, unchanged: 0, refused: 0 },
  monitors: [
    {
      name: 'Shop',
      action: 'updated',
      id: MONITOR_ID,
      changes: ['interval_seconds'],
      reasons: [],
      errors: [],
      notes: [],
      warnings: [],
    },
    { name: 'Mail', action: 'created', id: null, changes: [], reasons: [], errors: [], notes: [], warnings: [] },
  ],
};
