import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

const READY_MS_MAX = 15_000;
const script = (path: string) => fileURLToPath(new URL(`../../../build/${path}`, import.meta.url));

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
  const before = performance.now();
  const product = await startProduct({ PICKET_LOCAL_AGENT: '1', PICKET_BLACKLIST_KEYS: 'spamhaus-zen=secret' });
  t.teardown(() => product.remove());
  t.ok(performance.now() - before < READY_MS_MAX, `ready in ${Math.round(performance.now() - before)} ms`);

  t.equal((await stat(product.dataDir)).mode & 0o777, 0o700, 'the data directory is private');
  const firstRunFile = join(product.dataDir, 'first-run.json');
  t.equal((await stat(firstRunFile)).mode & 0o777, 0o600, 'first-run.json is private');
  const firstRun = JSON.parse(await readFile(firstRunFile, 'utf8'));
  t.same(Object.keys(firstRun).sort(), ['api_key', 'api_url', 'dashboard_url', 'email', 'password']);
  const me = await product.api('GET', '/v1/auth/me');
  t.equal(me.status, 200);
  t.equal(me.body.data.plan, 'Enterprise');
  await waitFor('the announcement', 5_000, () => /Picket is running/.test(product.output()));
  t.notMatch(product.output(), firstRun.api_key, 'no secret in the output');
  t.notMatch(product.output(), firstRun.password);
  t.match(product.output(), `  Agent      monitors this machine (${hostname()}) as a server\n`);
  const onlineServer = () =>
    waitFor('this machine as an online server', 30_000, async () => {
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
    await waitFor(`${name} to be restarted`, 10_000, async () => (await product.pid(name)) !== killed);
  }
  await waitFor('Picket to be ready again', 60_000, async () => (await fetch(`${product.url}/readyz?probes=5`)).ok);

  const stopping = performance.now();
  t.equal(await product.stop(), 0, 'a stop has exit code 0');
  t.ok(performance.now() - stopping < 15_000, `stopped in ${Math.round(performance.now() - stopping)} ms`);
  t.same(await processesOf(product.dataDir), [], 'no process is running');

  await product.restart();
  const kept = await product.api('GET', `/v1/monitors/${created.body.data.id}`);
  t.equal(kept.body.data?.name, 'kept', 'a second start keeps all data');
  t.equal(JSON.parse(await readFile(firstRunFile, 'utf8')).api_key, firstRun.api_key, 'it keeps the first key');
  t.equal((await onlineServer()).id, server.id, 'it keeps the identity of the agent');
});

t.test('after kill -9 of the supervisor its processes end, and the next start works', async (t) => {
  const product = await startProduct({ PICKET_LOCATIONS: 'fra' });
  t.teardown(() => product.remove());
  await waitFor('the announcement', 5_000, () => product.output().includes('Agent      none (PICKET_LOCAL_AGENT=0)'));
  t.same((await product.api('GET', '/v1/servers')).body.data, [], 'there is no agent');
  t.notOk(existsSync(join(product.dataDir, 'agent')));
  await product.killSupervisor();
  // A file in place of the folder makes the agent fail.
  await writeFile(join(product.dataDir, 'agent'), 'no folder');
  await product.restart({ PICKET_LOCAL_AGENT: '1' });
  t.equal((await product.api('GET', '/v1/auth/me')).status, 200);
  t.ok(existsSync(join(product.dataDir, 'run')));
  await waitFor('the line about the agent', 10_000, () =>
    product.output().includes('picket: the agent cannot start, continuing without it'),
  );
  await product.kill('probe-fra');
  await waitFor('the probe to be restarted', 10_000, () => /probe fra ended.*restarting it/.test(product.output()));
});

t.test('an invalid setting ends each process with code 78 and one line that names the setting', async (t) => {
  const cases: [string, Record<string, string>, string][] = [
    ['supervisor/main.js', { PICKET_HTTP_PORT: 'eighty' }, 'PICKET_HTTP_PORT'],
    ['supervisor/main.js', { PICKET_LOCATIONS: 'fra,NOT A CODE' }, 'PICKET_LOCATIONS'],
    ['supervisor/main.js', { PICKET_LOCAL_AGENT: 'no' }, 'PICKET_LOCAL_AGENT'],
    ['supervisor/main.js', { PICKET_ALLOW_PRIVATE_TARGETS: 'yes' }, 'PICKET_ALLOW_PRIVATE_TARGETS'],
    ['control-plane/main.js', {}, 'PICKET_MONGODB_URI'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'http://x' }, 'PICKET_MONGODB_URI'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_GRPC_PORT: '0' }, 'PICKET_GRPC_PORT'],
    [
      'control-plane/main.js',
      { PICKET_MONGODB_URI: 'mongodb://x', PICKET_ALLOW_PRIVATE_TARGETS: 'yes' },
      'PICKET_ALLOW_PRIVATE_TARGETS',
    ],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_DENY_TARGETS: '10.0.0.0/x' }, 'DENY_TARGETS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_TLS_CERT: '/x' }, 'PICKET_TLS_KEY'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_LOG_LEVEL: 'loud' }, 'PICKET_LOG_LEVEL'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_DNS_SERVERS: 'resolver' }, 'DNS_SERVERS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_DNS_SERVERS: '::1:99999' }, 'DNS_SERVERS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_BLACKLIST_KEYS: 'x' }, 'BLACKLIST_KEYS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_GRPC_ADDRESS: 'host' }, 'GRPC_ADDRESS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_CANARY_TARGETS: 'x' }, 'CANARY_TARGETS'],
    ['control-plane/main.js', { PICKET_MONGODB_URI: 'mongodb://x', PICKET_BLACKLIST_PROVIDERS: '/x' }, 'PROVIDERS'],
  ];
  const run = async ([program, env, variable]: (typeof cases)[number]) => {
    const child = spawn(process.execPath, [script(program)], { env: { PATH: process.env['PATH'], ...env } });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    t.equal(code, 78, `${program} ${JSON.stringify(env)}`);
    t.match(output, variable);
    t.equal(output.trim().split('\n').length, 1, output);
  };
  await Promise.all(cases.map(run));
});
