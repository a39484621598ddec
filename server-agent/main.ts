#!/usr/bin/env node
// This import is first, so that V8 compiles all other modules with these flags.
import './apply-engine-flags.js';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { systemClock } from '../kernel/clock.js';
import { createLogger, type Logger } from '../kernel/logger.js';
import { systemRandom } from '../kernel/random.js';
import { picketVersion } from '../kernel/version.js';
import { createOpenChannel } from '../node-link/channel.js';
import { exitOnStartFailure, stopOnSignal } from '../node-link/node-process.js';
import { prepareNode } from '../node-link/prepare.js';
import { loadMetricSampleCodec, loadNodeLink } from '../proto/load.js';
import { startAgent } from './agent.js';
import type { Collector } from './collectors/collector.js';
import { createLinuxCollector } from './collectors/linux.js';
import { type AgentConfig, HELP, readAgentCommand } from './config.js';
import { readDetailsInChild } from './details-process.js';

const PROGRAM = 'picket-agent';

async function main(): Promise<void> {
  const command = readAgentCommand(process.argv.slice(2), process.env);
  if (command.kind === 'details') return printDetails();
  const version = picketVersion();
  if (command.kind === 'help') return void process.stdout.write(HELP);
  if (command.kind === 'version') return void process.stdout.write(`${PROGRAM} ${version}\n`);
  const { config } = command;
  const logger = createLogger({ name: 'agent', level: config.logLevel });
  const openChannel = createOpenChannel(loadNodeLink());
  const prepared = await prepareNode({ kind: 'agent', config, version, openChannel, clock: systemClock, logger });
  const agent = startAgent({
    ...prepared,
    config,
    version,
    collector: await createCollector(config, logger),
    details: readDetailsInChild(logger),
    bootId: bootId(),
    codec: loadMetricSampleCodec(),
    openChannel,
    clock: systemClock,
    random: systemRandom,
    logger,
  });
  stopOnSignal(PROGRAM, agent.stop);
}

/** Runs in the short-lived child only, because the library that it loads needs memory. */
async function printDetails(): Promise<void> {
  const { readDetails } = await import('./read-details.js');
  process.stdout.write(`${JSON.stringify(await readDetails())}\n`);
}

/** Loads the portable collector only on systems without /proc, because its library needs memory. */
async function createCollector(config: AgentConfig, logger: Logger): Promise<Collector> {
  const needs = { intervalMs: config.intervalMs, clock: systemClock, logger };
  if (platform() === 'linux') return createLinuxCollector({ ...needs, root: '/' });
  const { createPortableCollector } = await import('./collectors/portable/collector.js');
  return createPortableCollector(needs);
}

/** Returns the id that Linux gives to each boot; empty on other systems. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

main().catch((error) => exitOnStartFailure(PROGRAM, error));
