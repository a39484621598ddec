import t, { type Test } from 'tap';
import { type FakeStripe, startFakeStripe, stripeSettings } from '../../helpers/billing/fake-stripe.js';
import {
  expectStatus,
  joinedAgent,
  type OwnedWorkspace,
  ownedWorkspace,
} from '../../helpers/billing/stopped-workspace.js';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { freePort } from '../../helpers/machine/ports.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { logOf } from '../../helpers/processes/agent-process.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { startNodeProcess } from '../../helpers/processes/node-process.js';
import { waitFor } from '../../helpers/wait.js';

const CHECKED_MS_MAX = 180_000;
/** Free allows 20 monitors, checked every 60 s from 2 locations, 2 servers and 1 blacklist monitor. */
const HAS = { monitors: 23, servers: 3, blacklist_monitors: 2 };
/** The times of two checks are those of their arrival, which vary. */
const FREE_INTERVAL_MS_MIN = 58_000;

const mongo = await testDatabase();
const [mailbox, site, stripe] = [await startMailbox(), await countedSite(), await startFakeStripe()];
const plane = await startControlPlane(mongo.uri, {
  PICKET_SMTP_URL: mailbox.url,
  ...stripeSettings(stripe),
});
t.teardown(async () => {
  await plane.remove();
  await Promise.all([mailbox.close(), site.close(), stripe.close()]);
  await mongo.drop();
});

const checksOf = (path: string) => site.seen.filter((seen) => seen.path === path);
const joinToken = async ({ api }: OwnedWorkspace): Promise<string> =>
  expectStatus(await api('POST', '/v1/servers/join-tokens', {}), 201).token;

/** Buys the Enterprise plan, as a person does: a checkout, and then the events of Stripe. */
async function buy({ owner }: OwnedWorkspace): Promise<ReturnType<FakeStripe['subscribe']>> {
  expectStatus(await owner.send('POST', '/v1/billing/checkout', { plan: 'Enterprise' }), 200);
  const checkout = stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions');
  const subscription = stripe.subscribe(checkout?.form.get('customer') ?? '', 'Enterprise');
  await receive('checkout.session.completed', subscription.customer);
  return subscription;
}

async function receive(type: string, customer: string): Promise<void> {
  const { rawBody: body, headers } = stripe.event(type, { customer });
  const { status } = await fetch(`${plane.url}/v1/billing/stripe-webhook`, { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`the webhook answered ${status}`);
}

/** Gives a workspace more of everything than the Free plan allows. */
async function exceedFreePlan(t: Test, workspace: OwnedWorkspace): Promise<{ scopedKey: string; laterToken: string }> {
  const { api, owner } = workspace;
  for (let index = 0; index < HAS.monitors; index++) {
    const path = index === 0 ? '/wide' : `/${index}`;
    const locations = index === 0 ? ['fra', 'nyc', 'sin'] : ['sin'];
    const settings = { name: path, type: 'http', url: `${site.url}${path}`, interval_seconds: 10, locations };
    expectStatus(await api('POST', '/v1/monitors', settings), 201);
  }
  for (const target of ['8.8.8.8', '9.9.9.9']) {
    expectStatus(await api('POST', '/v1/blacklist/monitors', { target, frequency: 'daily' }), 201);
  }
  for (let index = 0; index < HAS.servers; index++) {
    const { agent } = joinedAgent(t, await joinToken(workspace));
    await waitFor('an agent', CHECKED_MS_MAX, () => logOf(agent).some(({ msg }) => msg === 'connected'));
    await agent.kill('SIGKILL');
  }
  const provider = { _id: workspace.id, issuer: 'https://login.example.com' };
  await mongo.db.collection<typeof provider>('single_sign_on').insertOne(provider);
  const forwarder = { target: `https://127.0.0.1:${await freePort()}/audit`, format: 'json' };
  expectStatus(await api('POST', '/v1/audit-logs/forwarders', forwarder), 201);
  expectStatus(await owner.send('POST', '/v1/team/invitations', { email: 'later@example.com', role: 'viewer' }), 201);
  const revoked = expectStatus(await owner.send('POST', '/v1/api-keys', { name: 'Revoked' }), 201);
  expectStatus(await owner.send('DELETE', `/v1/api-keys/${revoked.id}`), 204);
  const scoped = { name: 'Scoped', scopes: ['monitors:read'] };
  const { key: scopedKey } = expectStatus(await owner.send('POST', '/v1/api-keys', scoped), 201);
  return { scopedKey, laterToken: await joinToken(workspace) };
}

const probe = startNodeProcess('probe/main.js', [
  ...['--data', temporaryFolder(t), '--join'],
  expectStatus(await plane.api('POST', '/v1/admin/probes/join-tokens', { location: 'sin' }), 201).token,
]);
t.teardown(() => probe.kill('SIGKILL'));

t.test('a downgrade names what is over its limits and deletes nothing; a new purchase restores it', async (t) => {
  const workspace = await ownedWorkspace(plane, mailbox, 'downgraded');
  const { api, owner, id } = workspace;
  expectStatus(await plane.api('PATCH', `/v1/admin/workspaces/${id}`, { plan: 'Free' }), 200);
  const subscription = await buy(workspace);
  const { scopedKey, laterToken } = await exceedFreePlan(t, workspace);
  const billing = async () => expectStatus(await owner.send('GET', '/v1/billing'), 200);

  /** The length of each list that a person sees. */
  const counted = async () => {
    const length = async (path: string) => expectStatus(await owner.send('GET', `${path}?limit=200`), 200).length;
    return [
      { name: 'members', used: await length('/v1/team/members'), limit: 1_000 },
      { name: 'api_keys', used: await length('/v1/api-keys') },
      { name: 'monitors', used: await length('/v1/monitors') },
      { name: 'servers', used: await length('/v1/servers') },
      { name: 'blacklist_monitors', used: await length('/v1/blacklist/monitors') },
      { name: 'sites', used: await length('/v1/wp/admin/sites') },
      { name: 'reports_per_month', used: 0 },
    ].sort(byName);
  };
  const quotas = async () => [...(await billing()).quotas].sort(byName);
  t.match(await quotas(), await counted(), 'each quota shows the real count');
  t.equal((await quotas()).length, (await counted()).length, 'all quotas are counted here');

  const refused = await owner.send('POST', '/v1/billing/plan', { plan: 'Free' });
  t.match([refused.status, refused.body.code], [409, 'conflict']);
  const over: { name: string; count: number }[] = refused.body.over_quota;
  t.same(Object.fromEntries(over.map(({ name, count }) => [name, count])), {
    ...{ monitors: 3, monitor_interval: HAS.monitors, monitor_locations: 1, servers: 1, blacklist_monitors: 1 },
    ...{ scoped_api_keys: 1, audit_forwarders: 1, single_sign_on: 1 },
  });
  t.equal((await billing()).plan, 'Enterprise', 'nothing has changed');

  const accept_over_quota = over.map(({ name }) => name);
  const accepted = await owner.send('POST', '/v1/billing/plan', { plan: 'Free', accept_over_quota });
  t.match(expectStatus(accepted, 200), { plan: 'Enterprise', next: { change: 'cancellation', plan: 'Free' } });
  subscription.status = 'canceled';
  await receive('customer.subscription.deleted', subscription.customer);
  t.match(await billing(), { plan: 'Free', retention: { plan: 'Enterprise' }, next: { change: 'none' } });
  t.match(await quotas(), await counted(), 'the quotas after the downgrade');
  const { monitors, servers, blacklist_monitors } = Object.fromEntries(
    (await quotas()).map(({ name, used }: { name: string; used: number }) => [name, used]),
  );
  t.same({ monitors, servers, blacklist_monitors }, HAS, 'nothing is deleted');

  const list = async () => expectStatus(await api('GET', '/v1/monitors?limit=200'), 200);
  type Shown = { limited_by_plan: object | null };
  await waitFor('the limits of the plan', CHECKED_MS_MAX, async () =>
    (await list()).every((monitor: Shown) => monitor.limited_by_plan !== null),
  );
  const wide = { name: '/wide', interval_seconds: 10, locations: ['fra', 'nyc', 'sin'] };
  t.match((await list()).at(-1), { ...wide, limited_by_plan: { interval_seconds: 60, locations: ['fra', 'nyc'] } });
  await waitFor('the end of the checks that had begun', CHECKED_MS_MAX, async () => {
    const { body } = await plane.api('GET', '/v1/admin/probes');
    return body.data[0].assignments === HAS.monitors - 1;
  });
  const paths = Array.from({ length: HAS.monitors - 1 }, (_, index) => `/${index + 1}`);
  const before = new Map(['/wide', ...paths].map((path) => [path, checksOf(path).length]));
  const since = (path: string) => checksOf(path).slice(before.get(path));
  await waitFor('two checks of each monitor', CHECKED_MS_MAX, () => paths.every((path) => since(path).length >= 2));
  t.equal(since('/wide').length, 0, 'the third location does not check');
  const pauses = paths.map((path) => (since(path)[1]?.atMs ?? 0) - (since(path)[0]?.atMs ?? 0));
  t.ok(
    pauses.every((ms) => ms >= FREE_INTERVAL_MS_MIN),
    `all are checked every 60 s: ${pauses}`,
  );

  const one = { name: 'one more', type: 'http', url: `${site.url}/more` };
  t.match(await api('POST', '/v1/monitors', one), { status: 402, body: { code: 'plan_limit' } });
  const listed = await api('POST', '/v1/blacklist/monitors', { target: '1.1.1.1', frequency: 'daily' });
  t.match(listed, { status: 402, body: { code: 'plan_limit' } });
  t.match(await api('POST', '/v1/servers/join-tokens', {}), { status: 402, body: { code: 'plan_limit' } });
  const { agent } = joinedAgent(t, laterToken);
  await waitFor('the refusal of an agent', CHECKED_MS_MAX, () => /The Free plan allows 2 servers/.test(agent.output()));
  await agent.kill('SIGKILL');
  const another = await owner.send('POST', '/v1/api-keys', { name: 'Another', scopes: ['monitors:read'] });
  t.match(another, { status: 403, body: { code: 'plan_required' } });
  const authorization = `Bearer ${scopedKey}`;
  t.equal((await plane.api('GET', '/v1/monitors', undefined, { authorization })).status, 200, 'the key works');

  await buy(workspace);
  t.equal((await billing()).plan, 'Enterprise');
  await waitFor('the settings of before', CHECKED_MS_MAX, async () =>
    (await list()).every((monitor: Shown) => monitor.limited_by_plan === null),
  );
  t.match((await list()).at(-1), wide);
  await waitFor('a check from the third location', CHECKED_MS_MAX, () => since('/wide').length > 0);
  expectStatus(await api('POST', '/v1/monitors', one), 201);
  const changes = expectStatus(await owner.send('GET', '/v1/audit-logs?action=billing.plan_changed'), 200);
  t.match(changes, [
    { metadata: { from: 'Free', to: 'Enterprise', by: 'stripe' } },
    { metadata: { from: 'Enterprise', to: 'Free', by: 'stripe', over_quota: accept_over_quota } },
    { metadata: { to: 'Enterprise', by: 'stripe' } },
    { metadata: { to: 'Free', by: 'operator' } },
    { metadata: { to: 'Enterprise', by: 'operator' } },
  ]);
});

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
