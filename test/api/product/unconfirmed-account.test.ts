import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { type Operation, operationsOf } from '../../helpers/team/operations.js';
import { requestAs, storePerson, storeWorkspace } from '../../helpers/team/people.js';

const mongo = await testDatabase();
const { url, remove } = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await remove();
  await mongo.drop();
});

/** What gives access to a workspace or to the account, sends to the outside, or keeps alerts from being sent. */
const GUARDED = [
  'PATCH /api/v1/audit-logs/forwarders/{id}',
  'PATCH /api/v1/client-reports/schedules/{id}',
  'PATCH /v1/channels/{id}',
  'PATCH /v1/maintenance-windows/{id}',
  'PATCH /v1/status-pages/{id}',
  'POST /api/v1/audit-logs/forwarders',
  'POST /api/v1/audit-logs/forwarders/{id}/test',
  'POST /api/v1/client-reports/schedules',
  'POST /v1/admin/probes/join-tokens',
  'POST /v1/api-keys',
  'POST /v1/api-keys/{id}/rotate',
  'POST /v1/auth/passkeys',
  'POST /v1/auth/passkeys/options',
  'POST /v1/channels',
  'POST /v1/channels/{id}/ask',
  'POST /v1/channels/{id}/test',
  'POST /v1/dependencies',
  'POST /v1/maintenance-feeds',
  'POST /v1/maintenance-windows',
  'POST /v1/maintenance-windows/{id}/extend',
  'POST /v1/single-sign-on/domains',
  'POST /v1/single-sign-on/domains/{domain}/verify',
  'POST /v1/status-pages',
  'POST /v1/status-pages/{id}/incidents',
  'POST /v1/status-pages/{id}/incidents/{incidentId}/updates',
  'POST /v1/status-pages/{id}/subscribers',
  'POST /v1/team/invitations',
  'POST /v1/team/invitations/{id}/resend',
  'PUT /v1/single-sign-on',
];

const operations = await operationsOf(url);
const operatorsWorkspaceId = String((await mongo.db.collection<{ _id: string }>('workspaces').findOne({}))?._id);

/** Calls an operation as an owner, with the session or the key. */
async function codeFor(operation: Operation, isConfirmed: boolean, credential: 'cookie' | 'key') {
  const workspaceId = operation.access === 'operator' ? operatorsWorkspaceId : await storeWorkspace(mongo);
  const user = { email_confirmed_at_ms: isConfirmed ? 1 : null };
  const owner = await storePerson(mongo, workspaceId, 'owner', { user });
  const { status, body } = await requestAs(url, owner[credential], [operation.method, operation.path, operation.body]);
  return [status, body?.code] as const;
}

t.test('the API reference says what needs a confirmed address', async (t) => {
  const { body } = await requestAs(url, null, ['GET', '/v1/openapi.json']);
  const documented = operations.filter(({ template, method }) =>
    JSON.stringify(body.paths[template][method.toLowerCase()].responses).includes('email_not_confirmed'),
  );
  t.same(documented.map(({ name }) => name).sort(), GUARDED);
});

for (const name of GUARDED) {
  t.test(`${name} is refused until the address is confirmed`, async (t) => {
    const operation = operations.find((one) => one.name === name);
    if (operation === undefined) throw new Error('there is no such operation');
    t.same(await codeFor(operation, false, 'cookie'), [403, 'email_not_confirmed']);
    t.not((await codeFor(operation, true, 'cookie'))[1], 'email_not_confirmed');
    if (['person', 'owner_session'].includes(operation.access)) return;
    t.same(await codeFor(operation, false, 'key'), [403, 'email_not_confirmed'], 'also with a key from before');
  });
}

t.test('monitors and servers can be added meanwhile', async (t) => {
  const user = { email_confirmed_at_ms: null };
  const { cookie } = await storePerson(mongo, await storeWorkspace(mongo), 'owner', { user });
  const monitor = { name: 'Shop', type: 'http', url: 'https://shop.example/' };
  for (const [path, body] of [
    ['/v1/monitors', monitor],
    ['/v1/servers/join-tokens', {}],
  ] as const) {
    t.equal((await requestAs(url, cookie, ['POST', path, body])).status, 201, path);
  }
});
