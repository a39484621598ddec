import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { logOf } from '../../helpers/processes/agent-process.js';
import { type ProbeProcess, startProbeProcess, temporaryFolder } from '../../helpers/processes/probe-process.js';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

const AGENT = fileURLToPath(new URL('../../../build/server-agent/main.js', import.meta.url));
const READY_MS_MAX = 60_000;
const INTERVAL_MS = 1_000;

// No probe, so that nothing but its restarts keeps the supervisor when control plane and database are killed.
const product = await startProduct({ PICKET_LOCATIONS: '' });

const startAgent = (dataDir: string, ...args: string[]): ProbeProcess =>
  startProbeProcess(['--data', dataDir, ...args], { PICKET_AGENT_INTERVAL_SECONDS: '1' }, [AGENT]);

async function joinToken(): Promise<string> {
  const { status, body } = await product.api('POST', '/v1/servers/join-tokens', {});
  if (status !== 201) throw new Error(`join-tokens answered ${status}: ${JSON.stringify(body)}`);
  return body.data.token;
}

const newest = async () => (await product.api('GET', '/v1/servers')).body.data[0];

/** Times of the stored reports, raw. */
async function stored(id: string, fromMs: number): Promise<number[]> {
  const range = `from=${new Date(fromMs).toISOString()}&to=${new Date().toISOString()}`;
  const { body } = await product.api('GET', `/v1/servers/${id}/metrics?metrics=load_1&resolution=raw&${range}`);
  return [...JSON.stringify(body).matchAll(/"t":"([^"]+)"/g)].map(([, time]) => Date.parse(time ?? '')).sort();
}

await t.test(
  'kill -9 of the control plane, the database and the agent: no hole but while the agent was off',
  async (t) => {
    const dataDir = temporaryFolder(t);
    const startedAt = Date.now();
    const agent = startAgent(dataDir, '--join', await joinToken());
    t.teardown(() => agent.kill('SIGKILL'));
    const { id } = await waitFor('online', READY_MS_MAX, async () => {
      const server = await newest();
      return server?.status === 'online' ? server : null;
    });
    await waitFor('reports', READY_MS_MAX, async () => (await stored(id, startedAt)).length >= 3);
    await product.kill('control-plane');
    await product.kill('mongod');
    const killedAt = Date.now();
    await waitFor('that the agent noticed', READY_MS_MAX, () => /disconnected/.test(agent.output()));
    await new Promise((resolve) => setTimeout(resolve, 3 * INTERVAL_MS));
    await agent.kill('SIGKILL');
    const offAt = Date.now();
    const again = startAgent(dataDir);
    t.teardown(() => again.kill('SIGKILL'));
    await waitFor('reports of the second process', 2 * READY_MS_MAX, async () =>
      (await stored(id, startedAt)).some((time) => time > offAt + 10 * INTERVAL_MS),
    );
    const times = await stored(id, startedAt);
    t.ok(times.filter((time) => time > killedAt && time < offAt).length >= 3, 'those that waited on disk are there');
    const gaps = times.slice(1).map((time, at) => ({ from: times[at] ?? 0, ms: time - (times[at] ?? 0) }));
    t.ok(
      gaps.every(({ ms }) => ms > 0),
      'each once',
    );
    // The machine runs more than it has cores for: a slot may be missed, a second in a row not.
    const holes = gaps.filter(({ from, ms }) => ms > 3 * INTERVAL_MS && !(from < offAt && from + ms > offAt));
    t.strictSame(holes, [], `no hole in ${times.length} reports`);
    await again.kill('SIGTERM');
  },
);

await t.test(
  'two agents with one credential: the second is refused, both sides say so, and takes over when alone',
  async (t) => {
    const [dataDir, copy] = [temporaryFolder(t), temporaryFolder(t)];
    const first = startAgent(dataDir, '--join', await joinToken());
    t.teardown(() => first.kill('SIGKILL'));
    await waitFor('connected', READY_MS_MAX, () => logOf(first).some(({ msg }) => msg === 'connected'));
    cpSync(`${dataDir}/credential.json`, `${copy}/credential.json`);
    const second = startAgent(copy);
    t.teardown(() => second.kill('SIGKILL'));
    await waitFor('the second says so', READY_MS_MAX, () =>
      logOf(second).some(({ msg }) => /another process is connected with this credential/.test(msg)),
    );
    await waitFor('so does the control plane', READY_MS_MAX, () =>
      /a second process uses the credential/.test(product.output()),
    );
    t.notOk(logOf(second).some(({ msg }) => msg === 'connected'));
    t.equal(logOf(first).filter(({ msg }) => /disconnected/.test(msg)).length, 0, 'the first is not disturbed');
    await first.kill('SIGKILL');
    await waitFor('the second takes over', READY_MS_MAX, () => logOf(second).some(({ msg }) => msg === 'connected'));
    await second.kill('SIGTERM');
  },
);

await t.test('a server that is deleted while its agent runs: the agent stops and says why', async (t) => {
  const agent = startAgent(temporaryFolder(t), '--join', await joinToken());
  t.teardown(() => agent.kill('SIGKILL'));
  await waitFor('connected', READY_MS_MAX, () => logOf(agent).some(({ msg }) => msg === 'connected'));
  const { id } = await waitFor('online', READY_MS_MAX, async () => {
    const server = await newest();
    return server?.status === 'online' ? server : null;
  });
  t.equal((await product.api('DELETE', `/v1/servers/${id}`)).status, 204);
  await waitFor('that it is told', READY_MS_MAX, () =>
    logOf(agent).some(({ msg }) => /removed or its credential/.test(msg)),
  );
  t.equal((await product.api('GET', `/v1/servers/${id}`)).status, 404);
  t.equal(await agent.kill('SIGTERM'), 0);
});

await product.remove();
