import { type ChangeStep, SECRET } from './change-step.js';

const monitor = {
  name: 'Shop',
  type: 'http',
  url: 'https://127.0.0.1:9/',
  http: { headers: { authorization: SECRET }, body: SECRET },
};

/** A time from now on. */
const now = (ms: number) => ({
  starts_at: new Date().toISOString(),
  ends_at: new Date(Date.now() + ms).toISOString(),
});

/** Monitors, alerts, channels, alert rules, servers and the blacklist monitor, in the order in which they depend on each other. */
export const MONITORING_CHANGES: readonly ChangeStep[] = [
  { route: 'POST /v1/monitors', body: () => monitor, actions: ['monitor.created'], makes: 'monitor' },
  {
    route: 'PATCH /v1/monitors/{id}',
    param: ({ id }) => id('monitor'),
    body: () => ({
      name: 'Store',
      interval_seconds: 30,
      http: { ...monitor.http, headers: { authorization: `${SECRET}2` } },
    }),
    actions: ['monitor.updated'],
    changes: {
      name: { from: 'Shop', to: 'Store' },
      interval_seconds: { from: 60, to: 30 },
      'http.headers': { from: ['authorization'], to: ['authorization'] },
    },
  },
  { route: 'PATCH /v1/monitors/{id}', param: ({ id }) => id('monitor'), body: () => ({ name: 'Store' }), actions: [] },
  { route: 'POST /v1/monitors/{id}/pause', param: ({ id }) => id('monitor'), actions: ['monitor.paused'] },
  { route: 'POST /v1/monitors/{id}/pause', param: ({ id }) => id('monitor'), actions: [] },
  { route: 'POST /v1/monitors/{id}/resume', param: ({ id }) => id('monitor'), actions: ['monitor.resumed'] },
  // Immediate checks store no change.
  { route: 'POST /v1/monitors/{id}/check', param: ({ id }) => id('monitor'), actions: [] },
  {
    route: 'POST /v1/monitors/{id}/backtest',
    param: ({ id }) => id('monitor'),
    body: () => ({ from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() }),
    actions: [],
  },
  {
    route: 'POST /v1/monitors/import',
    body: () => ({
      version: 1,
      monitors: [
        { ...monitor, name: 'Imported' },
        { ...monitor, name: 'Store', interval_seconds: 90 },
      ],
    }),
    actions: ['monitor.updated', 'monitor.created'],
  },
  {
    route: 'POST /v1/monitors/import',
    query: '?dry_run=true',
    body: () => ({ version: 1, monitors: [{ ...monitor, name: 'Third' }] }),
    actions: [],
  },
  {
    route: 'POST /v1/dependencies',
    body: ({ id }) => ({ dependent: { tag: 'rack' }, depends_on: { monitor_id: id('monitor') } }),
    actions: ['dependency.created'],
    makes: 'dependency',
  },
  {
    route: 'DELETE /v1/dependencies/{id}',
    param: ({ id }) => id('dependency'),
    actions: ['dependency.deleted'],
  },
  { route: 'DELETE /v1/monitors/{id}', param: ({ id }) => id('monitor'), actions: ['monitor.deleted'] },
  {
    route: 'POST /v1/alerts/{id}/acknowledge',
    before: ({ incident }) => incident('one'),
    param: ({ id }) => id('one'),
    actions: ['alert.acknowledged'],
  },
  { route: 'POST /v1/alerts/{id}/silence', param: ({ id }) => id('one'), actions: ['alert.silenced'] },
  { route: 'POST /v1/alerts/{id}/unsilence', param: ({ id }) => id('one'), actions: ['alert.unsilenced'] },
  {
    route: 'POST /v1/alerts/{id}/comments',
    param: ({ id }) => id('one'),
    body: () => ({ text: SECRET }),
    actions: ['alert.commented'],
  },
  { route: 'POST /v1/alerts/{id}/resolve', param: ({ id }) => id('one'), actions: ['alert.resolved'] },
  {
    route: 'POST /v1/channels',
    body: () => ({ type: 'slack', name: 'Hook', config: { url: `http://127.0.0.1:8089/${SECRET}` } }),
    actions: ['channel.created'],
    makes: 'channel',
  },
  {
    route: 'PATCH /v1/channels/{id}',
    param: ({ id }) => id('channel'),
    body: () => ({ name: 'Line', config: { url: `http://127.0.0.1:8089/${SECRET}3` } }),
    actions: ['channel.updated', 'integration.credential_rotated'],
    changes: { name: { from: 'Hook', to: 'Line' } },
  },
  {
    route: 'PATCH /v1/channels/{id}',
    param: ({ id }) => id('channel'),
    body: () => ({ config: { url: `http://127.0.0.1:8089/${SECRET}4` } }),
    actions: ['integration.credential_rotated'],
  },
  // It sends a message and stores nothing.
  { route: 'POST /v1/channels/{id}/test', param: ({ id }) => id('channel'), actions: [] },
  {
    route: 'POST /v1/on-call-links/revoke',
    body: () => ({}),
    actions: ['on_call_links.revoked'],
  },
  { route: 'DELETE /v1/channels/{id}', param: ({ id }) => id('channel'), actions: ['channel.deleted'] },
  {
    route: 'POST /v1/alert-rules',
    body: () => ({
      type: 'metric',
      name: 'CPU',
      metric: 'cpu_percent',
      operator: '>',
      threshold: 90,
      severity: 'warning',
    }),
    actions: ['alert_rule.created'],
    makes: 'rule',
  },
  {
    route: 'PATCH /v1/alert-rules/{id}',
    param: ({ id }) => id('rule'),
    body: () => ({ threshold: 95 }),
    actions: ['alert_rule.updated'],
    changes: { threshold: { from: 90, to: 95 } },
  },
  { route: 'DELETE /v1/alert-rules/{id}', param: ({ id }) => id('rule'), actions: ['alert_rule.deleted'] },
  // The first one of a workspace also creates its two default rules.
  {
    route: 'POST /v1/servers/join-tokens',
    actions: ['alert_rule.created', 'alert_rule.created', 'server.join_token_created'],
  },
  { route: 'POST /v1/servers/join-tokens', actions: ['server.join_token_created'], makes: 'server token' },
  {
    route: 'DELETE /v1/servers/join-tokens/{id}',
    param: ({ id }) => id('server token'),
    actions: ['server.join_token_revoked'],
  },
  {
    route: 'PATCH /v1/servers/{id}',
    before: ({ server }) => server('web-1'),
    param: ({ id }) => id('server'),
    body: () => ({ name: 'web-2', tags: ['eu'] }),
    actions: ['server.updated'],
    changes: { name: { from: 'web-1', to: 'web-2' }, tags: { from: [], to: ['eu'] } },
  },
  { route: 'DELETE /v1/servers/{id}', param: ({ id }) => id('server'), actions: ['server.deleted'] },
  // The first one of a workspace also creates its default rule.
  {
    route: 'POST /api/v1/blacklist/monitors',
    body: () => ({ target: 'mail.example.com', frequency: 'daily' }),
    actions: ['alert_rule.created', 'blacklist_monitor.created'],
    makes: 'blacklist',
  },
  {
    route: 'PATCH /api/v1/blacklist/monitors/{id}',
    param: ({ id }) => id('blacklist'),
    body: () => ({ frequency: 'weekly' }),
    actions: ['blacklist_monitor.updated'],
    changes: { frequency: { from: 'daily', to: 'weekly' } },
  },
  {
    route: 'DELETE /api/v1/blacklist/monitors/{id}',
    param: ({ id }) => id('blacklist'),
    actions: ['blacklist_monitor.deleted'],
  },
  // The first one of a workspace also creates its default rule.
  {
    route: 'POST /v1/backup-jobs',
    body: () => ({ name: 'Dump', schedule: { cron: '0 2 * * *', time_zone: 'UTC' } }),
    actions: ['alert_rule.created', 'backup_job.created'],
    makes: 'backup',
  },
  {
    route: 'PATCH /v1/backup-jobs/{id}',
    param: ({ id }) => id('backup'),
    body: () => ({ name: 'Nightly dump', enabled: false }),
    actions: ['backup_job.updated'],
    changes: { name: { from: 'Dump', to: 'Nightly dump' }, enabled: { from: true, to: false } },
  },
  {
    route: 'POST /v1/backup-jobs/preview',
    body: () => ({ schedule: { cron: '0 2 * * *', time_zone: 'UTC' } }),
    actions: [],
  },
  { route: 'POST /v1/backup-jobs/{id}/ping-url', param: ({ id }) => id('backup'), actions: ['backup_job.url_renewed'] },
  { route: 'DELETE /v1/backup-jobs/{id}', param: ({ id }) => id('backup'), actions: ['backup_job.deleted'] },
  {
    route: 'POST /v1/maintenance-windows',
    body: () => ({ name: 'Upgrade', tags: ['nothing'], ...now(3_600_000) }),
    actions: ['maintenance.created'],
    makes: 'window',
  },
  { route: 'POST /v1/maintenance-windows/preview', body: () => now(3_600_000), actions: [] },
  {
    route: 'PATCH /v1/maintenance-windows/{id}',
    param: ({ id }) => id('window'),
    body: () => ({ name: 'Move' }),
    actions: ['maintenance.updated'],
    changes: { name: { from: 'Upgrade', to: 'Move' } },
  },
  {
    route: 'POST /v1/maintenance-windows/{id}/extend',
    param: ({ id }) => id('window'),
    body: () => ({ minutes: 5 }),
    actions: ['maintenance.extended'],
  },
  {
    route: 'POST /v1/maintenance-windows/{id}/end',
    param: ({ id }) => id('window'),
    actions: ['maintenance.ended'],
  },
  {
    route: 'DELETE /v1/maintenance-windows/{id}',
    param: ({ id }) => id('window'),
    actions: ['maintenance.deleted'],
  },
  {
    route: 'POST /v1/maintenance-feeds',
    body: () => ({ name: 'Team' }),
    actions: ['maintenance.feed_created'],
    makes: 'maintenance_feed',
  },
  {
    route: 'DELETE /v1/maintenance-feeds/{id}',
    param: ({ id }) => id('maintenance_feed'),
    actions: ['maintenance.feed_revoked'],
  },
  {
    route: 'POST /v1/status-pages',
    body: () => ({ slug: 'changes', title: 'Example' }),
    actions: ['status_page.created'],
    makes: 'status_page',
  },
  {
    route: 'PATCH /v1/status-pages/{id}',
    param: ({ id }) => id('status_page'),
    body: () => ({ title: 'Example Ltd' }),
    actions: ['status_page.updated'],
    changes: { title: { from: 'Example', to: 'Example Ltd' } },
  },
  {
    route: 'POST /v1/status-pages/{id}/incidents',
    param: ({ id }) => id('status_page'),
    body: () => ({ title: 'Payments fail', text: 'We look.' }),
    actions: ['status_page.incident_created'],
  },
  {
    route: 'POST /v1/status-pages/{id}/subscribers',
    param: ({ id }) => id('status_page'),
    body: () => ({ type: 'webhook', url: 'https://example.com/hook' }),
    actions: ['status_page.subscriber_added'],
  },
  {
    route: 'DELETE /v1/status-pages/{id}',
    param: ({ id }) => id('status_page'),
    actions: ['status_page.deleted'],
  },
  // It only stores its result, for a minute.
  { route: 'POST /api/v1/blacklist/instant-check', body: () => ({ target: 'mail.example.com' }), actions: [] },
];
