import { join } from 'node:path';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Random } from '../kernel/random.js';
import { type BatchSender, createBatchSender } from '../node-link/batch.js';
import type { OpenChannel } from '../node-link/channel.js';
import type { CredentialFile, NodeCredentials } from '../node-link/credentials.js';
import { createLink, type LinkHandlers, type LinkSession } from '../node-link/link.js';
import { openSpool } from '../node-link/spool.js';
import { createOpenStream } from '../node-link/stream.js';
import type { AssignmentsCodec, CheckResultCodec } from '../proto/load.js';
import { createAssignmentsFile } from './assignments-file.js';
import { createAssignmentsKeeper } from './assignments-keeper.js';
import { createCanary } from './canary.js';
import { createChecking } from './checking.js';
import type { Checker } from './checks/check.js';
import type { ProbeConfig } from './config.js';
import { createCredentialKeeper } from './credential-keeper.js';
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

const PROTOCOL = 1;
const INSTANCE_BYTES = 12;
const SPOOL_FREE_RATIO_MIN = 0.05;
const STATUS_PERIOD_MS = 10_000;
const ROTATION_LOOK_MS = 3_600_000;
const STOP_CHECKS_MS = 5_000;
/** After the last check the control plane gets so long to acknowledge; what it does not is on disk. */
const STOP_DELIVERY_MS = 2_000;
/** How often it is looked whether that is done. */
const STOP_LOOK_MS = 20;

/** Puts the parts of a probe together and starts them. */
export function startProbe(options: ProbeOptions): Probe {
  const { openChannel, codec, clock, logger } = options;
  const spool = openSpool({
    directory: join(options.config.dataDir, 'spool'),
    bytesMax: options.config.spoolBytesMax,
    freeRatioMin: SPOOL_FREE_RATIO_MIN,
    clock,
    logger,
  });
  const sender = createBatchSender({ spool, clock, logger });
  const checking = createChecking({
    checker: options.checker,
    report(result, urgent) {
      spool.append(codec.encode(result));
      sender.appended(urgent);
    },
    clock,
    logger,
  });
  const canary = createCanary({ checker: options.canaryChecker, clock, changed: sendStatus });
  const keeper = createCredentialKeeper({
    initial: options.credentials,
    file: options.credentialFile,
    openChannel,
    clock,
    logger,
  });
  const file = createAssignmentsFile({
    directory: options.config.dataDir,
    nodeId: options.credentials.nodeId,
    codec: options.assignmentsCodec,
    logger,
  });
  const assignmentsKeeper = createAssignmentsKeeper({ file, known: checking.lastKnown, clock, logger });
  let session: LinkSession | null = null;
  let drained = false;
  let stopping = false;

  function sendStatus(): void {
    const draining = drained || stopping;
    session?.send({ status: nodeStatus({ spool, canary, ...checking, draining, clock }) });
  }

  /** Moves to a new stream once there is a new credential, so that the old one can be forgotten. */
  function renewCredential(): void {
    if (session === null) return;
    keeper
      .rotateWhenOld(session.address)
      .then((rotated) => {
        if (rotated) link.reopen();
      })
      .catch((error) => logger.error({ err: error }, 'rotation failed'));
  }

  const handlers: LinkHandlers = {
    hello: () => ({
      version: options.version,
      protocol: PROTOCOL,
      assignmentsRevision: checking.held().assignmentsRevision,
    }),
    opened(opened) {
      session = opened;
      keeper.accepted(opened.credentials);
      checking.restart();
      sender.attach(opened);
      renewCredential();
    },
    welcome(welcome) {
      canary.watch(welcome.canaryTargets);
      drained = welcome.drained;
      checking.setDrained(drained);
      sendStatus();
    },
    writable: sender.writable,
    lost() {
      session = null;
      sender.detach();
    },
    ack: sender.ack,
    assignments(message) {
      checking.assign(message);
      // Half a set would take the place of a whole one.
      if (message.last) assignmentsKeeper.changed();
      if (message.snapshot && message.last) sendStatus();
    },
    runNow: checking.runNow,
    serverTime: checking.serverTime.observe,
    fallBack: keeper.fallBack,
    // Nobody takes its results any more, so no target is bothered for them.
    revoked: () => checking.setDrained(true),
  };
  const link = createLink({
    credentials: keeper.current,
    openStream: createOpenStream({
      openChannel,
      instance: options.random.bytes(INSTANCE_BYTES).toString('hex'),
      clock,
    }),
    handlers,
    clock,
    random: options.random,
    logger,
  });
  const timers = [clock.every(STATUS_PERIOD_MS, sendStatus), clock.every(ROTATION_LOOK_MS, renewCredential)];
  link.start();
  const fallback = startFallback({
    file,
    linkState: link.state,
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
      for (const timer of timers) timer.cancel();
      fallback.stop();
      await checking.stop(STOP_CHECKS_MS);
      await spool.sync();
      await assignmentsKeeper.stop();
      await delivered(sender, clock);
      await link.stop();
      const { records, droppedTotal } = spool.stats();
      await spool.close();
      logger.info(
        {
          undelivered: records,
          dropped_total: droppedTotal,
          rejected_total: sender.rejectedTotal(),
          slots_skipped_total: checking.status.skippedTotal(),
        },
        'stopped',
      );
    },
  };
}

/** Resolves when the control plane has acknowledged everything, or its time for that is over. */
async function delivered(sender: BatchSender, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + STOP_DELIVERY_MS;
  while (!sender.drained() && clock.monotonic() < deadline) await clock.sleep(STOP_LOOK_MS);
}
