import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Random } from '../kernel/random.js';
import type { OpenChannel } from '../node-link/channel.js';
import type { CredentialFile, NodeCredentials } from '../node-link/enrolment/credentials.js';
import { createUplink } from '../node-link/uplink.js';
import type { Assignments__Output } from '../proto/generated/picket/link/v1/Assignments.js';
import type { AssignmentsCodec, CheckResultCodec } from '../proto/load.js';
import { createAssignmentsFile } from './assignments/file.js';
import { createAssignmentsKeeper } from './assignments/keeper.js';
import { createCanary } from './canary.js';
import { createChecking } from './checking.js';
import type { Checker } from './checks/check.js';
import type { ProbeConfig } from './config.js';
import { startFallback } from './fallback.js';
import { nodeStatus } from './status.js';

export interface Probe {
  /** Lets running checks end, delivers and keeps what there is, and hangs up. */
  stop(): Promise<void>;
}

export interface ProbeOptions {
  config: ProbeConfig;
  credentials: NodeCredentials;
  credentialFile: CredentialFile;
  version: string;
  checker: Checker;
  /** For the operators' own targets, which may be private ones. */
  canaryChecker: Checker;
  codec: CheckResultCodec;
  assignmentsCodec: AssignmentsCodec;
  openChannel: OpenChannel;
  clock: Clock;
  random: Random;
  logger: Logger;
}

const STATUS_PERIOD_MS = 10_000;
const STOP_CHECKS_MS = 5_000;

/** Puts the parts of a probe together and starts them. */
export function startProbe(options: ProbeOptions): Probe {
  const { codec, clock, logger } = options;
  const checking = createChecking({
    checker: options.checker,
    report: (result, urgent) => uplink.append(codec.encode(result), urgent),
    clock,
    logger,
  });
  const canary = createCanary({ checker: options.canaryChecker, clock, changed: sendStatus });
  const file = createAssignmentsFile({
    directory: options.config.dataDir,
    nodeId: options.credentials.nodeId,
    codec: options.assignmentsCodec,
    logger,
  });
  const assignmentsKeeper = createAssignmentsKeeper({ file, known: checking.lastKnown, clock, logger });
  let drained = false;
  let stopping = false;

  function sendStatus(): void {
    const draining = drained || stopping;
    uplink.send({ status: nodeStatus({ spool: uplink.spool, canary, ...checking, draining, clock }) });
  }

  function assign(message: Assignments__Output): void {
    checking.assign(message);
    // Half a set would take the place of a whole one.
    if (message.last) assignmentsKeeper.changed();
    if (message.snapshot && message.last) sendStatus();
  }

  const uplink = createUplink({
    ...options,
    dataDir: options.config.dataDir,
    spoolBytesMax: options.config.spoolBytesMax,
    events: {
      hello: () => ({ assignmentsRevision: checking.held().assignmentsRevision }),
      opened: checking.restart,
      welcome(welcome) {
        canary.watch(welcome.canaryTargets);
        drained = welcome.drained;
        checking.setDrained(drained);
        sendStatus();
      },
      message(message) {
        if (message.assignments) assign(message.assignments);
        else if (message.runNow) checking.runNow(message.runNow);
      },
      serverTime: checking.serverTime.observe,
      // Nobody takes its results any more, so no target is bothered for them.
      revoked: () => checking.setDrained(true),
    },
  });
  const statusTimer = clock.every(STATUS_PERIOD_MS, sendStatus);
  uplink.start();
  const fallback = startFallback({
    file,
    linkState: uplink.linkState,
    told: () => checking.held().assignmentsRevision !== 0,
    resume: checking.resume,
    clock,
    logger,
  });

  return {
    async stop() {
      stopping = true;
      canary.stop();
      sendStatus();
      statusTimer.cancel();
      fallback.stop();
      await checking.stop(STOP_CHECKS_MS);
      await assignmentsKeeper.stop();
      const left = await uplink.stop();
      logger.info({ ...left, slots_skipped_total: checking.status.skippedTotal() }, 'stopped');
    },
  };
}
