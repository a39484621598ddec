import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../kernel/clock.js';
import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { type SupervisedChild, startNode, superviseChild } from './child.js';
import { cacheDirectory, readSupervisorConfig, type SupervisorConfig } from './config.js';
import { joinTokens } from './join-tokens.js';
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
}

async function main(): Promise<void> {
  const config = readSupervisorConfig(process.env);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await chmod(config.dataDir, 0o700);
  await endLeftovers(config.dataDir, systemClock);

  const running: Running = { mongod: null, controlPlane: null, probes: [] };
  let stopping: Promise<void> | null = null;
  const stop = (exitCode: number) => {
    stopping ??= stopAll(running).then(() => process.exit(exitCode));
  };
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  process.on('SIGHUP', () => stop(0));

  try {
    await startAll(config, running, stop);
    if (stopping === null) announce(config);
  } catch (error) {
    if (stopping !== null) return;
    say(error instanceof Error ? error.message : String(error));
    stop(1);
  }
}

async function startAll(config: SupervisorConfig, running: Running, stop: (code: number) => void): Promise<void> {
  const mongodbUri = config.mongodbUri ?? (await startDatabase(config, running, stop));
  const env = {
    PICKET_ALLOW_PRIVATE_TARGETS: '1',
    ...process.env,
    PICKET_MONGODB_URI: mongodbUri,
    PICKET_DATA_DIR: config.dataDir,
  };
  const child = (name: string, script: string, extra: Record<string, string>) =>
    superviseChild({
      name,
      clock: systemClock,
      say,
      fatalExitCode: EXIT_CONFIG,
      onFatal: () => stop(EXIT_CONFIG),
      start() {
        const started = startNode(program(script), [], { ...env, ...extra });
        noteProcess(config.dataDir, name, started.pid ?? null);
        return started;
      },
    });
  running.controlPlane = child('control plane', '../control-plane/main.js', {});
  const base = `http://${config.host === '0.0.0.0' ? '127.0.0.1' : config.host}:${config.httpPort}`;
  await waitUntilReady(`${base}/readyz`, systemClock);
  const tokens = await joinTokens(program('../control-plane/cli.js'), config, env);
  for (const location of config.locations) {
    const dataDir = join(config.dataDir, 'probes', location);
    const token = tokens.get(location);
    running.probes.push(
      child(`probe ${location}`, '../probe/main.js', {
        PICKET_DATA_DIR: dataDir,
        ...(token === undefined ? {} : { PICKET_JOIN_TOKEN: token }),
      }),
    );
  }
  await waitUntilReady(`${base}/readyz?probes=${config.locations.length}`, systemClock);
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
  say('stopping');
  await Promise.all(running.probes.map((probe) => probe.stop()));
  await running.controlPlane?.stop();
  await running.mongod?.stop();
  say('stopped');
}

function announce(config: SupervisorConfig): void {
  const lines = [
    '',
    '  Picket is running.',
    '',
    `  Dashboard  ${config.publicUrl}`,
    `  API        ${config.publicUrl}/v1     reference: ${config.publicUrl}/docs`,
    `  Sign-in    ${config.firstRunFile} holds the owner's password and an API key`,
    `  Probes     ${config.locations.join(', ') || 'none'}`,
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
