import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createActionLink } from '../../../control-plane/on-call/action-link.js';
import { ROLES, type Role } from '../../../control-plane/roles.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { testDatabase } from '../../helpers/database.js';
import { openEvents } from '../../helpers/live/event-client.js';
import { enrolNode } from '../../helpers/node-link/fake-node.js';
import { buildIncident } from '../../helpers/notifications/build.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { type Person, requestAs, storePerson, storeSession } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

const NOTICED_MS = 60_000;

const mongo = await testDatabase();
const plane = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await plane.remove();
  await mongo.drop();
});
const { url } = plane;
/** The only workspace, which is that of the operators: its admins also create join tokens of probes. */
const workspaceId = String((await mongo.db.collection<{ _id: string }>('workspaces').findOne({}))?._id);
const owner = await storePerson(mongo, workspaceId, 'owner');
const memberships = mongo.db.collection<{ _id: string }>('memberships');
const ids = createIds(systemClock, systemRandom);
const secretKey = Buffer.from(await readFile(join(plane.dataDir, 'keys/secret.key'), 'utf8'), 'hex');
const signLink = createActionLink(createSecretBox(secretKey, systemRandom), url);

async function created(credential: string, path: string, body: unknown = {}) {
  const answer = await requestAs(url, credential, ['POST', path, body]);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body.data;
}

/** Something that a person made, or got. */
interface Made {
  /** Whether it still gives access. What can be used once is used up by a call that resolves to true. */
  works(): Promise<boolean>;
  close?(): void;
}

/** One kind of access: who can make it, and with which role of its maker it goes on. null: not a member any more. */
interface Kind {
  madeBy: readonly Role[];
  worksWith(role: Role | null): boolean;
  make(person: Person): Promise<Made>;
}

const writes = (role: Role | null) => role !== null && role !== 'viewer';
const manages = (role: Role | null) => role === 'owner' || role === 'admin';
const status = async (credential: string, request: [string, string, unknown?]) =>
  (await requestAs(url, credential, request)).status;
const joins = (token: string) =>
  enrolNode(token).then(
    (node) => {
      node.close();
      return true;
    },
    () => false,
  );

const invitation = (role: Role, worksWith: (role: Role | null) => boolean): Kind => ({
  madeBy: role === 'owner' ? ['owner'] : ['owner', 'admin'],
  worksWith,
  async make({ key }) {
    const email = `${ids.next('usr')}@example.com`;
    const { accept_url: link } = await created(key, '/v1/team/invitations', { email, role });
    const { token } = Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)));
    const preview = () => requestAs(url, null, ['POST', '/v1/team/invitations/preview', { token }]);
    return { works: async () => (await preview()).status === 200 };
  },
});

/** What a plugin says about itself when it uses a code. */
const PLUGIN = { plugin_version: '1.0.0', wp_version: '6.8', php_version: '8.2.1', server: 'Apache' };

/** Everything that gives access to a workspace and was made by, or for, a member. */
const KINDS: Record<string, Kind> = {
  session: {
    madeBy: ROLES,
    worksWith: () => false,
    make: async ({ cookie }) => ({ works: async () => (await status(cookie, ['GET', '/v1/monitors'])) === 200 }),
  },
  'API key that reads': {
    madeBy: ROLES,
    worksWith: (role) => role !== null,
    make: async ({ key }) => ({ works: async () => (await status(key, ['GET', '/v1/monitors'])) === 200 }),
  },
  'API key that writes': {
    madeBy: ['owner', 'admin', 'member'],
    worksWith: writes,
    // The answer is about the right: there is no such server.
    make: async ({ key }) => ({
      works: async () => (await status(key, ['DELETE', `/v1/servers/${ids.next('srv')}`])) === 404,
    }),
  },
  'API key that manages': {
    madeBy: ['owner', 'admin'],
    worksWith: manages,
    make: async ({ key }) => ({ works: async () => (await status(key, ['GET', '/v1/api-keys'])) === 200 }),
  },
  'invitation of an owner': invitation('owner', (role) => role === 'owner'),
  'invitation of a member': invitation('member', manages),
  'join token of a server': {
    madeBy: ['owner', 'admin', 'member'],
    worksWith: writes,
    make: async ({ key }) => {
      const { token } = await created(key, '/v1/servers/join-tokens');
      return { works: () => joins(token) };
    },
  },
  'join token of a probe': {
    madeBy: ['owner', 'admin'],
    worksWith: manages,
    make: async ({ key }) => {
      const { token } = await created(key, '/v1/admin/probes/join-tokens', { location: 'fra' });
      return { works: () => joins(token) };
    },
  },
  'activation code of a WordPress site': {
    madeBy: ['owner', 'admin', 'member'],
    worksWith: writes,
    async make({ key }) {
      const url_ = `https://${ids.next('site').slice(-10)}.example`;
      const { activation_code: code } = await created(key, '/api/v1/wp/admin/sites', { name: 'Blog', url: url_ });
      const body = { ...PLUGIN, code, home_url: url_ };
      const activate = () => requestAs(url, null, ['POST', '/v1/wp/plugin/activate', body]);
      return { works: async () => (await activate()).status === 200 };
    },
  },
  'event stream of a session': {
    madeBy: ROLES,
    worksWith: () => false,
    async make({ cookie }) {
      const stream = await openEvents(url, cookie);
      let isOpen = stream.status === 200;
      void stream.ended.then(() => {
        isOpen = false;
      });
      return { works: async () => isOpen, close: stream.close };
    },
  },
  'link in a notification': {
    // Mails to a viewer have none.
    madeBy: ['owner', 'admin', 'member'],
    worksWith: writes,
    async make({ email }) {
      const config = { to: ['other@example.com', email.toUpperCase()] };
      const channel = await created(owner.key, '/v1/channels', { type: 'email', name: email, config });
      const nowMs = Date.now();
      const incident = buildIncident(workspaceId, { _id: ids.next('inc'), started_at_ms: nowMs });
      await mongo.db.collection<{ _id: string }>('incidents').insertOne({ ...incident });
      const link = signLink({ workspaceId, incidentId: incident._id, channelId: channel.id, atMs: nowMs });
      return { works: async () => (await fetch(link)).status === 200 };
    },
  },
};

/** Makes one of everything that a person with this role can make. */
async function makeAll(role: Role) {
  const person = await storePerson(mongo, workspaceId, role);
  const made: [name: string, kind: Kind, made: Made][] = [];
  for (const [name, kind] of Object.entries(KINDS)) {
    if (kind.madeBy.includes(role)) made.push([name, kind, await kind.make(person)]);
  }
  return { person, made };
}

/** Sees what goes on after a change, and that what has ended stays so when the person gets the earlier role back. */
async function seesEnd(t: Test, from: Role, to: Role | null, change: (person: Person) => Promise<number>) {
  const { person, made } = await makeAll(from);
  const { status: before } = await requestAs(url, person.cookie, ['GET', '/v1/monitors']);
  t.equal(before, 200);
  t.ok([200, 204].includes(await change(person)), 'the change');
  const ended = made.filter(([, kind]) => !kind.worksWith(to));
  // What works once is used up by trying it.
  const isOnce = (name: string) => /^(?:join token|activation code)/.test(name);
  for (const [name, , { works }] of ended.filter(([name]) => !isOnce(name))) {
    await waitFor(`the end of: ${name}`, NOTICED_MS, async () => !(await works()));
  }
  const _id = `${workspaceId}/${person.userId}`;
  const again = { workspace_id: workspaceId, user_id: person.userId, role: from, created_at_ms: Date.now() };
  await memberships.replaceOne({ _id }, again, { upsert: true });
  const back = await storeSession(mongo, { userId: person.userId, workspaceId });
  t.equal(await status(back, ['GET', '/v1/monitors']), 200, 'they are back');
  // A key has the rights of the role of now; one that was revoked stays so.
  for (const [name, , { works }] of ended.filter(([name]) => to === null || !name.startsWith('API key'))) {
    t.equal(await works(), false, `${name} has ended for good`);
  }
  for (const [name, , { works }] of made.filter(([, kind]) => kind.worksWith(to))) {
    t.equal(await works(), true, `${name} goes on`);
  }
  for (const [, , { close }] of made) close?.();
}

for (const role of ROLES) {
  const path = ({ userId }: Person) => `/v1/team/members/${userId}`;
  t.test(`${role}: what they made ends when they are removed`, (t) =>
    seesEnd(t, role, null, (person) => status(owner.key, ['DELETE', path(person)])),
  );
  t.test(`${role}: what they made ends when they leave`, (t) =>
    seesEnd(t, role, null, (person) => status(person.cookie, ['DELETE', path(person)])),
  );
  for (const to of ROLES.filter((other) => other !== role)) {
    t.test(`${role}: what they made that a ${to} may not have ends when they become one`, (t) =>
      seesEnd(t, role, to, (person) => status(owner.key, ['PATCH', path(person), { role: to }])),
    );
  }
}

t.test('join tokens are listed and revoked, without the tokens themselves', async (t) => {
  const member = await storePerson(mongo, workspaceId, 'member');
  const viewer = await storePerson(mongo, workspaceId, 'viewer');
  const elsewhere = await created(owner.cookie, '/v1/auth/workspaces', { name: 'Elsewhere' });
  for (const { path, by, node } of [
    { path: '/v1/servers/join-tokens', by: member, node: 'srv' },
    { path: '/v1/admin/probes/join-tokens', by: owner, node: 'prb' },
  ]) {
    const body = node === 'prb' ? { location: 'fra' } : {};
    const [used, revoked] = [await created(by.key, path, body), await created(by.key, path, body)];
    t.equal(await joins(used.token), true);
    const list = await requestAs(url, by.key, ['GET', `${path}?limit=2`]);
    const maker = { created_by: { id: by.userId, email: by.email } };
    t.match(list.body.data, [
      { id: revoked.id, status: 'open', used_by: null, used_at: null, expires_at: revoked.expires_at, ...maker },
      { id: used.id, status: 'used', used_by: new RegExp(`^${node}_`), ...maker },
    ]);
    t.notMatch(list.text, revoked.token);
    if (node === 'prb') t.match(list.body.data, [{ location: 'fra' }, { location: 'fra' }]);
    const next = await requestAs(url, by.key, ['GET', `${path}?limit=1`]);
    const second = await requestAs(url, by.key, ['GET', `${path}?limit=1&cursor=${next.body.next_cursor}`]);
    t.match([next.body.data[0].id, second.body.data[0].id], [revoked.id, used.id], 'in pages');

    const remove = (credential: string, id: string) => status(credential, ['DELETE', `${path}/${id}`]);
    t.equal(await remove(viewer.key, revoked.id), node === 'prb' ? 404 : 403);
    t.equal(await remove(by.key, used.id), 409, 'it has been used');
    t.equal(await remove(by.key, revoked.id), 204);
    t.equal(await remove(by.key, revoked.id), 404);
    t.equal(await joins(revoked.token), false);
    const action = node === 'prb' ? 'probe.join_token_revoked' : 'server.join_token_revoked';
    const entries = await mongo.db.collection('audit_log').find({ workspace_id: workspaceId, action }).toArray();
    t.match(entries, [
      { actor: { id: by.userId }, metadata: { join_token: revoked.id, made_by: by.email }, severity: 'warning' },
    ]);
  }
  const foreign = await storePerson(mongo, elsewhere.id, 'owner');
  const { id } = await created(member.key, '/v1/servers/join-tokens');
  t.same((await requestAs(url, foreign.key, ['GET', '/v1/servers/join-tokens'])).body.data, []);
  t.equal(await status(foreign.key, ['DELETE', `/v1/servers/join-tokens/${id}`]), 404, 'of another workspace');
});

t.test('a join token of which no maker is stored lets no server join', async (t) => {
  const { id, token } = await created(owner.key, '/v1/servers/join-tokens');
  const tokens = mongo.db.collection('join_tokens');
  await tokens.updateOne({ token_id: id }, { $unset: { maker_id: 1 } });
  await t.rejects(enrolNode(token), /may not add servers/);
  await tokens.updateOne({ token_id: id }, { $set: { maker_id: owner.userId } });
  t.equal(await joins(token), true, 'the refusal has not used it up');
});
