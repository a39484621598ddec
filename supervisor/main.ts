import { chmod, mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../kernel/clock.js';
import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { type SupervisedChild, startNode, superviseChild } from './child.js';
import { cacheDirectory, readSupervisorConfig, type SupervisorConfig } from './config.js';
import { failureLine } from './failure.js';
import { agentToken, probeTokens } from './join-tokens.js';
import { endLeftovers, noteProcess } from './leftovers.js';
import { mongodUri, prepareMongodHome, spawnMongod, whenPrimary } from './mongod.js';
import { findMongod } from './mongod-binary.js';
import { waitUntilReady } from './ready.js';

const say = (line: string) => process.stdout.write(`picket: ${line}\n`);
const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** mongod's exit code for options it does not take: a restart would end the same way. */
const MONGOD_BAD_OPTIONS = 2;

/** Everything that runs, in the order of its start; it is stopped in the opposite one. */
interface Running {
  mongod: SupervisedChild | null;
  controlPlane: SupervisedChild | null;
  probes: SupervisedChild[];
  agent: SupervisedChild | null;
  /** All of it is being stopped: nothing more is started. */
  stopping: boolean;
}

/** How one of our own programs is started. */
interface Program {
  name: string;
  script: string;
  nodeFlags: readonly string[];
  env: Record<string, string | undefined>;
  /** Its settings are wrong: it is not started again. */
  onFatal: () => void;
}

async function main(): Promise<void> {
  const config = readSupervisorConfig(process.env);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await chmod(config.dataDir, 0o700);
  await endLeftovers(config.dataDir, systemClock);

  const running: Running = { mongod: null, controlPlane: null, probes: [], agent: null, stopping: false };
  let stopping: Promise<void> | null = null;
  const stop = (exitCode: number) => {
    stopping ??= stopAll(running).then(() => process.exit(exitCode));
  };
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  process.on('SIGHUP', () => stop(0));

  try {
    const agent = await startAll(config, running, stop);
    if (stopping === null) announce(config, agent);
  } catch (error) {
    if (stopping !== null) return;
    say(error instanceof Error ? error.message : String(error));
    stop(1);
  }
}

/** Resolves with what is to be said of the agent. */
async function startAll(config: SupervisorConfig, running: Running, stop: (code: number) => void): Promise<string> {
  const mongodbUri = config.mongodbUri ?? (await startDatabase(config, running, stop));
  const env = {
    PICKET_ALLOW_PRIVATE_TARGETS: '1',
    ...process.env,
    PICKET_MONGODB_URI: mongodbUri,
    PICKET_DATA_DIR: config.dataDir,
  };
  const shared = { nodeFlags: ['--enable-source-maps'], onFatal: () => stop(EXIT_CONFIG) };
  running.controlPlane = startProgram(config, {
    ...shared,
    name: 'control plane',
    script: '../control-plane/main.js',
    env,
  });
  const base = `http://${config.host === '0.0.0.0' ? '127.0.0.1' : config.host}:${config.httpPort}`;
  await waitUntilReady(`${base}/readyz`, systemClock);
  const tokens = await probeTokens(program('../control-plane/cli.js'), config, env);
  for (const location of config.locations) {
    const dataDir = join(config.dataDir, 'probes', location);
    const its = { ...env, PICKET_DATA_DIR: dataDir, ...joining(tokens.get(location)) };
    running.probes.push(
      startProgram(config, { ...shared, name: `probe ${location}`, script: '../probe/main.js', env: its }),
    );
  }
  const agent = await startAgent(config, running, env);
  await waitUntilReady(`${base}/readyz?probes=${config.locations.length}`, systemClock);
  return agent;
}

/** The agent of this machine. Picket runs as well without it, so whatever hinders it is said and no more. */
async function startAgent(
  config: SupervisorConfig,
  running: Running,
  env: Record<string, string | undefined>,
): Promise<string> {
  if (!config.localAgent) return 'none (PICKET_LOCAL_AGENT=0)';
  const dataDir = join(config.dataDir, 'agent');
  try {
    const token = await agentToken(program('../control-plane/cli.js'), dataDir, env);
    if (running.stopping) return 'none';
    running.agent = startProgram(config, {
      name: 'agent',
      // As other servers run it, which takes the least memory.
      script: '../packages/picket-agent.cjs',
      nodeFlags: [],
      // The database is none of its business.
      env: { ...env, PICKET_MONGODB_URI: undefined, PICKET_DATA_DIR: dataDir, ...joining(token) },
      onFatal: () => say('the agent is left out'),
    });
    return `reports ${hostname()}, this machine, as a server`;
  } catch (error) {
    return `none: ${failureLine(error)}`;
  }
}

const joining = (token: string | null | undefined) => (token ? { PICKET_JOIN_TOKEN: token } : {});

function startProgram(config: SupervisorConfig, its: Program): SupervisedChild {
  return superviseChild({
    name: its.name,
    clock: systemClock,
    say,
    fatalExitCode: EXIT_CONFIG,
    onFatal: its.onFatal,
    start() {
      const started = startNode(its.nodeFlags, program(its.script), its.env);
      noteProcess(config.dataDir, its.name, started.pid ?? null);
      return started;
    },
  });
}

async function startDatabase(
  config: SupervisorConfig,
  running: Running,
  stop: (code: number) => void,
): Promise<string> {
  const binary = await findMongod({ path: process.env['PATH'] ?? '', cacheDir: cacheDirectory(process.env), say });
  const home = await prepareMongodHome(config.dataDir);
  const mongod = superviseChild({
    name: 'mongod',
    clock: systemClock,
    say,
    fatalExitCode: MONGOD_BAD_OPTIONS,
    onFatal: () => stop(1),
    start() {
      const started = spawnMongod(binary, home);
      noteProcess(config.dataDir, 'mongod', started.pid ?? null);
      return started;
    },
  });
  running.mongod = mongod;
  await whenPrimary({ home, clock: systemClock, ended: () => mongod.state() === 'stopped' });
  return mongodUri(home);
}

async function stopAll(running: Running): Promise<void> {
  running.stopping = true;
  say('stopping');
  const nodes = running.agent === null ? running.probes : [...running.probes, running.agent];
  await Promise.all(nodes.map((node) => node.stop()));
  await running.controlPlane?.stop();
  await running.mongod?.stop();
  say('stopped');
}

function announce(config: SupervisorConfig, agent: string): void {
  const lines = [
    '',
    '  Picket is running.',
    '',
    `  Dashboard  ${config.publicUrl}`,
    `  API        ${config.publicUrl}/v1     reference: ${config.publicUrl}/docs`,
    `  Sign-in    ${config.firstRunFile} holds the owner's password and an API key`,
    `  Probes     ${config.locations.join(', ') || 'none'}`,
    `  Agent      ${agent}`,
    '',
    '  Stop with Ctrl-C.',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`picket: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof SettingError ? EXIT_CONFIG : 1);
});
