// Measures agents that lose their control plane, which was killed, and return to it together after an hour, each with
// its samples of that time.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AgentDocument } from '../control-plane/nodes/documents.js';
import { hashSecret, newCredential } from '../control-plane/nodes/enrolment/credentials.js';
import type { ServerDocument } from '../control-plane/servers/documents.js';
import { systemRandom } from '../kernel/random.js';
import { testDatabase } from '../test/helpers/database.js';
import { enrolNode, fetchPinned } from '../test/helpers/node-link/fake-node.js';
import { controlPlaneProcess } from '../test/helpers/processes/control-plane-process.js';
import { peakMemory } from '../test/helpers/processes/peak-memory.js';
import { printFigure, round } from './fixtures/figures.js';
import { cpuMeter } from './fixtures/processes.js';
import { benchSetting } from './fixtures/settings.js';

const AGENTS = benchSetting('AGENTS', 2_000);
const SAMPLES = benchSetting('SAMPLES', 360);
const MEMORY_MIB_MAX = 600;
const RETURN_SECONDS_MAX = 60;
/** Time in which a second wave would appear: longer than a node waits for an answer. */
const SETTLE_MS = 25_000;
/** For the first connection of each agent, slower than they return: one machine has the work of all agents. */
const CONNECT_MS = 20;
/** With more agents in one process, collecting its garbage takes longer than the work of the agents. */
const PROCESS_AGENTS = 1_000;
/** A fleet that has not answered by then never will. */
const ANSWER_MS_MAX = 300_000 + AGENTS * CONNECT_MS;
const FLEET = fileURLToPath(new URL('./fixtures/returning-fleet.ts', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'picket-returning-agents-'));
const mongo = await testDatabase();
const plane = await controlPlaneProcess(mongo.uri, folder);
const fleets: ChildProcess[] = [];
try {
  await plane.start();
  const { agents, ...control } = await enrolFleet();
  for (let at = 0; at < AGENTS; at += PROCESS_AGENTS) {
    const file = join(folder, `fleet-${at}.json`);
    const part = agents.slice(at, at + PROCESS_AGENTS);
    await writeFile(file, JSON.stringify({ ...control, agents: part, connectMs: CONNECT_MS * AGENTS }));
    fleets.push(spawn(process.execPath, ['--import', 'tsx', FLEET, file], { stdio: ['pipe', 'pipe', 'inherit'] }));
  }
  const ask = askingAll(fleets);
  await ask('connected');
  await measure(ask);
} finally {
  for (const fleet of fleets) fleet.kill();
  await plane.kill('SIGTERM');
  await mongo.drop();
  await rm(folder, { recursive: true, force: true });
}

type Counts = Record<'connected' | 'lost' | 'rejected' | 'batches', number>;
type Ask = (command: string) => Promise<Counts>;

/** Kills the control plane and starts it again. */
async function measure(ask: Ask): Promise<void> {
  await plane.kill('SIGKILL');
  await ask(`away ${SAMPLES}`);
  await plane.start();
  const memory = peakMemory(plane.pid());
  const meter = await cpuMeter({
    'control plane': plane.pid(),
    ...Object.fromEntries(fleets.map(({ pid = 0 }) => [`agents ${pid}`, pid])),
  });
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  await ask('connected');
  const returned = seconds();
  await ask('delivered');
  const delivered = seconds();
  const { 'control plane': cpu = 0, ...agentsCpu } = await meter.read();
  await sleep(SETTLE_MS);
  const { lost, rejected, batches } = await ask('counts');
  const shared = { agents: AGENTS, samples_each: SAMPLES, atMost: true };
  printFigure({
    ...shared,
    name: 'agents that return: time until all are back',
    ...{ value: returned, unit: 's', limit: RETURN_SECONDS_MAX },
    delivered_after_s: round(delivered, 1),
    cpu_seconds: round(cpu, 1),
    agents_cpu_seconds: round(
      Object.values(agentsCpu).reduce((sum, seconds) => sum + seconds, 0),
      1,
    ),
    batches,
    rejected,
  });
  const second = { value: lost, unit: 'streams', limit: 0 };
  printFigure({ ...shared, name: 'agents that return: lost again', ...second });
  printFigure({
    ...shared,
    name: 'agents that return: peak memory of the control plane',
    ...{ value: await memory.peak(), unit: 'MiB', limit: MEMORY_MIB_MAX },
    after_mib: round(await memory.now(), 0),
  });
}

/** Enrols one agent, and writes the others as its copies with credentials of their own. */
async function enrolFleet() {
  const made = await plane.api('POST', '/v1/servers/join-tokens');
  const first = await enrolNode(made.body.data.token);
  const authorityPem = await fetchPinned(first.address, first.fingerprint);
  first.close();
  const nodes = mongo.db.collection<AgentDocument>('nodes');
  const servers = mongo.db.collection<ServerDocument>('servers');
  const [node, server] = await Promise.all([nodes.findOne({ _id: first.id }), servers.findOne({ _id: first.id })]);
  if (node === null || server === null) throw new Error('the agent is not enrolled');
  const agents = Array.from({ length: AGENTS }, (_, index) => ({
    id: `srv_${String(index).padStart(26, '0')}`,
    credential: newCredential(systemRandom),
  }));
  await nodes.insertMany(
    agents.map(({ id, credential }) => ({ ...node, _id: id, credential_hash: hashSecret(credential) })),
  );
  await servers.insertMany(agents.map(({ id }) => ({ ...server, _id: id, name: id })));
  return { address: first.address, authorityPem, agents };
}

/** Returns a function that sends a command to all parts of the fleet, and resolves to the sum of their answers. */
function askingAll(parts: readonly ChildProcess[]): Ask {
  const asks = parts.map(asking);
  return async (command) => {
    const sum: Counts = { connected: 0, lost: 0, rejected: 0, batches: 0 };
    for (const counts of await Promise.all(asks.map((ask) => ask(command)))) {
      for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name];
    }
    return sum;
  };
}

/** The same for one part. */
function asking({ stdin, stdout }: ChildProcess): Ask {
  if (stdin === null || stdout === null) throw new Error('the fleet has no pipes');
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return async (command) => {
    stdin.write(`${command}\n`);
    const late = sleep(ANSWER_MS_MAX, null, { ref: false }).then(() =>
      Promise.reject(new Error(`no answer: ${command}`)),
    );
    return JSON.parse((await Promise.race([answers.next(), late])).value);
  };
}
