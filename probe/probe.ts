import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Random } from '../kernel/random.js';
import { createStallWatch } from '../kernel/stalls/stall-watch.js';
import type { OpenChannel } from '../node-link/channel.js';
import type { CredentialFile, NodeCredentials } from '../node-link/enrolment/credentials.js';
import { createUplink, type UplinkEvents } from '../node-link/uplink.js';
import type { AssignmentsCodec, CheckResultCodec } from '../proto/load.js';
import { createAssignmentsFile } from './assignments/file.js';
import { type AssignmentsWriter, createAssignmentsWriter } from './assignments/writer.js';
import { type Canary, createCanary } from './canary.js';
import { type Checking, createChecking } from './checking.js';
import type { Checker } from './checks/check.js';
import { createStallProofChecker } from './checks/stall-proof.js';
import type { ProbeConfig } from './config.js';
import { startFallback } from './fallback.js';
import type { Scan } from './scan/scan.js';
import { createScans, type Scans } from './scan/scans.js';
import { nodeStatus } from './status.js';

export interface Probe {
  /** Waits for running checks, delivers what is possible, keeps the rest on disk and disconnects. */
  stop(): Promise<void>;
}

export interface ProbeNeeds {
  config: ProbeConfig;
  credentials: NodeCredentials;
  credentialFile: CredentialFile;
  version: string;
  checker: Checker;
  /** Checks the canaries of the operator, which may be private targets. */
  canaryChecker: Checker;
  scan: Scan;
  codec: CheckResultCodec;
  assignmentsCodec: AssignmentsCodec;
  openChannel: OpenChannel;
  clock: Clock;
  random: Random;
  logger: Logger;
}

const STATUS_PERIOD_MS = 10_000;
const STOP_CHECKS_MS = 5_000;

/** Connects the parts of a probe and starts them. */
export function startProbe(needs: ProbeNeeds): Probe {
  const { config, codec, clock, logger } = needs;
  const stalls = createStallWatch(clock, (stalledMs) => {
    logger.warn({ stalled_ms: Math.round(stalledMs) }, 'this probe could not run, repeating the checks under way');
    sendStatus();
  });
  const stallProof = (checker: Checker) => createStallProofChecker({ checker, stalls, clock, logger });
  const checking = createChecking({
    checker: stallProof(needs.checker),
    deliver: (result, urgent) => uplink.append(codec.encode(result), urgent),
    clock,
    logger,
  });
  const scans = createScans({
    scan: needs.scan,
    deliver: (scanResult) => uplink.send({ scanResult }),
    clock,
    logger,
  });
  const canary = createCanary({ checker: stallProof(needs.canaryChecker), clock, changed: sendStatus });
  const file = createAssignmentsFile({
    directory: config.dataDir,
    nodeId: needs.credentials.nodeId,
    codec: needs.assignmentsCodec,
    logger,
  });
  const writer = createAssignmentsWriter({ file, toSave: checking.toSave, clock, logger });
  let drained = false;
  let stopping = false;

  function setDrained(wanted: boolean): void {
    drained = wanted;
    checking.setDrained(wanted);
  }

  function sendStatus(): void {
    const draining = drained || stopping;
    uplink.send({ status: nodeStatus({ spool: uplink.spool, canary, stalls, ...checking, draining, clock }) });
  }

  const uplink = createUplink({
    ...needs,
    dataDir: config.dataDir,
    spoolBytesMax: config.spoolBytesMax,
    events: uplinkEvents({ checking, scans, canary, writer, setDrained, sendStatus }),
  });
  const statusTimer = clock.every(STATUS_PERIOD_MS, sendStatus);
  uplink.start();
  const isAssigned = () => checking.assigned().assignmentsRevision !== 0;
  const { linkState } = uplink;
  const fallback = startFallback({ file, linkState, isAssigned, resume: checking.resume, clock, logger });

  return {
    async stop() {
      stopping = true;
      canary.stop();
      scans.stop();
      sendStatus();
      statusTimer.cancel();
      fallback.stop();
      await checking.stop(STOP_CHECKS_MS);
      stalls.stop();
      await writer.stop();
      const totals = await uplink.stop();
      logger.info({ ...totals, slots_skipped_total: checking.status.skippedTotal() }, 'stopped');
    },
  };
}

/** Returns the handlers of what the control plane sends. */
function uplinkEvents(needs: {
  checking: Checking;
  scans: Scans;
  canary: Canary;
  writer: AssignmentsWriter;
  setDrained(drained: boolean): void;
  sendStatus(): void;
}): UplinkEvents {
  const { checking, scans, canary, writer, sendStatus } = needs;
  return {
    hello: () => ({ assignmentsRevision: checking.assigned().assignmentsRevision }),
    opened: checking.restart,
    welcome(welcome) {
      canary.watch(welcome.canaryTargets);
      needs.setDrained(welcome.drained);
      sendStatus();
    },
    message(message) {
      if (message.assignments) {
        checking.assign(message.assignments);
        // An incomplete snapshot must not replace a complete one on disk.
        if (message.assignments.last) writer.changed();
        if (message.assignments.snapshot && message.assignments.last) sendStatus();
      } else if (message.runNow) checking.runNow(message.runNow);
      else if (message.scan) scans.request(message.scan);
    },
    serverTime: checking.serverTime.observe,
    // The control plane accepts no results of a revoked probe, so the probe must not send requests to targets.
    revoked: () => checking.setDrained(true),
  };
}
