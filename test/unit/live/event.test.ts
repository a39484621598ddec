import t from 'tap';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { meaningOfEntry, meaningOfLine } from '../../../control-plane/live/event.js';

const LINE = {
  ...{ id: 'tle_1', atMs: 1_000, message: 'secret-sentence', actor: 'ada@example.com' },
  resource: { type: 'monitor', id: 'mon_1', name: 'Shop' },
};

/** Returns an audit entry whose metadata, actor and name must not be seen. */
function entry(action: AuditDocument['action'], type = 'thing'): AuditDocument {
  return {
    ...{ _id: 'evt_1', workspace_id: 'ws_1', at_ms: 1_000, action, severity: 'info', request_id: 'req_1' },
    actor: { id: 'usr_1', email: 'ada@example.com', ip: '192.0.2.1' },
    resource: { type, id: 'id_1', name: 'grace@example.com' },
    metadata: { changes: { url: { from: 'secret-a', to: 'secret-b' } } },
    ...{ hash: null, previous_hash: null },
  };
}

t.test('lines of the timeline', (t) => {
  const at = '1970-01-01T00:00:01.000Z';
  t.same(meaningOfLine({ ...LINE, type: 'monitor.status_changed', metadata: { from: 'up', to: 'down' } }), {
    event: { type: 'monitor', scope: 'monitors:read', data: { id: 'mon_1', name: 'Shop', status: 'down', since: at } },
    endsAccess: false,
  });
  const metadata = { incident_id: 'inc_1', severity: 'critical', kind: 'monitor', decision: 'secret' };
  t.same(meaningOfLine({ ...LINE, type: 'incident.acknowledged', metadata }).event, {
    ...{ type: 'incident', scope: 'alerts:read' },
    data: {
      ...{ id: 'inc_1', change: 'acknowledged', kind: 'monitor', severity: 'critical', at },
      resource: { type: 'monitor', id: 'mon_1' },
    },
  });
  t.same(meaningOfLine({ ...LINE, type: 'certificate.changed', metadata: { fingerprint: 'secret' } }).event, {
    ...{ type: 'change', scope: 'monitors:read' },
    data: { action: 'certificate.changed', resource: { type: 'monitor', id: 'mon_1' }, at },
  });
  t.end();
});

t.test('audit entries are changes, for who may read what changed', (t) => {
  const scopes = {
    'monitor.updated': 'monitors:read',
    'server.deleted': 'servers:read',
    'channel.created': 'channels:read',
    'alert_rule.updated': 'alerts:read',
    'blacklist_monitor.deleted': 'blacklist:read',
    'email_domain.updated': 'email_domains:read',
    'scan.deleted': 'scans:read',
    'team.role_changed': 'audit:read',
    'constructor.updated': 'audit:read',
  };
  for (const [action, scope] of Object.entries(scopes)) {
    const { event } = meaningOfEntry(entry(action as AuditDocument['action']));
    t.match(event, { type: 'change', scope, data: { action, resource: { type: 'thing', id: 'id_1' } } });
    t.notMatch(JSON.stringify(event), /secret|example\.com|192\.0/);
  }
  for (const action of ['team.change_refused', 'alert.resolved', 'auth.login', 'auth.login_failed', 'auth.logout'])
    t.equal(meaningOfEntry(entry(action as AuditDocument['action'])).event, null, action);
  t.end();
});

t.test('what may end the access of somebody', (t) => {
  const ending = ['auth.logout', 'auth.session_ended', 'api_key.revoked', 'team.member_removed', 'workspace.suspended'];
  for (const action of ending) t.ok(meaningOfEntry(entry(action as AuditDocument['action'])).endsAccess, action);
  for (const action of ['auth.login', 'auth.login_failed', 'monitor.updated', 'team.change_refused'])
    t.notOk(meaningOfEntry(entry(action as AuditDocument['action'])).endsAccess, action);
  t.end();
});
