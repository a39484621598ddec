import { readFile } from 'node:fs/promises';
import t from 'tap';
import type { AuditAction } from '../../../control-plane/audit/audit.js';
import { MASS_DELETION_ENTRIES, severityOf } from '../../../control-plane/audit/severity.js';
import { DECLARED } from '../../helpers/declared.js';

const of = (action: AuditAction, metadata: Record<string, unknown> = {}, type = 'any', deletions = 0) =>
  severityOf({ action, resource: { type, id: 'id', name: 'name' }, metadata }, deletions);

/** The severities of the documentation, by action: the last severity of a row is the one without a condition. */
async function documented(): Promise<Map<string, string>> {
  const page = await readFile('docs/api.md', 'utf8');
  const rows = [...page.matchAll(/^\| (`[a-z_]+\.[a-z_]+`.*?) \| (.*) \|$/gm)];
  return new Map(
    rows.flatMap(([, actions = '', severities = '']) => {
      const severity = [...severities.matchAll(/`(info|warning|critical)`/g)].at(-1)?.[1];
      return severity === undefined
        ? []
        : [...actions.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, action = '']) => [action, severity] as const);
    }),
  );
}

t.test('every action has the severity of the documentation', async (t) => {
  const table = await documented();
  t.ok(table.size > 15, 'the table was found');
  for (const action of DECLARED.auditActions) t.equal(of(action), table.get(action) ?? 'info', action);
  const declared = new Set<string>(DECLARED.auditActions);
  t.same(
    [...table.keys()].filter((action) => !declared.has(action)),
    [],
    'each action of the table exists',
  );
});

t.test('every action that removes something is at least a warning, also one that a slice declares later', async (t) => {
  const removing = DECLARED.auditActions.filter((action) => /(deleted|removed|revoked|disconnected)$/.test(action));
  t.ok(removing.length > 8);
  for (const action of removing) t.not(of(action), 'info', action);
  t.equal(of('tide.deleted'), 'warning');
});

t.test('the content of an entry can raise or lower its severity', async (t) => {
  t.equal(of('api_key.created', { scopes: ['*'] }), 'critical');
  t.equal(of('api_key.created', { scopes: ['monitors:read'] }), 'info');
  t.equal(of('forwarder.updated', { changes: { target: { from: 'a', to: 'b' } } }), 'critical');
  const name = { from: 'a', to: 'b' };
  t.equal(of('forwarder.updated', { changes: { name, paused: { from: false, to: true } } }), 'critical');
  t.equal(of('forwarder.updated', { changes: { name, paused: { from: true, to: false } } }), 'warning');
  t.equal(of('forwarder.updated', { changes: { name } }), 'warning');
  const role = (from: string, to: string) => of('team.role_changed', { changes: { role: { from, to } } });
  t.equal(role('admin', 'owner'), 'critical');
  t.equal(role('owner', 'admin'), 'critical');
  t.equal(role('viewer', 'admin'), 'warning');
  t.equal(of('team.member_removed', { role: 'owner' }), 'critical');
  t.equal(of('team.member_removed', { role: 'member' }), 'warning');
  for (const action of ['team.member_invited', 'team.member_joined'] as const) {
    t.equal(of(action, { role: 'owner' }), 'critical');
    t.equal(of(action, { role: 'admin' }), 'info');
  }
  t.equal(of('integration.credential_rotated', {}, 'forwarder'), 'warning');
  t.equal(of('integration.credential_rotated', {}, 'channel'), 'warning');
  for (const node of ['probe', 'server']) t.equal(of('integration.credential_rotated', {}, node), 'info');
  t.equal(of('monitor.deleted', {}, 'monitor', MASS_DELETION_ENTRIES - 1), 'warning');
  t.equal(of('monitor.deleted', {}, 'monitor', MASS_DELETION_ENTRIES), 'critical');
});
