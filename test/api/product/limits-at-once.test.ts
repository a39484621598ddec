import t from 'tap';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { testDatabase } from '../../helpers/database.js';
import { buildIncident } from '../../helpers/notifications/build.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { operationsOf } from '../../helpers/team/operations.js';
import { type Person, requestAs, storePerson, storeWorkspace } from '../../helpers/team/people.js';

/** Two control planes of one installation: no limit is kept by the memory of a process. */
const mongo = await testDatabase();
const first = await startControlPlane(mongo.uri);
const { PICKET_HTTP_PORT: _http, PICKET_GRPC_PORT: _grpc, ...installation } = first.env;
const second = await startControlPlane(mongo.uri, installation);
t.teardown(async () => {
  await second.stop();
  await first.remove();
  await mongo.drop();
});

const AT_ONCE = 50;
/** How many of them there is room for. */
const ROOM = 5;
const ids = createIds(systemClock, systemRandom);

interface Limited {
  plan: PlanName;
  max: number;
  body(index: number): object;
  /** Where the created things are, and the fields that no two of them share. */
  collection: string;
  unique?(index: number): object;
  /** Refusals of those beyond the limit. */
  status: 402 | 409;
}

/** Every route that creates something of which a workspace has a limited number. */
const LIMITED: Record<string, Limited> = {
  'POST /v1/monitors': {
    ...{ plan: 'Free', max: 20, collection: 'monitors', status: 402 },
    body: (index) => ({ name: `Monitor ${index}`, type: 'http', url: `https://example.com/${index}` }),
  },
  'POST /api/v1/blacklist/monitors': {
    ...{ plan: 'Pro', max: 50, collection: 'blacklist_monitors', status: 402 },
    body: (index) => ({ target: `site-${index}.example.com`, frequency: 'daily' }),
    unique: (index) => ({ target: `copy-${index}.example.com` }),
  },
  'POST /api/v1/email-domains': {
    ...{ plan: 'Pro', max: 50, collection: 'email_domains', status: 402 },
    body: (index) => ({ name: `site-${index}.example.com` }),
    unique: (index) => ({ name: `copy-${index}.example.com` }),
  },
  'POST /v1/channels': {
    ...{ plan: 'Free', max: 100, collection: 'channels', status: 409 },
    body: (index) => ({ type: 'webhook', name: `Hook ${index}`, config: { url: 'https://example.com/hook' } }),
  },
  'POST /v1/alert-rules': {
    ...{ plan: 'Free', max: 500, collection: 'alert_rules', status: 409 },
    body: (index) => ({ name: `Rule ${index}`, metric: 'cpu_percent', operator: '>', threshold: 90 }),
  },
  'POST /v1/api-keys': {
    ...{ plan: 'Enterprise', max: 100, collection: 'api_keys', status: 409 },
    body: (index) => ({ name: `Key ${index}`, scopes: ['monitors:read'] }),
    unique: (index) => ({ hash: `hash-${index}-${systemRandom.bytes(8).toString('hex')}` }),
  },
  'POST /api/v1/audit-logs/forwarders': {
    ...{ plan: 'Enterprise', max: 10, collection: 'audit_forwarders', status: 409 },
    // Paused: nothing is sent.
    body: () => ({ target: 'https://siem.example.com/', paused: true }),
  },
  'POST /v1/team/invitations': {
    ...{ plan: 'Free', max: 100, collection: 'invitations', status: 409 },
    body: (index) => ({ email: `guest-${index}@example.com`, role: 'viewer' }),
    unique: (index) => ({ email: `copy-${index}@example.com`, token_hash: `hash-${index}` }),
  },
  'POST /v1/single-sign-on/domains': {
    ...{ plan: 'Enterprise', max: 50, collection: 'single_sign_on_domains', status: 409 },
    body: (index) => ({ domain: `domain-${index}.example.com` }),
    unique: (index) => ({ domain: `copy-${index}.example.com` }),
  },
  'POST /api/v1/wp/admin/sites': {
    ...{ plan: 'Pro', max: 20, collection: 'wp_sites', status: 402 },
    body: (index) => ({ name: `Site ${index}`, url: `https://site-${index}.example.com` }),
    unique: (index) => ({ url: `https://copy-${index}.example.com`, code: null }),
  },
  'POST /v1/status-pages': {
    plan: 'Pro',
    max: 10,
    collection: 'status_pages',
    status: 402,
    body: (index) => ({ slug: `page-${index}`, title: `Page ${index}` }),
    unique: (index) => ({ slug: `copy-${index}` }),
  },
  'POST /v1/maintenance-feeds': {
    ...{ plan: 'Free', max: 20, collection: 'maintenance_feeds', status: 409 },
    body: (index) => ({ name: `Feed ${index}` }),
    unique: (index) => ({ token_hash: `hash ${index}` }),
  },
  'POST /api/v1/client-reports/schedules': {
    ...{ plan: 'Pro', max: 50, collection: 'client_report_schedules', status: 402 },
    body: (index) => ({
      ...{ name: `Schedule ${index}`, cron: '0 8 1 * *', period: 'previous_month' },
      ...{ recipients: ['client@example.com'], title: 'Report', client_name: 'Example Ltd' },
    }),
  },
  'POST /v1/backup-jobs': {
    ...{ plan: 'Pro', max: 50, collection: 'backup_jobs', status: 402 },
    body: (index) => ({ name: `Job ${index}`, schedule: { cron: '0 2 * * *', time_zone: 'UTC' } }),
    unique: (index) => ({ token_hash: `copy-${index}` }),
  },
  'POST /v1/maintenance-windows': {
    ...{ plan: 'Free', max: 20, collection: 'maintenance_windows', status: 409 },
    body: (index) => ({
      ...{ name: `Window ${index}`, everything: true },
      ...{ starts_at: '2099-01-01T00:00:00Z', ends_at: '2099-01-01T01:00:00Z' },
    }),
  },
};

/** Routes that create something else, and why this test does not go through them. */
const OTHERS: Record<string, string> = {
  'POST /v1/dependencies': 'names a monitor of the workspace: test/api/dependencies/routes.test.ts',
  'POST /v1/auth/workspaces': 'the limit is of a person: the test below',
  'POST /v1/alerts/{id}/comments': 'the limit is of an incident: the test below',
  'POST /v1/status-pages/{id}/subscribers':
    'the limit is of addresses that confirm: test/api/status-pages/subscribers/api.test.ts',
  'POST /v1/status-pages/{id}/incidents': 'the limit is of a page: test/api/status-pages/incidents.test.ts',
  'POST /v1/auth/signup': 'has no limit of number',
  'POST /v1/auth/passkeys': 'needs an authenticator; each writes the one document of the person',
  'POST /api/v1/wp/admin/sites/{id}/activation-code': 'replaces the code of the site',
  'POST /v1/api-keys/{id}/rotate': 'the same function as POST /v1/api-keys',
  'POST /v1/servers/join-tokens': 'a token is no server: the limit is checked again when a server joins',
  'POST /v1/admin/locations': 'has no limit of number',
  'POST /v1/admin/probes/join-tokens': 'has no limit of number',
};

type Call = (index: number) => Promise<{ status: number; text: string }>;

/** Sends as many requests as there are at once, half to each control plane. Resolves to the count of each status. */
async function atOnce(send: (url: string) => Call): Promise<Record<string, number>> {
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      const call = send(index % 2 === 0 ? first.url : second.url);
      // A transaction that others overtook too often is refused with 503, and a client sends it again.
      for (;;) {
        const answer = await call(index);
        if (answer.status !== 503) return answer;
      }
    }),
  );
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function createdBy(person: Person, route: string, { body, collection, max, unique }: Limited): Promise<void> {
  const [method = '', path = ''] = route.split(' ');
  const made = await requestAs(first.url, person.cookie, [method, path, body(AT_ONCE)]);
  t.equal(made.status, 201, `${route}: ${made.text}`);
  const things = mongo.db.collection<{ _id: string }>(collection);
  const all = await things.find({ workspace_id: person.workspaceId }).toArray();
  const one = all.at(-1);
  const copies = Array.from({ length: max - ROOM - all.length }, (_, index) => ({
    ...one,
    ...{ _id: ids.next('tst'), workspace_id: person.workspaceId },
    ...unique?.(index),
  }));
  await things.insertMany(copies);
}

t.test('every route that creates something is one of them', async (t) => {
  const document = (await requestAs(first.url, null, ['GET', '/v1/openapi.json'])).body;
  const creating = (await operationsOf(first.url)).filter(
    ({ method, template }) => document.paths[template][method.toLowerCase()].responses['201'] !== undefined,
  );
  t.same(creating.map(({ name }) => name).sort(), [...Object.keys(LIMITED), ...Object.keys(OTHERS)].sort());
});

for (const [route, limited] of Object.entries(LIMITED)) {
  t.test(`${route}: ${AT_ONCE} at once do not pass the limit`, async (t) => {
    const { plan, max, collection, body, status } = limited;
    const person = await storePerson(mongo, await storeWorkspace(mongo, { plan }), 'owner');
    await createdBy(person, route, limited);
    const [method = '', path = ''] = route.split(' ');
    const counts = await atOnce((url) => (index) => requestAs(url, person.cookie, [method, path, body(index)]));
    // A request that was refused with 503 can have been committed nevertheless.
    t.ok((counts[201] ?? 0) <= ROOM, `${counts[201]} were created`);
    t.equal((counts[201] ?? 0) + (counts[status] ?? 0), AT_ONCE, JSON.stringify(counts));
    t.equal(await mongo.db.collection(collection).countDocuments({ workspace_id: person.workspaceId }), max);
  });
}

t.test('a person does not own more Free workspaces than allowed', async (t) => {
  const person = await storePerson(mongo, await storeWorkspace(mongo, { plan: 'Free' }), 'owner');
  const create = (url: string) => (index: number) =>
    requestAs(url, person.cookie, ['POST', '/v1/auth/workspaces', { name: `Team ${index}` }]);
  const counts = await atOnce(create);
  t.equal((counts[201] ?? 0) + (counts[409] ?? 0), AT_ONCE, JSON.stringify(counts));
  t.equal(await mongo.db.collection('memberships').countDocuments({ user_id: person.userId, role: 'owner' }), 5);
});

t.test('an incident does not have more comments than allowed', async (t) => {
  const person = await storePerson(mongo, await storeWorkspace(mongo), 'owner');
  const incident = buildIncident(person.workspaceId, { comments: 200 - ROOM });
  await mongo.db.collection<{ _id: string }>('incidents').insertOne({ ...incident });
  const comment = (url: string) => (index: number) =>
    requestAs(url, person.cookie, ['POST', `/v1/alerts/${incident._id}/comments`, { text: `Comment ${index}` }]);
  const counts = await atOnce(comment);
  t.equal((counts[201] ?? 0) + (counts[409] ?? 0), AT_ONCE, JSON.stringify(counts));
  const stored = await mongo.db.collection('incident_comments').countDocuments({ workspace_id: person.workspaceId });
  t.equal(stored, ROOM);
});
