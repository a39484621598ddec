import { join } from 'node:path';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Random } from '../kernel/random.js';
import type { OpenChannel } from '../node-link/channel.js';
import type { CredentialFile, NodeCredentials } from '../node-link/enrolment/credentials.js';
import { createUplink, type Uplink } from '../node-link/uplink.js';
import type { MetricSampleCodec } from '../proto/load.js';
import { createBootClock } from './boot-clock.js';
import type { Collector } from './collectors/collector.js';
import type { AgentConfig } from './config.js';
import { type ControlTime, createControlTime } from './control-time.js';
import type { ServerDetails } from './details.js';
import { createInventorySender, type InventorySender } from './inventory.js';
import { createProcessRequests } from './process-requests.js';
import { createSampler, type Sampler } from './sampler.js';
import { phaseOf } from './slots.js';
import { createTimeFile } from './time-file.js';

export interface Agent {
  /** Delivers what is possible, keeps the rest on disk and disconnects. */
  stop(): Promise<void>;
}

export interface AgentNeeds {
  config: AgentConfig;
  credentials: NodeCredentials;
  credentialFile: CredentialFile;
  version: string;
  collector: Collector;
  details: Promise<ServerDetails>;
  /** Identifies this boot of the machine. Empty if the system has no boot ids. */
  bootId: string;
  codec: MetricSampleCodec;
  openChannel: OpenChannel;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** Creates the parts of an agent, connects them and starts them. */
export function startAgent(needs: AgentNeeds): Agent {
  const { config, collector, clock, logger } = needs;
  const bootClock = createBootClock(clock, collector.uptimeSeconds);
  const time = createControlTime({
    file: createTimeFile({ directory: config.dataDir, logger }),
    bootId: needs.bootId,
    bootClock,
    newestSampleMs: () => sampler.newestSampleMs(),
  });
  const nowMs = time.serverTime.now;
  const sampler = createSampler({
    intervalMs: config.intervalMs,
    phaseMs: phaseOf(needs.credentials.nodeId, config.intervalMs),
    newestSampleMs: time.newestSampleMs,
    serverTime: time.serverTime,
    timeIsKnown: time.isKnown,
    bootClock,
    readValues: collector.sample,
    // Every sample is urgent: a batch would only delay it, because the next sample is a whole interval away.
    send: (sample) => uplink.append(needs.codec.encode(sample), true),
    logger,
  });
  const inventory = createInventorySender({
    collector,
    details: needs.details,
    version: needs.version,
    intervalMs: config.intervalMs,
    samplesDropped: () => uplink.spool.stats().droppedTotal,
    nowMs,
    send: (message) => uplink.send({ inventory: message }),
    clock,
    logger,
  });
  const uplink = connect(needs, { time, sampler, inventory });
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

/** Creates the connection to the control plane, whose events go to the other parts. */
function connect(
  needs: AgentNeeds,
  { time, sampler, inventory }: { time: ControlTime; sampler: Sampler; inventory: InventorySender },
): Uplink {
  const { config, collector, logger } = needs;
  const processes = createProcessRequests({
    sample: () => collector.processes(time.serverTime.now),
    answer: (message) => uplink.send({ processes: message }),
    logger,
  });
  const uplink = createUplink({
    ...needs,
    dataDir: config.dataDir,
    spoolBytesMax: config.spoolBytesMax,
    events: {
      hello: () => ({}),
      opened: sampler.resume,
      welcome: inventory.send,
      message(message) {
        if (message.sampleProcesses) processes.request(message.sampleProcesses.nonce);
      },
      serverTime: time.observe,
      revoked() {
        const file = join(config.dataDir, 'credential.json');
        logger.error(
          { file },
          'credential revoked: sampling stopped, retrying every 5 minutes. To join again, delete the file and run the agent with a new join token',
        );
        sampler.pause();
      },
    },
  });
  return uplink;
}
