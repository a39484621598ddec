import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { buildKey } from '../../helpers/factories.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { type Person, requestAs, storePerson, storeSession, storeWorkspace } from '../../helpers/team/people.js';

/** Who tries what they may not do is on record, as much as who does what they may. */
const mongo = await testDatabase();
const { url, remove } = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await remove();
  await mongo.drop();
});

const as = (person: Person, ...request: [method: string, path: string, body?: unknown]) =>
  requestAs(url, person.cookie, request);
const entries = (workspaceId: string) =>
  mongo.db
    .collection('audit_log')
    .find({ workspace_id: workspaceId, action: /refused$/ })
    .sort({ _id: 1 })
    .toArray();
const memberPath = ({ userId }: Person) => `/v1/team/members/${userId}`;
const invitation = { email: 'new@example.com', role: 'viewer' };

t.test('a request that the role or the state of the workspace forbids is recorded with its actor', async (t) => {
  const workspaceId = await storeWorkspace(mongo);
  const owner = await storePerson(mongo, workspaceId, 'owner');
  const admin = await storePerson(mongo, workspaceId, 'admin');
  const viewer = await storePerson(mongo, workspaceId, 'viewer');
  t.equal((await as(viewer, 'POST', '/v1/team/invitations', invitation)).status, 403);
  t.equal((await as(admin, 'PATCH', memberPath(owner), { role: 'viewer' })).status, 403);
  t.equal((await as(owner, 'DELETE', memberPath(owner))).status, 409);
  t.equal((await as(viewer, 'POST', '/v1/billing/plan', { plan: 'Free' })).status, 403);
  t.equal((await as(owner, 'POST', '/v1/billing/plan', { plan: 'Pro' })).status, 409);
  t.equal((await requestAs(url, admin.key, ['POST', '/v1/workspace/delete', { name: 'x' }])).status, 403);
  t.equal((await as(owner, 'POST', '/v1/auth/me/delete')).status, 409);
  t.match(await entries(workspaceId), [
    {
      ...{ action: 'team.change_refused', severity: 'warning', request_id: /^req_/ },
      actor: { id: viewer.userId, email: viewer.email, ip: '127.0.0.1' },
      resource: { type: 'workspace', id: workspaceId },
      metadata: {
        ...{ request: 'POST /v1/team/invitations', target: null, code: 'forbidden', role: 'viewer' },
        ...{ detail: 'Your role is viewer. This needs the role owner or admin.', user_agent: 'node' },
      },
    },
    { actor: { id: admin.userId }, metadata: { request: 'PATCH /v1/team/members/{id}', target: owner.userId } },
    { actor: { id: owner.userId }, metadata: { request: 'DELETE /v1/team/members/{id}', code: 'conflict' } },
    { action: 'billing.change_refused', actor: { id: viewer.userId }, metadata: { code: 'forbidden' } },
    { action: 'billing.change_refused', actor: { id: owner.userId }, metadata: { code: 'conflict' } },
    { action: 'workspace.change_refused', actor: { id: admin.userId, api_key: { name: 'test' } } },
    { action: 'auth.change_refused', actor: { id: owner.userId }, metadata: { code: 'conflict' } },
  ]);
  const shown = await as(owner, 'GET', '/v1/audit-logs?action=team.change_refused');
  t.equal(shown.body.data.length, 3, 'the log can be filtered by them');
});

t.test('invalid input, unknown objects and missing confirmations are not recorded as refusals', async (t) => {
  const workspaceId = await storeWorkspace(mongo);
  const owner = await storePerson(mongo, workspaceId, 'owner');
  t.equal((await as(owner, 'PATCH', memberPath(owner), { role: 'boss' })).status, 422);
  t.equal((await as(owner, 'DELETE', '/v1/team/members/usr_01jjwzmz000000000000000000')).status, 404);
  const stale = await storeSession(mongo, { userId: owner.userId, workspaceId, confirmed_at_ms: 0 });
  const unconfirmed = await requestAs(url, stale, ['POST', '/v1/team/invitations', invitation]);
  t.equal(unconfirmed.body.code, 'confirmation_required');
  t.same(await entries(workspaceId), []);
});

t.test('whoever has no right to a request is recorded, whatever they ask for', async (t) => {
  const workspaceId = await storeWorkspace(mongo);
  const owner = await storePerson(mongo, workspaceId, 'owner');
  const viewer = await storePerson(mongo, workspaceId, 'viewer');
  const requests = [
    'POST /v1/monitors',
    'POST /v1/alert-rules',
    'POST /v1/channels',
    'POST /v1/maintenance-windows',
    'POST /v1/status-pages',
    'POST /v1/backup-jobs',
    'POST /v1/email-domains',
    'POST /v1/scans',
    'POST /v1/client-reports/schedules',
    'POST /v1/blacklist/monitors',
    'GET /v1/api-keys',
  ];
  for (const request of requests) {
    const [method = '', path = ''] = request.split(' ');
    t.equal((await as(viewer, method, path, method === 'GET' ? undefined : {})).status, 403, request);
  }
  const narrow = { name: 'narrow', scopes: ['monitors:read' as const] };
  const { key } = await buildKey(mongo, { id: workspaceId, userId: owner.userId }, narrow);
  const { status } = await requestAs(url, key, ['GET', '/v1/alerts']);
  t.equal(status, 403, 'a key without the scope');
  const recorded = await entries(workspaceId);
  t.match(
    recorded.map(({ metadata }) => metadata.request.replace('/api/v1/', '/v1/')),
    [...requests, 'GET /v1/alerts'],
  );
  t.ok(recorded.every(({ action, severity }) => action === 'access.refused' && severity === 'warning'));
  t.ok(recorded.slice(0, -1).every(({ actor }) => actor.id === viewer.userId));
  for (let attempt = 0; attempt < 30; attempt += 1) await as(viewer, 'GET', '/v1/api-keys');
  await as(viewer, 'POST', '/v1/auth/confirm', { password: 'wrong' });
  t.equal((await entries(workspaceId)).length, recorded.length, 'the same again within an hour, and a wrong password');
  t.equal((await as(viewer, 'POST', '/v1/team/invitations', invitation)).status, 403);
  t.equal((await entries(workspaceId)).at(-1)?.['action'], 'team.change_refused', 'which hides no other refusal');
  t.match(recorded.at(-1), { metadata: { code: 'insufficient_scope' }, actor: { api_key: { name: 'narrow' } } });
});

t.test('a person who is refused again and again does not fill the log', async (t) => {
  const workspaceId = await storeWorkspace(mongo);
  const viewer = await storePerson(mongo, workspaceId, 'viewer');
  const attempts = 50;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    t.equal((await as(viewer, 'POST', '/v1/team/invitations', invitation)).status, 403);
  }
  const { length } = await entries(workspaceId);
  // A minute of the wall clock can end in between.
  t.ok(length >= 20 && length <= 40, `${length} entries`);
});

t.test('refused changes of keys, single sign-on, forwarders and join tokens are recorded', async (t) => {
  const workspaceId = await storeWorkspace(mongo);
  await storePerson(mongo, workspaceId, 'owner');
  const viewer = await storePerson(mongo, workspaceId, 'viewer');
  const requests: [request: string, path: string, action: string][] = [
    ['POST /v1/api-keys', '/v1/api-keys', 'api_key.change_refused'],
    ['POST /v1/api-keys/{id}/rotate', '/v1/api-keys/key_01jjwzmz000000000000000000/rotate', 'api_key.change_refused'],
    ['DELETE /v1/api-keys/{id}', '/v1/api-keys/key_01jjwzmz000000000000000000', 'api_key.change_refused'],
    ['PUT /v1/single-sign-on', '/v1/single-sign-on', 'integration.change_refused'],
    ['DELETE /v1/single-sign-on', '/v1/single-sign-on', 'integration.change_refused'],
    ['POST /v1/single-sign-on/domains', '/v1/single-sign-on/domains', 'integration.change_refused'],
    ['POST /api/v1/audit-logs/forwarders', '/v1/audit-logs/forwarders', 'integration.change_refused'],
    ['POST /v1/servers/join-tokens', '/v1/servers/join-tokens', 'integration.change_refused'],
  ];
  for (const [request, path] of requests) {
    t.equal((await as(viewer, request.split(' ')[0] ?? '', path, {})).status, 403, request);
  }
  t.match(
    await entries(workspaceId),
    requests.map(([request, , action]) => ({
      ...{ action, severity: 'warning', actor: { id: viewer.userId } },
      metadata: { request, code: 'forbidden', role: 'viewer' },
    })),
  );
});

t.test('who gets all secrets of monitors, or the audit log, is recorded before the file is sent', async (t) => {
  const workspaceId = await storeWorkspace(mongo);
  const owner = await storePerson(mongo, workspaceId, 'owner');
  for (const path of [
    '/v1/monitors/export',
    '/v1/monitors/export?secrets=include&format=json',
    '/v1/audit-logs',
    '/v1/audit-logs?format=csv&action=monitor.created',
  ]) {
    t.equal((await as(owner, 'GET', path)).status, 200, path);
  }
  const log = mongo.db.collection('audit_log');
  t.match(await log.find({ workspace_id: workspaceId }).sort({ _id: 1 }).toArray(), [
    {
      action: 'monitor.secrets_exported',
      severity: 'warning',
      actor: { id: owner.userId },
      metadata: { format: 'json' },
    },
    {
      ...{ action: 'audit.exported', severity: 'warning', actor: { id: owner.userId } },
      metadata: { format: 'csv', from: null, to: null, of_action: 'monitor.created', of_actor: null },
    },
  ]);
  t.equal(await log.countDocuments({ workspace_id: workspaceId }), 2, 'other reads are not');
});
