import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';
import { cacheDirectory } from '../../../supervisor/config.js';
import { hasAddress, runInOwnNetwork } from '../machine/own-network.js';
import { enrolNode } from '../node-link/fake-node.js';
import { operationsOf } from '../openapi.js';
import { type Product, startProduct } from '../processes/product.js';
import { waitFor } from '../wait.js';

const FOLDER = resolve('test/helpers/openapi-fuzz');
/** The address by which the second run of this file detects the network that the first one made. */
const MARK = '198.51.100.7';

/** The key of the run is no person, and nobody has the tokens, providers and payments that these need. */
const NEEDS_MORE =
  /^\w+ \/v1\/(auth\/(?!me$)|single-sign-on|team\/|workspace\/(delete|restore)$|billing\/(checkout|portal|stripe-webhook)$|admin\/workspaces\/\{id\}\/resume$)/;
/** Switched off in schemathesis.toml. */
const SWITCHED_OFF = [
  'GET /v1/events',
  'POST /v1/billing/plan',
  'PATCH /v1/admin/workspaces/{id}',
  'POST /v1/admin/workspaces/{id}/suspend',
  'POST /v1/api-keys/{id}/rotate',
];

/** The parts of the schemathesis report that the test uses. */
interface Report {
  exit_code: number;
  operations: { total: number; tested: number; errored: number };
  test_cases: { generated: number };
  failures: unknown[];
  errors: unknown[];
  /** The number of valid requests that were accepted, by operation and phase. */
  valid_rates: Record<string, Record<string, { accepted: number }>>;
}

export interface FuzzRun {
  /** The phases of schemathesis, separated by commas. */
  phases: string;
  /** The number of random requests for each operation, in addition to those for the boundaries of its schema. */
  examplesMax: number;
  /** At least so many requests are sent. */
  requestsMin: number;
  /** Whether so many requests must succeed that each operation does at least once. */
  reachesAll: boolean;
}

/**
 * Runs schemathesis over the whole API of a product. Random requests create monitors and channels with random addresses, so
 * the file of the test runs once more in a network that no traffic leaves.
 */
export async function fuzzApi(t: Test, file: string, run: FuzzRun): Promise<void> {
  if (hasAddress(MARK)) await t.test('schemathesis finds no fault in the whole API', (t) => fuzz(t, run));
  else await runInOwnNetwork(t, file, [`${MARK}/32`]);
}

async function fuzz(t: Test, run: FuzzRun): Promise<void> {
  const product = await startProduct({ PICKET_LOCATIONS: 'fra,nyc', PICKET_LOCAL_AGENT: '1' });
  const folder = await mkdtemp(join(tmpdir(), 'picket-fuzz-'));
  t.teardown(async () => {
    await product.remove();
    await rm(folder, { recursive: true, force: true });
  });
  const [incidents, servers] = [await createIncidents(product), await twoServers(product)];
  const ids = { INCIDENT: incidents, SERVER: servers, LOCATION: [await unusedLocation(product)] };
  const { report, output } = await schemathesis(product, folder, ids, run);
  if (report.exit_code !== 0) t.comment(output);
  t.same(report.failures, []);
  t.same(report.errors, []);
  t.equal(report.exit_code, 0);
  const documented = operationsOf((await product.api('GET', '/v1/openapi.json')).body)
    .map(([name]) => name)
    .filter((name) => name !== 'GET /v1/openapi.json' && !SWITCHED_OFF.includes(name));
  t.equal(report.operations.tested, documented.length, 'every operation except those switched off');
  t.ok(report.test_cases.generated >= run.requestsMin, `${report.test_cases.generated} requests`);
  const accepted = (name: string) =>
    Object.values(report.valid_rates[name] ?? {}).reduce((sum, phase) => sum + phase.accepted, 0);
  const refused = documented.filter((name) => accepted(name) === 0 && !NEEDS_MORE.test(name));
  if (run.reachesAll) t.same(refused, [], 'each operation succeeded at least once');
  t.notMatch(product.output(), /"level":(50|60)(?!.*"code":"revoked")/, 'there is no error in the log');
}

/** Creates a monitor that is up and three that are down, with results and metrics. Returns the IDs of the incidents. */
async function createIncidents(product: Product): Promise<string[]> {
  const down = ['127.0.0.1:1', '127.0.0.1:2', '127.0.0.1:3'];
  for (const url of [`127.0.0.1:${product.httpPort}`, ...down]) {
    await product.api('POST', '/v1/monitors', { name: url, url, type: 'tcp', interval_seconds: 10, retries: 0 });
  }
  return waitFor('incidents', 20_000, async () => {
    const ids: string[] = (await product.api('GET', '/v1/alerts')).body.data.map(({ id }: { id: string }) => id);
    return ids.length === down.length && ids;
  });
}

/** Returns the server of the local agent and another one. */
async function twoServers(product: Product): Promise<string[]> {
  const [own] = await waitFor('the agent', 30_000, async () => {
    const { body } = await product.api('GET', '/v1/servers?status=online');
    return body.data.length === 1 && body.data;
  });
  const made = await product.api('POST', '/v1/servers/join-tokens');
  const other = await enrolNode(made.body.data.token);
  return [own.id, other.id];
}

/** Returns the code of a new location, which can be deleted. */
async function unusedLocation(product: Product): Promise<string> {
  const location = { code: 'zrh', city: 'Zürich', region: 'Europe' };
  const { status, body } = await product.api('POST', '/v1/admin/locations', location);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data.code;
}

/** Runs schemathesis with a fixed seed. Its settings list what is not a fault, and why. */
async function schemathesis(
  product: Product,
  folder: string,
  /** By their name in its settings. */
  ids: Record<string, readonly string[]>,
  run: FuzzRun,
): Promise<{ report: Report; output: string }> {
  const requirements = await readFile(join(FOLDER, 'requirements.txt'), 'utf8');
  const version = /^schemathesis==(.+)$/m.exec(requirements)?.[1];
  const home = join(cacheDirectory(process.env), `schemathesis-${version}`);
  if (!existsSync(home)) throw new Error(`${home} is not there: run scripts/test-tools/install-schemathesis`);
  const file = join(folder, 'report.json');
  const args = [
    ...['-m', 'schemathesis.cli', '--config-file', join(FOLDER, 'schemathesis.toml')],
    ...['run', `${product.url}/v1/openapi.json`, '--no-color'],
    ...['--phases', run.phases, '--max-examples', String(run.examplesMax)],
    ...['--report', 'json', '--report-json-path', file],
  ];
  const child = spawn('python3', args, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      PYTHONPATH: home,
      PYTHONDONTWRITEBYTECODE: '1',
      PICKET_KEY: product.apiKey,
      ...Object.fromEntries(
        Object.entries(ids).flatMap(([name, values]) => values.map((id, n) => [`PICKET_${name}_${n}`, id])),
      ),
      PICKET_FUZZ_HOOKS: join(FOLDER, 'hooks.py'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const text = await readFile(file, 'utf8').catch(() => '');
  if (text === '') throw new Error(`no report:\n${output.slice(-5_000)}`);
  return { report: JSON.parse(text), output };
}
