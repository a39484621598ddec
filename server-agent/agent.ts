import { join } from 'node:path';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Random } from '../kernel/random.js';
import type { OpenChannel } from '../node-link/channel.js';
import type { CredentialFile, NodeCredentials } from '../node-link/enrolment/credentials.js';
import { createUplink } from '../node-link/uplink.js';
import type { MetricReportCodec } from '../proto/load.js';
import { createBootClock } from './boot-clock.js';
import type { Collector } from './collectors/collector.js';
import type { AgentConfig } from './config.js';
import { createControlTime } from './control-time.js';
import type { ServerDetails } from './details.js';
import { createInventoryTeller } from './inventory.js';
import { createProcessAnswers } from './process-answers.js';
import { createSampler, phaseOf } from './sampler.js';
import { createTimeFile } from './time-file.js';

export interface Agent {
  /** Delivers and keeps what there is, and hangs up. */
  stop(): Promise<void>;
}

export interface AgentOptions {
  config: AgentConfig;
  credentials: NodeCredentials;
  credentialFile: CredentialFile;
  version: string;
  collector: Collector;
  details: Promise<ServerDetails>;
  /** Names this start of the machine; empty where the system has none. */
  bootId: string;
  codec: MetricReportCodec;
  openChannel: OpenChannel;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** Puts the parts of an agent together and starts them. */
export function startAgent(options: AgentOptions): Agent {
  const { config, collector, clock, logger } = options;
  const bootClock = createBootClock(clock, collector.uptimeSeconds);
  const time = createControlTime({
    file: createTimeFile({ directory: config.dataDir, logger }),
    bootId: options.bootId,
    bootClock,
    stampedMs: () => sampler.stampedMs(),
  });
  const nowMs = time.serverTime.now;
  const sampler = createSampler({
    intervalMs: config.intervalMs,
    phaseMs: phaseOf(options.credentials.nodeId, config.intervalMs),
    stampedMs: time.lastStampedMs,
    serverTime: time.serverTime,
    timeIsKnown: time.isKnown,
    bootClock,
    sample: collector.sample,
    // Each is urgent: a report that waited for others would be seen later, and there are no others.
    report: (report) => uplink.append(options.codec.encode(report), true),
    logger,
  });
  const inventory = createInventoryTeller({
    collector,
    details: options.details,
    version: options.version,
    intervalMs: config.intervalMs,
    reportsDropped: () => uplink.spool.stats().droppedTotal,
    nowMs,
    send: (message) => uplink.send({ inventory: message }),
    clock,
    logger,
  });
  const processes = createProcessAnswers({
    sample: () => collector.processes(nowMs),
    answer: (message) => uplink.send({ processes: message }),
    logger,
  });
  const uplink = createUplink({
    ...options,
    dataDir: config.dataDir,
    spoolBytesMax: config.spoolBytesMax,
    events: {
      hello: () => ({}),
      opened: sampler.resume,
      welcome: inventory.tell,
      message(message) {
        if (message.sampleProcesses) processes.ask(message.sampleProcesses.nonce);
      },
      serverTime: time.observe,
      revoked() {
        const file = join(config.dataDir, 'credential.json');
        logger.error(
          { file },
          'the server was removed or its credential revoked: nothing is read any more. To join anew, remove the file',
        );
        sampler.pause();
      },
    },
  });
  uplink.start();
  sampler.start();

  return {
    async stop() {
      inventory.stop();
      await sampler.stop();
      time.stop();
      logger.info(await uplink.stop(), 'stopped');
    },
  };
}
