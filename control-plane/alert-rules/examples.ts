/** Answers as the documentation shows them. A test holds each against its schema. */

export const RULE_EXAMPLE = {
  id: 'rule_01kf5e6q0h3v8r2m9x4t7c1z5n',
  name: 'CPU is busy',
  type: 'metric',
  metric: 'cpu_percent',
  operator: '>',
  threshold: 90,
  for_seconds: 300,
  within_hours: null,
  severity: 'warning',
  server_ids: null,
  tags: ['production'],
  blacklist_monitor_ids: null,
  channels: null,
  enabled: true,
  created_at: '2026-01-03T08:15:00.000Z',
  updated_at: '2026-01-20T16:42:10.000Z',
};

export const DISK_RULE_EXAMPLE = {
  ...RULE_EXAMPLE,
  ...{ name: 'Disk full within a day', type: 'disk_full', metric: 'disk_full' },
  ...{ operator: null, threshold: null, for_seconds: null, within_hours: 24, tags: null },
};

export const LISTING_RULE_EXAMPLE = {
  ...RULE_EXAMPLE,
  ...{ name: 'Our mail servers are listed', type: 'blacklist_listed', metric: 'blacklist_listed' },
  ...{ operator: null, threshold: null, for_seconds: null, tags: null },
  blacklist_monitor_ids: ['blm_01kf5e6q0h3v8r2m9x4t7c1z5n'],
};
