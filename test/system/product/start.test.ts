import { readdir, readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

/** Returns the IDs of processes with the folder in their command line or environment. */
async function processesOf(dataDir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const ours = await Promise.all(
    pids.map(async (pid) => {
      const read = (what: string) => readFile(`/proc/${pid}/${what}`, 'utf8').catch(() => '');
      return `${await read('cmdline')}${await read('environ')}`.includes(dataDir) ? pid : null;
    }),
  );
  return ours.filter((pid): pid is number => pid !== null && pid !== process.pid);
}

t.test('Picket starts, restarts killed processes, stops, and starts again with its data', async (t) => {
  const product = await startProduct({ PICKET_LOCAL_AGENT: '1', PICKET_BLACKLIST_KEYS: 'spamhaus-zen=secret' });
  t.teardown(() => product.remove());

  t.equal((await stat(product.dataDir)).mode & 0o777, 0o700, 'the data directory is private');
  const firstRunFile = join(product.dataDir, 'first-run.json');
  t.equal((await stat(firstRunFile)).mode & 0o777, 0o600, 'first-run.json is private');
  const firstRun = JSON.parse(await readFile(firstRunFile, 'utf8'));
  t.same(Object.keys(firstRun).sort(), ['api_key', 'api_url', 'dashboard_url', 'email', 'password']);
  const me = await product.api('GET', '/v1/auth/me');
  t.equal(me.status, 200);
  t.equal(me.body.data.plan, 'Enterprise');
  await waitFor('the announcement', 60_000, () => /Picket is running/.test(product.output()));
  t.notMatch(product.output(), firstRun.api_key, 'no secret in the output');
  t.notMatch(product.output(), firstRun.password);
  t.match(product.output(), `  Agent      monitors this machine (${hostname()}) as a server\n`);
  const onlineServer = () =>
    waitFor('this machine as an online server', 60_000, async () => {
      const { body } = await product.api('GET', '/v1/servers?status=online');
      return body.data.length === 1 && body.data[0];
    });
  const server = await onlineServer();
  t.equal(server.hostname, hostname());

  for (const name of ['probe-fra', 'agent', 'mongod']) {
    const environment = await readFile(`/proc/${await product.pid(name)}/environ`, 'utf8');
    t.match(environment, 'PATH=');
    t.notMatch(
      environment,
      /mongodb:\/\/|RATE_LIMIT|BLACKLIST_KEYS/,
      `${name} knows neither the database nor other secrets`,
    );
  }

  const created = await product.api('POST', '/v1/monitors', {
    name: 'kept',
    type: 'tcp',
    url: '127.0.0.1:9',
    interval_seconds: 3600,
  });
  t.equal(created.status, 201);

  for (const name of ['agent', 'probe-fra', 'control-plane', 'mongod']) {
    const killed = await product.pid(name);
    process.kill(killed, 'SIGKILL');
    await waitFor(`${name} to be restarted`, 60_000, async () => (await product.pid(name)) !== killed);
  }
  await waitFor('Picket to be ready again', 60_000, async () => (await fetch(`${product.url}/readyz?probes=5`)).ok);

  t.equal(await product.stop(), 0, 'a stop has exit code 0');
  t.same(await processesOf(product.dataDir), [], 'no process is running');

  await product.restart();
  const kept = await product.api('GET', `/v1/monitors/${created.body.data.id}`);
  t.equal(kept.body.data?.name, 'kept', 'a second start keeps all data');
  t.equal(JSON.parse(await readFile(firstRunFile, 'utf8')).api_key, firstRun.api_key, 'it keeps the first key');
  t.equal((await onlineServer()).id, server.id, 'it keeps the identity of the agent');
});
