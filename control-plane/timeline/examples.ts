const MONITOR = { type: 'monitor', id: 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'Shop front page' };

/** Example response in the API documentation. A test validates it against its schema. */
export const TIMELINE_EXAMPLE = {
  id: 'tle_01kf5e6q0h3v8r2m9x4t7c1z5n',
  at: '2026-01-24T03:14:07.211Z',
  type: 'incident.opened',
  resource: MONITOR,
  message:
    'Shop front page is down: 3 of 3 locations fail with connection refused (fra, nyc, sin). First failed check 03:14:02 UTC.',
  actor: 'system',
  metadata: { incident_id: 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n', severity: 'critical', kind: 'monitor' },
};
