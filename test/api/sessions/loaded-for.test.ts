import t from 'tap';
import { Type } from 'typebox';
import { mutationRoute, readRoute } from '../../../control-plane/http/route.js';
import { startApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';
import { storePerson, storeSession, storeWorkspace } from '../../helpers/team/people.js';

const mongo = await testDatabase();
let changes = 0;
const common = { tag: 'T', summary: 'S', replies: { 200: Type.Object({ workspace: Type.String() }) } } as const;
const ROUTES = [
  readRoute({
    ...{ ...common, method: 'GET', path: '/v1/where', access: 'any' },
    handle: async ({ actor }) => ({ status: 200, data: { workspace: actor.workspaceId } }),
  }),
  mutationRoute({
    ...{ ...common, method: 'POST', path: '/v1/where', access: 'any' },
    async handle({ actor }) {
      changes += 1;
      return { status: 200, data: { workspace: actor.workspaceId } };
    },
  }),
];
const [one, other] = await Promise.all([startApp({ mongo, routes: ROUTES }), startApp({ mongo, routes: ROUTES })]);
t.teardown(async () => {
  await Promise.all([one.close(), other.close()]);
  await mongo.drop();
});

/** A person with two workspaces and a session in the first. */
async function somebody() {
  const [first, second] = [await storeWorkspace(mongo), await storeWorkspace(mongo)];
  const person = await storePerson(mongo, first, 'owner');
  await storePerson(mongo, second, 'owner', { existing: person });
  return { ...person, first, second };
}

const page = (cookie: string, loadedFor: string) => ({
  ...{ key: null, headers: { cookie, 'picket-loaded-for': loadedFor, origin: 'http://picket.test' } },
});

t.test(
  'nothing of a session is read or changed by a page that was loaded for another workspace or person',
  async (t) => {
    const person = await somebody();
    const { first, second, cookie, userId } = person;
    const stranger = await storePerson(mongo, first, 'member');
    for (const loadedFor of [`${second} ${userId}`, `${first} ${stranger.userId}`]) {
      for (const method of ['GET', 'POST']) {
        const { status, body, headers } = await one.request(method, '/v1/where', page(cookie, loadedFor));
        t.match({ status, code: body.code }, { status: 409, code: 'conflict' }, `${method} ${loadedFor}`);
        t.equal(headers.get('picket-loaded-for'), `${first} ${userId}`, 'whose it is now');
      }
    }
    t.equal(changes, 0);
    const right = await one.request('GET', '/v1/where', page(cookie, `${first} ${userId}`));
    t.equal(right.status, 200);
    t.equal(right.headers.get('picket-loaded-for'), null, 'the page knows it');
    for (const loadedFor of ['unknown', 'ws_x', '', `${second} ${userId} and more`]) {
      const { status, headers } = await one.request('GET', '/v1/where', page(cookie, loadedFor));
      t.equal(status, 200, loadedFor);
      t.equal(headers.get('picket-loaded-for'), `${first} ${userId}`, 'a page that does not know is told');
    }
    t.equal((await one.request('POST', '/v1/where', page(cookie, `${first} ${userId}`))).status, 200);
    const withKey = { key: person.key, headers: { 'picket-loaded-for': `${second} ${userId}` } };
    t.equal((await one.request('GET', '/v1/where', withKey)).status, 200, 'a key is always of one workspace');
    const unknown = await one.request('GET', '/v1/where', { ...withKey, headers: { 'picket-loaded-for': 'unknown' } });
    t.equal(unknown.headers.get('picket-loaded-for'), null, 'keys ignore the header');
  },
);

t.test('another control plane does not answer for the workspace that the session has left', async (t) => {
  const { first, second, userId } = await somebody();
  const cookie = await storeSession(mongo, { userId, workspaceId: first });
  const where = async (loadedFor: string) =>
    (await other.request<{ workspace: string }>('GET', '/v1/where', page(cookie, loadedFor))).body.data?.workspace;
  t.equal(await where(`${first} ${userId}`), first);
  await mongo.db.collection('sessions').updateMany({ user_id: userId }, { $set: { workspace_id: second } });
  t.equal(await where(`${second} ${userId}`), second, 'the page that was loaded after the switch');
  t.equal((await other.request('GET', '/v1/where', page(cookie, `${first} ${userId}`))).status, 409, 'the page before');
});

t.test('a page that does not know yet is told the present', async (t) => {
  const { first, second, userId, cookie } = await somebody();
  const where = async () =>
    (await other.request<{ workspace: string }>('GET', '/v1/where', page(cookie, 'unknown'))).body.data.workspace;
  t.equal(await where(), first);
  await mongo.db.collection('sessions').updateMany({ user_id: userId }, { $set: { workspace_id: second } });
  t.equal(await where(), second);
});
