import t from 'tap';
import type { WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { operationsOf } from '../../helpers/team/operations.js';
import { requestAs, storePerson, storeWorkspace } from '../../helpers/team/people.js';

const mongo = await testDatabase();
const { url, remove } = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await remove();
  await mongo.drop();
});

/** Every secret of the test contains this word. */
const SECRET = 'cormorant';

/** What is created, by the start of the paths under which it is read. */
const OBJECTS: [path: string, body: Record<string, unknown>][] = [
  [
    '/v1/monitors',
    {
      ...{ name: 'm', type: 'http', url: `http://user:${SECRET}@127.0.0.1:8999/` },
      http: { headers: { authorization: `Bearer ${SECRET}` }, method: 'POST', body: `{"key":"${SECRET}"}` },
    },
  ],
  [
    '/v1/channels',
    { type: 'telegram', name: 'a', config: { bot_token: `123456789:${SECRET}${'x'.repeat(27)}`, chat_id: '1' } },
  ],
  ['/v1/channels', { type: 'slack', name: 'b', config: { url: `https://hooks.slack.com/services/T0/B0/${SECRET}` } }],
  ['/v1/channels', { type: 'webhook', name: 'c', config: { url: `http://127.0.0.1:8999/${SECRET}/hook-of-the-team` } }],
  [
    '/v1/channels',
    { type: 'ntfy', name: 'd', config: { url: 'http://127.0.0.1:8999', topic: `${SECRET}-topic`, token: SECRET } },
  ],
  ['/api/v1/audit-logs/forwarders', { target: 'https://127.0.0.1:8999/siem', auth: `Bearer ${SECRET}`, paused: true }],
];

t.test('a viewer can read everything except secrets', async (t) => {
  const workspaceId = await storeWorkspace(mongo);
  const owner = await storePerson(mongo, workspaceId, 'owner');
  const viewer = await storePerson(mongo, workspaceId, 'viewer');
  const ids = new Map<string, string[]>();
  /** What only the answer to the creation shows. */
  const secrets = [SECRET];
  for (const [path, body] of OBJECTS) {
    const created = await requestAs(url, owner.cookie, ['POST', path, body]);
    t.equal(created.status, 201, created.text);
    if (typeof created.body.data.secret === 'string') secrets.push(created.body.data.secret);
    ids.set(path, [...(ids.get(path) ?? []), created.body.data.id]);
    const { id } = created.body.data;
    await requestAs(url, owner.cookie, ['PATCH', `${path}/${id}`, { name: 'renamed' }]);
  }
  const paths = (await operationsOf(url))
    .filter(({ method, access }) => method === 'GET' && access !== 'public' && access !== 'operator')
    .flatMap(({ template, path, roles }) => {
      const start = template.split('/{')[0] ?? template;
      const real = template.includes('{id}') ? (ids.get(start) ?? []) : [];
      const all = real.length === 0 ? [path] : real.map((id) => path.replace(/\/[a-z]+_[0-9a-z]{26}/, `/${id}`));
      return all.map((tried) => ({ path: tried, isFor: roles }));
    });
  const reads = [...paths, { path: '/api/v1/audit-logs?format=json', isFor: ['viewer'] }];
  let read = 0;
  for (const { path, isFor } of reads) {
    for (const credential of [viewer.cookie, viewer.key]) {
      const answer = await requestAs(url, credential, ['GET', path]);
      for (const secret of secrets) t.notOk(answer.text.includes(secret), `${path}: ${answer.text.slice(0, 500)}`);
      if (answer.status === 200) read += 1;
      else if (isFor.includes('viewer') && credential === viewer.cookie) t.not(answer.status, 403, answer.text);
    }
  }
  t.ok(secrets.length > 1, 'there was such a secret');
  t.ok(read > 40, `${read} answers`);

  const [monitor] = ids.get('/v1/monitors') ?? [];
  const member = await storePerson(mongo, workspaceId, 'member');
  const shown = await requestAs(url, member.cookie, ['GET', `/v1/monitors/${monitor}`]);
  t.match(shown.text, SECRET, 'a member sees the secrets of monitors');
  t.match((await requestAs(url, viewer.cookie, ['GET', `/v1/monitors/${monitor}`])).body.data.http, {
    headers: { authorization: '***' },
    body: '***',
  });
  t.match(await mongo.db.collection<WorkspaceDocument>('workspaces').findOne({ _id: workspaceId }), {
    plan: 'Enterprise',
  });
});
