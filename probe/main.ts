#!/usr/bin/env node
import { systemClock } from '../kernel/clock.js';
import { createBlockedLog } from '../kernel/guard/blocked-log.js';
import { createTargetGuard } from '../kernel/guard/target-guard.js';
import { createLogger, type Logger } from '../kernel/logger.js';
import { systemRandom } from '../kernel/random.js';
import { picketVersion } from '../kernel/version.js';
import { createOpenChannel } from '../node-link/channel.js';
import type { NodeCredentials } from '../node-link/enrolment/credentials.js';
import { exitOnStartFailure, stopOnSignal } from '../node-link/node-process.js';
import { prepareNode } from '../node-link/prepare.js';
import { loadAssignmentsCodec, loadCheckResultCodec, loadNodeLink } from '../proto/load.js';
import { createChecker } from './checks/check.js';
import { createTlsContexts } from './checks/tls/contexts.js';
import { HELP, type ProbeConfig, readProbeCommand } from './config.js';
import { createIcmp } from './icmp/icmp.js';
import { startProbe } from './probe.js';
import { createResolver } from './resolve.js';
import { createScan } from './scan/scan.js';

const PROGRAM = 'picket-probe';

async function main(): Promise<void> {
  const command = readProbeCommand(process.argv.slice(2), process.env);
  const version = picketVersion();
  if (command.kind === 'help') return void process.stdout.write(HELP);
  if (command.kind === 'version') return void process.stdout.write(`${PROGRAM} ${version}\n`);
  const { config } = command;
  const logger = createLogger({ name: 'probe', level: config.logLevel });
  const openChannel = createOpenChannel(loadNodeLink());
  const prepared = await prepareNode({ kind: 'probe', config, version, openChannel, clock: systemClock, logger });
  const checker = await createCheckers(config, prepared.credentials, version, logger);
  const probe = startProbe({
    ...prepared,
    ...checker,
    config,
    version,
    codec: loadCheckResultCodec(),
    assignmentsCodec: loadAssignmentsCodec(),
    openChannel,
    clock: systemClock,
    random: systemRandom,
    logger,
  });
  stopOnSignal(PROGRAM, probe.stop);
}

async function createCheckers(config: ProbeConfig, credentials: NodeCredentials, version: string, logger: Logger) {
  const shared = {
    resolver: createResolver({
      clock: systemClock,
      servers: config.dnsServers,
      hostsPath: '/etc/hosts',
      resolvConfPath: '/etc/resolv.conf',
    }),
    clock: systemClock,
    icmp: await createIcmp({ clock: systemClock, random: systemRandom, log: logger }),
    log: logger,
    userAgent: `Picket/${version} (+https://picket.invalid/probe; ${credentials.location})`,
    extraCaPem: config.extraCaPem,
  };
  const guard = createTargetGuard({
    allowPrivate: config.allowPrivateTargets,
    denied: config.deniedTargets,
    log: createBlockedLog(logger, systemClock),
  });
  return {
    checker: createChecker({ ...shared, guard }),
    canaryChecker: createChecker({ ...shared, guard: createTargetGuard({ allowPrivate: true }) }),
    scan: createScan({ ...shared, guard, random: systemRandom, tlsContexts: createTlsContexts(config.extraCaPem) }),
  };
}

main().catch((error) => exitOnStartFailure(PROGRAM, error));
