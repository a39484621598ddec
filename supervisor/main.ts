import { chmod, mkdir } from 'node:fs/promises';
import { systemClock } from '../kernel/clock.js';
import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { readSupervisorConfig, type SupervisorConfig } from './config.js';
import { endLeftovers } from './leftovers.js';
import { openLogFile } from './log-file.js';
import { checkPorts } from './ports.js';
import { createPrograms, say } from './programs.js';
import { claimDataDirectory } from './single-instance.js';

async function main(): Promise<void> {
  const config = readSupervisorConfig(process.env);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await chmod(config.dataDir, 0o700);
  await claimDataDirectory(config.dataDir);
  await endLeftovers(config.dataDir, systemClock);
  await checkPorts(config);
  // A person at a terminal reads sentences; everything else that starts Picket collects the log lines.
  const log = process.stdout.isTTY ? openLogFile(config.dataDir, systemClock) : null;

  let stopping: Promise<void> | null = null;
  const stop = (exitCode: number) => {
    stopping ??= programs.stop().then(() => process.exit(exitCode));
  };
  const programs = createPrograms(config, log?.descriptor ?? 'inherit', stop);
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  process.on('SIGHUP', () => stop(0));

  try {
    const agent = await programs.start();
    if (stopping === null) process.stdout.write(log === null ? announcement(config, agent) : welcome(config, log.path));
  } catch (error) {
    if (stopping !== null) return;
    say(error instanceof Error ? error.message : String(error));
    stop(error instanceof SettingError ? EXIT_CONFIG : 1);
  }
}

/** What a terminal shows: where Picket is, and how to get in. */
function welcome(config: SupervisorConfig, log: string): string {
  const targets = config.allowPrivateTargets ? '' : `picket: targets: ${PUBLIC_TARGETS}\n`;
  return `${targets}picket: running at ${config.publicUrl} (password: ${config.firstRunFile}, log: ${log}). Ctrl-C stops it.\n`;
}

/** The default depends on PICKET_HOST, so someone who has just changed that needs to see it. */
const PUBLIC_TARGETS = 'public addresses only; PICKET_ALLOW_PRIVATE_TARGETS=1 adds private';

function announcement(config: SupervisorConfig, agent: string): string {
  const lines = [
    '',
    '  Picket is running.',
    '',
    `  Dashboard  ${config.publicUrl}`,
    `  API        ${config.publicUrl}/v1     reference: ${config.publicUrl}/docs`,
    `  Log-in     the owner's password and an API key are in ${config.firstRunFile}`,
    `  Probes     ${config.locations.join(', ') || 'none'}`,
    `  Agent      ${agent}`,
    ...(config.allowPrivateTargets ? [] : [`  Targets    ${PUBLIC_TARGETS}`]),
    '',
    '  Stop with Ctrl-C.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}

main().catch((error: unknown) => {
  process.stderr.write(`picket: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof SettingError ? EXIT_CONFIG : 1);
});
