import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { requestAs, storePerson, storeSession, storeWorkspace } from '../../helpers/team/people.js';

const mongo = await testDatabase();
const { url, remove } = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await remove();
  await mongo.drop();
});

t.test('a person sees and ends their sessions also while the workspace is suspended', async (t) => {
  const workspaceId = await storeWorkspace(mongo, { suspended: { at_ms: Date.now(), reason: 'Unpaid.' } });
  const { cookie, userId } = await storePerson(mongo, workspaceId, 'owner');
  const send = (method: string, path: string) => requestAs(url, cookie, [method, path]);
  t.equal((await send('GET', '/v1/team/members')).status, 403, 'the workspace is stopped');
  await storeSession(mongo, { userId, workspaceId });
  await storeSession(mongo, { userId, workspaceId });
  const list = await send('GET', '/v1/auth/sessions');
  t.equal(list.status, 200, list.text);
  t.equal(list.body.data.length, 3);
  const other = list.body.data.find(({ current }: { current: boolean }) => !current).id;
  t.equal((await send('GET', `/v1/auth/sessions/${other}`)).status, 200);
  t.equal((await send('DELETE', `/v1/auth/sessions/${other}`)).status, 204);
  t.equal((await send('DELETE', '/v1/auth/sessions')).status, 204);
  t.equal((await send('GET', '/v1/auth/sessions')).body.data.length, 1);
});
