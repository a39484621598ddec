import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../kernel/clock.js';
import { localUrl } from '../kernel/loopback.js';
import { createPeriodicTask, type PeriodicTask } from '../kernel/periodic-task.js';
import { systemRandom } from '../kernel/random.js';
import { EXIT_CONFIG } from '../kernel/settings.js';
import { type SupervisedChild, spawnProgram, superviseChild } from './child.js';
import { agentEnv, controlPlaneEnv, type Env, probeEnv } from './child-env.js';
import { cacheDirectory, type SupervisorConfig } from './config.js';
import { createLowDiskWarning, failureLine, fullDisk } from './failure.js';
import { agentToken, probeTokens } from './join-tokens.js';
import { saveProcess } from './leftovers.js';
import { findMongod } from './mongod/binary.js';
import { mongodUri, prepareMongodHome } from './mongod/home.js';
import { spawnMongod } from './mongod/mongod.js';
import { whenPrimary } from './mongod/primary.js';
import { CONTROL_PLANE_NODE_FLAGS, NODE_FLAGS } from './node-flags.js';
import { waitUntilReady } from './ready.js';

/** Prints one line of the supervisor. */
export const say = (line: string) => process.stdout.write(`picket: ${line}\n`);

const scriptPath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** How often the free space of the disk is read. */
const DISK_MS = 60_000;

/** The exit code of mongod for invalid options. A restart would fail in the same way. */
const MONGOD_BAD_OPTIONS = 2;

/** The running processes, in the order of their start. They are stopped in reverse order. */
interface Running {
  /** Where the programs log: a file, or the output of the supervisor. */
  log: number | 'inherit';
  mongod: SupervisedChild | null;
  controlPlane: SupervisedChild | null;
  probes: SupervisedChild[];
  agent: SupervisedChild | null;
  /** Everything is being stopped, so nothing more is started. */
  stopping: boolean;
}

/** How to start one of Picket's own programs. */
interface Program {
  name: string;
  script: string;
  nodeFlags: readonly string[];
  env: Env;
  /** Called if its settings are wrong; it is not restarted then. */
  onFatal: () => void;
}

export interface Programs {
  /** Starts everything and waits until it is ready. Resolves to a line about the agent. */
  start(): Promise<string>;
  stop(): Promise<void>;
}

/** `stopAll` stops the whole product with an exit code. It is called when a program cannot run at all. */
export function createPrograms(
  config: SupervisorConfig,
  log: number | 'inherit',
  stopAll: (exitCode: number) => void,
): Programs {
  const running: Running = { log, mongod: null, controlPlane: null, probes: [], agent: null, stopping: false };
  const disk = watchDisk(config.dataDir);
  return {
    start() {
      disk.start();
      return startAll(config, running, stopAll);
    },
    async stop() {
      running.stopping = true;
      say('stopping');
      await disk.stop();
      const nodes = running.agent === null ? running.probes : [...running.probes, running.agent];
      await Promise.all(nodes.map((node) => node.stop()));
      await running.controlPlane?.stop();
      await running.mongod?.stop();
      say('stopped');
    },
  };
}

function watchDisk(dataDir: string): PeriodicTask {
  const warning = createLowDiskWarning(dataDir);
  return createPeriodicTask({
    clock: systemClock,
    periodMs: DISK_MS,
    firstMs: 0,
    async run() {
      const line = warning();
      if (line !== null) say(line);
    },
    onFailure: (error) => say(failureLine(error)),
  });
}

async function startAll(
  config: SupervisorConfig,
  running: Running,
  stopAll: (exitCode: number) => void,
): Promise<string> {
  const uri = config.mongodbUri ?? (await startDatabase(config, running, stopAll));
  say('starting the control plane');
  const env = controlPlaneEnv(process.env, config, uri);
  const onFatal = () => stopAll(EXIT_CONFIG);
  running.controlPlane = startProgram(config, running.log, {
    name: 'control plane',
    script: '../control-plane/main.js',
    nodeFlags: CONTROL_PLANE_NODE_FLAGS,
    env,
    onFatal,
  });
  const base = localUrl(config.host, config.httpPort);
  await waitUntilReady(`${base}/readyz`, systemClock);
  const tokens = await probeTokens(scriptPath('../control-plane/cli.js'), config, env);
  if (config.locations.length > 0) say(`starting the probes (${config.locations.join(', ')})`);
  for (const location of config.locations) {
    const dataDir = join(config.dataDir, 'probes', location);
    running.probes.push(
      startProgram(config, running.log, {
        name: `probe ${location}`,
        script: '../probe/main.js',
        nodeFlags: NODE_FLAGS,
        env: probeEnv(process.env, config, dataDir, tokens.get(location) ?? null),
        onFatal,
      }),
    );
  }
  const agent = await startAgent(config, running, env);
  await waitUntilReady(`${base}/readyz?probes=${config.locations.length}`, systemClock);
  return agent;
}

/** Starts the agent of this machine. Picket also runs without it, so a failure only appears in the returned line. */
async function startAgent(config: SupervisorConfig, running: Running, env: Env): Promise<string> {
  if (!config.localAgent) return 'none (PICKET_LOCAL_AGENT=0)';
  const dataDir = join(config.dataDir, 'agent');
  try {
    const token = await agentToken(scriptPath('../control-plane/cli.js'), dataDir, env);
    if (running.stopping) return 'none';
    running.agent = startProgram(config, running.log, {
      name: 'agent',
      // The same bundle as on other servers, because it needs the least memory.
      script: '../packages/picket-agent.cjs',
      nodeFlags: [],
      env: agentEnv(process.env, dataDir, token),
      onFatal: () => say('the agent cannot start, continuing without it'),
    });
    return `monitors this machine (${hostname()}) as a server`;
  } catch (error) {
    return `none: ${failureLine(error)}`;
  }
}

function startProgram(
  config: SupervisorConfig,
  log: number | 'inherit',
  { name, script, nodeFlags, env, onFatal }: Program,
): SupervisedChild {
  return superviseChild({
    name,
    clock: systemClock,
    say,
    fatalExitCode: EXIT_CONFIG,
    onFatal,
    explain: () => fullDisk(config.dataDir),
    start() {
      const started = spawnProgram(nodeFlags, scriptPath(script), env, log);
      saveProcess(config.dataDir, name, started.pid ?? null);
      return started;
    },
  });
}

/** Starts the embedded database and waits until it accepts writes. Resolves to its URI. */
async function startDatabase(
  config: SupervisorConfig,
  running: Running,
  stopAll: (exitCode: number) => void,
): Promise<string> {
  const binary = await findMongod({ path: process.env['PATH'] ?? '', cacheDir: cacheDirectory(process.env), say });
  const home = await prepareMongodHome(config.dataDir, systemRandom);
  say('starting the database');
  const mongod = superviseChild({
    name: 'mongod',
    clock: systemClock,
    say,
    fatalExitCode: MONGOD_BAD_OPTIONS,
    onFatal: () => stopAll(1),
    explain: () => fullDisk(config.dataDir),
    start() {
      const started = spawnMongod(binary, home);
      saveProcess(config.dataDir, 'mongod', started.pid ?? null);
      return started;
    },
  });
  running.mongod = mongod;
  await whenPrimary({ home, clock: systemClock, ended: () => mongod.state() === 'stopped', say });
  return mongodUri(home);
}
