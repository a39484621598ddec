#!/usr/bin/env node
// First, as it is to hold for all that follows.
import './lean.js';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { systemClock } from '../kernel/clock.js';
import { createLogger, type Logger } from '../kernel/logger.js';
import { systemRandom } from '../kernel/random.js';
import { picketVersion } from '../kernel/version.js';
import { beginNode } from '../node-link/begin.js';
import { createOpenChannel } from '../node-link/channel.js';
import { failToBegin, stopWhenTold } from '../node-link/node-process.js';
import { loadMetricReportCodec, loadNodeLink } from '../proto/load.js';
import { startAgent } from './agent.js';
import { askDetails } from './ask-details.js';
import type { Collector } from './collectors/collector.js';
import { createLinuxCollector } from './collectors/linux.js';
import { type AgentConfig, HELP, readAgentCommand } from './config.js';

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
  const beginning = await beginNode({ kind: 'agent', config, version, openChannel, clock: systemClock, logger });
  const agent = startAgent({
    ...beginning,
    config,
    version,
    collector: await createCollector(config, logger),
    details: askDetails(logger),
    bootId: bootId(),
    codec: loadMetricReportCodec(),
    openChannel,
    clock: systemClock,
    random: systemRandom,
    logger,
  });
  stopWhenTold(PROGRAM, agent.stop);
}

/** Loaded by the short-lived child only, or on systems that have no /proc to read. */
async function printDetails(): Promise<void> {
  const { readDetails } = await import('./details.js');
  process.stdout.write(`${JSON.stringify(await readDetails())}\n`);
}

async function createCollector(config: AgentConfig, logger: Logger): Promise<Collector> {
  const options = { intervalMs: config.intervalMs, clock: systemClock, logger };
  if (platform() === 'linux') return createLinuxCollector({ ...options, root: '/' });
  const { createPortableCollector } = await import('./collectors/portable.js');
  return createPortableCollector(options);
}

/** Linux names each start of the machine. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

main().catch((error) => failToBegin(PROGRAM, error));
