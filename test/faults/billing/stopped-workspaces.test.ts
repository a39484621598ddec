import t, { type Test } from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import {
  expectStatus,
  joinedAgent,
  type OwnedWorkspace,
  ownedWorkspace,
} from '../../helpers/billing/stopped-workspace.js';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { logOf, spoolGrows } from '../../helpers/processes/agent-process.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { type NodeProcess, startNodeProcess } from '../../helpers/processes/node-process.js';
import { waitFor } from '../../helpers/wait.js';

// The control plane applies a suspension within 30 s, and an agent that was refused tries again after 30 s.
const APPLIED_MS_MAX = 90_000;
/** Of the samples that an agent took while its workspace was stopped. A busy machine misses some. */
const SAMPLES_SHARE_MIN = 0.7;
const REASON = 'Payment overdue since January.';

const mongo = await testDatabase();
const [mailbox, receiver, site] = [await startMailbox(), await startReceiver(), await countedSite()];
const plane = await startControlPlane(mongo.uri, { PICKET_SMTP_URL: mailbox.url });
t.teardown(async () => {
  await plane.remove();
  await Promise.all([mailbox.close(), receiver.close(), site.close()]);
  await mongo.drop();
});
const repaired = new Set<string>();
// Each workspace has an incident until its site is repaired.
site.failWhen(({ path }) => path.endsWith('/failing') && !repaired.has(path.split('/')[1] ?? ''));
// No notification is accepted at first, so that one waits for its next attempt.
receiver.behave({ status: 503 });

const outbox = mongo.db.collection<OutboxRow>('outbox');
const checksOf = (name: string) => site.seen.filter(({ path }) => path.startsWith(`/${name}/`)).length;
const requestsOf = (name: string) => receiver.requests.filter(({ path }) => path === `/${name}`);
const connections = (agent: NodeProcess) => logOf(agent).filter(({ msg }) => msg === 'connected').length;

/** Creates a channel and monitors, and waits for a notification whose first attempt has failed. */
async function addMonitorsAndWaitingNotification(workspace: Pick<OwnedWorkspace, 'id' | 'name' | 'api'>) {
  const { id, name, api } = workspace;
  const config = { url: `${receiver.url}/${name}` };
  expectStatus(await api('POST', '/v1/channels', { type: 'webhook', name: 'Hook', config }), 201);
  for (const path of ['failing', 'ok']) {
    const settings = { url: `${site.url}/${name}/${path}`, interval_seconds: 10, locations: ['fra'], retries: 0 };
    expectStatus(await api('POST', '/v1/monitors', { ...settings, name: path, type: 'http' }), 201);
  }
  const row = () => outbox.findOne({ workspace_id: id, event: 'opened' });
  await waitFor(
    `an attempt of a notification of ${name}`,
    APPLIED_MS_MAX,
    async () => ((await row())?.attempts ?? 0) > 0,
  );
  const isSent = async () => (await row())?.state === 'sent';
  return { alertId: String(expectStatus(await api('GET', '/v1/alerts'), 200)[0].id), row, isSent };
}

type Furnished = Awaited<ReturnType<typeof addMonitorsAndWaitingNotification>>;

const joinToken = async ({ api }: OwnedWorkspace): Promise<string> =>
  expectStatus(await api('POST', '/v1/servers/join-tokens', {}), 201).token;

/** Waits until the notification was put off without an attempt, twice: at the second time it could have been sent. */
async function putOff(row: () => Promise<OutboxRow | null>, name: string): Promise<void> {
  for (const time of ['first', 'second']) {
    let last = await row();
    await waitFor(`the notification of ${name} to be put off for the ${time} time`, APPLIED_MS_MAX, async () => {
      const now = await row();
      const [isLater, hasAttempt] = [
        (now?.next_attempt_ms ?? 0) > (last?.next_attempt_ms ?? 0),
        now?.attempts !== last?.attempts,
      ];
      last = now;
      return isLater && !hasAttempt;
    });
  }
}

const probe = startNodeProcess('probe/main.js', [
  ...['--data', temporaryFolder(t)],
  '--join',
  expectStatus(await plane.api('POST', '/v1/admin/probes/join-tokens', { location: 'fra' }), 201).token,
]);
t.teardown(() => probe.kill('SIGKILL'));

/** How a workspace is stopped and resumed, and what its people are answered meanwhile. */
const WAYS = [
  {
    name: 'suspended',
    stop: async ({ id }: OwnedWorkspace) =>
      expectStatus(await plane.api('POST', `/v1/admin/workspaces/${id}/suspend`, { reason: REASON }), 200),
    resume: async ({ id }: OwnedWorkspace) =>
      expectStatus(await plane.api('POST', `/v1/admin/workspaces/${id}/resume`), 200),
    detail: `This workspace is suspended: ${REASON}`,
    actions: ['workspace.suspended', 'workspace.resumed'],
  },
  {
    name: 'deleted',
    stop: async ({ owner, name }: OwnedWorkspace) =>
      expectStatus(await owner.send('POST', '/v1/workspace/delete', { name }), 202),
    resume: async ({ logIn }: OwnedWorkspace) =>
      expectStatus(await (await logIn()).send('POST', '/v1/workspace/restore'), 200),
    detail: /^This workspace will be deleted at .*Z\. Until then, an owner can restore it/,
    actions: ['workspace.deletion_requested', 'workspace.restored'],
  },
] as const;

// Nothing happens to this workspace: what it gets shows that the others could have got it too.
const other = { id: '', name: 'other', api: plane.api };
other.id = expectStatus(await plane.api('GET', '/v1/auth/me'), 200).workspace.id;
const others = addMonitorsAndWaitingNotification(other);

t.test('nothing happens in a stopped workspace, and what it missed follows when it is resumed', async (t) => {
  await Promise.all([others, ...WAYS.map((way) => stoppedAndResumed(t, way))]);
});

async function stoppedAndResumed(t: Test, way: (typeof WAYS)[number]): Promise<void> {
  const workspace = await ownedWorkspace(plane, mailbox, way.name);
  const { name } = workspace;
  const [prepared, token, laterToken] = [
    await addMonitorsAndWaitingNotification(workspace),
    await joinToken(workspace),
    await joinToken(workspace),
  ];
  const { agent, dataDir } = joinedAgent(t, token);
  const serverId = await onlineServer(workspace);
  await others;

  await way.stop(workspace);
  await peopleAreRefused(t, workspace, way.detail);
  await waitFor('the agent to be refused', APPLIED_MS_MAX, () => /workspace_stopped/.test(agent.output()));
  const stoppedMs = Date.now();
  const checks = await nothingHappens(t, workspace, { ...prepared, serverId, dataDir });
  const refused = joinedAgent(t, laterToken).agent;
  await waitFor('the refusal of a second agent', APPLIED_MS_MAX, () => /accepts no new server/.test(refused.output()));
  await refused.kill('SIGKILL');

  await way.resume(workspace);
  const period = { fromMs: stoppedMs, toMs: Date.now() };
  await waitFor(`${name}: checks`, APPLIED_MS_MAX, () => checksOf(name) >= checks + 4);
  await incidentGoesOn(t, workspace, prepared);
  await samplesFollow(workspace, { agent, serverId, period });
  await joinsAfterAll(t, workspace, laterToken);
  repaired.add(name);
  await waitFor(`${name}: the end of the incident`, APPLIED_MS_MAX, () =>
    requestsOf(name).some(({ body }) => /resolved/.test(body)),
  );
  await bothChangesAreAudited(t, workspace, way.actions);
}

/** Waits until the server of the workspace is online. Resolves to its id. */
async function onlineServer({ api }: OwnedWorkspace): Promise<string> {
  const server = await waitFor('the server to be online', APPLIED_MS_MAX, async () => {
    const [server] = expectStatus(await api('GET', '/v1/servers'), 200);
    return server?.status === 'online' ? server : null;
  });
  return server.id;
}

async function peopleAreRefused(t: Test, workspace: OwnedWorkspace, detail: string | RegExp): Promise<void> {
  const { api, name } = workspace;
  const forbidden = { status: 403, body: { code: 'forbidden', detail } };
  await waitFor(
    'the API key to be refused',
    APPLIED_MS_MAX,
    async () => (await api('GET', '/v1/monitors')).status === 403,
  );
  t.match(await api('GET', '/v1/monitors'), forbidden, `${name}: the key`);
  t.match(await api('POST', '/v1/servers/join-tokens', {}), forbidden, `${name}: a join token`);
  const person = await workspace.logIn();
  t.match(await person.send('GET', '/v1/monitors'), forbidden, `${name}: people can log in`);
  t.match(await person.send('GET', '/v1/billing'), { status: 200, body: { data: { plan: 'Enterprise' } } });
}

/** Resolves to the count of the checks until now. */
async function nothingHappens(
  t: Test,
  { id, name }: OwnedWorkspace,
  { row, serverId, dataDir }: Pick<Furnished, 'row'> & { serverId: string; dataDir: string },
): Promise<number> {
  await waitFor('the monitors to stop', APPLIED_MS_MAX, async () => {
    const active = { workspace_id: id, paused_at_ms: null };
    return (await mongo.db.collection<MonitorDocument>('monitors').countDocuments(active)) === 0;
  });
  await putOff(row, name);
  receiver.behave({ status: 200 });
  const [checks, attempts, othersBefore] = [checksOf(name), requestsOf(name).length, checksOf('other')];
  const received = async () =>
    (await mongo.db.collection<ServerDocument>('servers').findOne({ _id: serverId }))?.live?.received_at_ms;
  const receivedBefore = await received();
  await putOff(row, name);
  await waitFor('checks of the other workspace', APPLIED_MS_MAX, () => checksOf('other') >= othersBefore + 4);
  await waitFor('the notification of the other workspace', APPLIED_MS_MAX, async () => (await others).isSent());
  await spoolGrows(dataDir, 3);
  t.equal(checksOf(name), checks, `${name}: nothing is checked`);
  t.equal(requestsOf(name).length, attempts, `${name}: nothing is sent`);
  t.equal(await received(), receivedBefore, `${name}: no sample is stored`);
  return checks;
}

/** The notification that waited is sent, and no second incident was opened. */
async function incidentGoesOn(t: Test, { api, name }: OwnedWorkspace, { alertId, isSent }: Furnished): Promise<void> {
  await waitFor(`${name}: the notification that waited`, APPLIED_MS_MAX, isSent);
  t.match(
    expectStatus(await api('GET', '/v1/alerts'), 200),
    [{ id: alertId, status: 'firing' }],
    `${name}: one incident`,
  );
}

/** Waits until the agent returned and the samples that it took in the period are stored. */
async function samplesFollow(
  { api, name }: OwnedWorkspace,
  { agent, serverId, period }: { agent: NodeProcess; serverId: string; period: { fromMs: number; toMs: number } },
): Promise<void> {
  const { fromMs, toMs } = period;
  await waitFor(`${name}: the agent to return`, APPLIED_MS_MAX, () => connections(agent) >= 2);
  const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
  await waitFor(`${name}: the samples that the agent kept, one a second`, APPLIED_MS_MAX, async () => {
    const path = `/v1/servers/${serverId}/metrics?metrics=load_1&resolution=raw&${range}`;
    const times = [...JSON.stringify(expectStatus(await api('GET', path), 200)).matchAll(/"t":/g)];
    return times.length >= SAMPLES_SHARE_MIN * ((toMs - fromMs) / 1_000);
  });
}

/** The join token that was refused while the workspace was stopped works now. */
async function joinsAfterAll(t: Test, { api, name }: OwnedWorkspace, token: string): Promise<void> {
  const second = joinedAgent(t, token).agent;
  await waitFor(`${name}: the join token to work`, APPLIED_MS_MAX, () => connections(second) === 1);
  t.equal(expectStatus(await api('GET', '/v1/servers'), 200).length, 2, `${name}: the refused agent added no server`);
}

async function bothChangesAreAudited(
  t: Test,
  { api, name }: OwnedWorkspace,
  expected: readonly string[],
): Promise<void> {
  const entries: { action: string }[] = expectStatus(await api('GET', '/v1/audit-logs?limit=200'), 200);
  const actions = entries.map(({ action }) => action).filter((action) => expected.includes(action));
  t.same(actions.reverse(), expected, name);
}
