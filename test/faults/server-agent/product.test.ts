import { cpSync } from 'node:fs';
import t from 'tap';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { logOf, spoolGrows, startAgentProcess } from '../../helpers/processes/agent-process.js';
import type { NodeProcess } from '../../helpers/processes/node-process.js';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

const READY_MS_MAX = 60_000;
const INTERVAL_MS = 1_000;

// Without probes, the supervisor only restarts the control plane and the database after their kill.
const product = await startProduct({ PICKET_LOCATIONS: '' });

const startAgent = (dataDir: string, ...args: string[]): NodeProcess => startAgentProcess(['--data', dataDir, ...args]);

async function joinToken(): Promise<string> {
  const { status, body } = await product.api('POST', '/v1/servers/join-tokens', {});
  if (status !== 201) throw new Error(`join-tokens answered ${status}: ${JSON.stringify(body)}`);
  return body.data.token;
}

const newest = async () => (await product.api('GET', '/v1/servers')).body.data[0];

/** Returns the times of the stored samples. */
async function stored(id: string, fromMs: number): Promise<number[]> {
  const range = `from=${new Date(fromMs).toISOString()}&to=${new Date().toISOString()}`;
  const { body } = await product.api('GET', `/v1/servers/${id}/metrics?metrics=load_1&resolution=raw&${range}`);
  return [...JSON.stringify(body).matchAll(/"t":"([^"]+)"/g)].map(([, time]) => Date.parse(time ?? '')).sort();
}

await t.test(
  'after kill -9 of the control plane, the database and the agent, samples are missing only while the agent was down',
  async (t) => {
    const dataDir = temporaryFolder(t);
    const startedAt = Date.now();
    const agent = startAgent(dataDir, '--join', await joinToken());
    t.teardown(() => agent.kill('SIGKILL'));
    const { id } = await waitFor('online', READY_MS_MAX, async () => {
      const server = await newest();
      return server?.status === 'online' ? server : null;
    });
    await waitFor('samples', READY_MS_MAX, async () => (await stored(id, startedAt)).length >= 3);
    await product.kill('control-plane');
    await product.kill('mongod');
    const killedAt = Date.now();
    await waitFor('the agent to notice', READY_MS_MAX, () => /disconnected/.test(agent.output()));
    await spoolGrows(dataDir, 4);
    await agent.kill('SIGKILL');
    const offAt = Date.now();
    const again = startAgent(dataDir);
    t.teardown(() => again.kill('SIGKILL'));
    await waitFor('samples of the second process', 2 * READY_MS_MAX, async () =>
      (await stored(id, startedAt)).some((time) => time > offAt + 10 * INTERVAL_MS),
    );
    const times = await stored(id, startedAt);
    t.ok(times.filter((time) => time > killedAt && time < offAt).length >= 3, 'samples from the disk arrived');
    const gaps = times.slice(1).map((time, at) => ({ from: times[at] ?? 0, ms: time - (times[at] ?? 0) }));
    t.ok(
      gaps.every(({ ms }) => ms > 0),
      'each sample once',
    );
    // On a busy machine, one sample may be missing, but not two in a row.
    const holes = gaps.filter(({ from, ms }) => ms > 3 * INTERVAL_MS && !(from < offAt && from + ms > offAt));
    t.strictSame(holes, [], `no gap in ${times.length} samples`);
    await again.kill('SIGTERM');
  },
);

await t.test(
  'of two agents with one credential the second is refused, both sides log it, and it connects when the first ends',
  async (t) => {
    const [dataDir, copy] = [temporaryFolder(t), temporaryFolder(t)];
    const first = startAgent(dataDir, '--join', await joinToken());
    t.teardown(() => first.kill('SIGKILL'));
    await waitFor('connected', READY_MS_MAX, () => logOf(first).some(({ msg }) => msg === 'connected'));
    cpSync(`${dataDir}/credential.json`, `${copy}/credential.json`);
    const second = startAgent(copy);
    t.teardown(() => second.kill('SIGKILL'));
    await waitFor('the log line of the second agent', READY_MS_MAX, () =>
      logOf(second).some(({ msg }) => /another process is connected with this credential/.test(msg)),
    );
    await waitFor('the log line of the control plane', READY_MS_MAX, () =>
      /refusing a second process with the credential/.test(product.output()),
    );
    t.notOk(logOf(second).some(({ msg }) => msg === 'connected'));
    t.equal(logOf(first).filter(({ msg }) => /disconnected/.test(msg)).length, 0, 'the first agent stays connected');
    await first.kill('SIGKILL');
    await waitFor('the second agent to connect', READY_MS_MAX, () =>
      logOf(second).some(({ msg }) => msg === 'connected'),
    );
    await second.kill('SIGTERM');
  },
);

await t.test('the agent of a deleted server stops and logs the reason', async (t) => {
  const agent = startAgent(temporaryFolder(t), '--join', await joinToken());
  t.teardown(() => agent.kill('SIGKILL'));
  await waitFor('connected', READY_MS_MAX, () => logOf(agent).some(({ msg }) => msg === 'connected'));
  const { id } = await waitFor('online', READY_MS_MAX, async () => {
    const server = await newest();
    return server?.status === 'online' ? server : null;
  });
  t.equal((await product.api('DELETE', `/v1/servers/${id}`)).status, 204);
  await waitFor('the log line', READY_MS_MAX, () =>
    logOf(agent).some(({ msg }) => /credential revoked: sampling stopped/.test(msg)),
  );
  t.equal((await product.api('GET', `/v1/servers/${id}`)).status, 404);
  t.equal(await agent.kill('SIGTERM'), 0);
});

await product.remove();
