import type { Clock, Timer } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { ServerTime } from '../node-link/server-time.js';
import { slotAfter } from '../node-link/slot-time.js';
import type { MetricSample } from '../proto/generated/picket/link/v1/MetricSample.js';
import type { MetricValue } from '../proto/generated/picket/link/v1/MetricValue.js';
import { sampleTime } from './slots.js';

/** Takes a sample of the server in each slot. */
export interface Sampler {
  start(): void;
  /** Takes no samples until `resume`, because the control plane would reject them. */
  pause(): void;
  resume(): void;
  /** Returns the timestamp of the newest sample, in epoch milliseconds of the control plane's clock. */
  newestSampleMs(): number;
  stop(): Promise<void>;
}

export interface SamplerNeeds {
  intervalMs: number;
  phaseMs: number;
  /** The timestamp of the newest sample of an earlier process. */
  newestSampleMs: number;
  serverTime: ServerTime;
  timeIsKnown(): boolean;
  /** Counts suspension; see `boot-clock.ts`. */
  bootClock: Clock;
  /** Dates counters with this clock, when it reads them. */
  readValues(monotonic: () => number): Promise<MetricValue[]>;
  send(sample: MetricSample): void;
  logger: Logger;
}

export function createSampler(needs: SamplerNeeds): Sampler {
  const { intervalMs, phaseMs, serverTime, bootClock, logger } = needs;
  let newestSampleMs = needs.newestSampleMs;
  let timer: Timer | null = null;
  let paused = false;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();

  function schedule(afterMs: number): void {
    timer?.cancel();
    timer = null;
    if (stopped || paused) return;
    const slotMs = slotAfter(afterMs, intervalMs, phaseMs);
    timer = bootClock.after(Math.ceil(slotMs - serverTime.now()), () => {
      running = sampleSlot(slotMs).catch((error) =>
        logger.error({ err: error }, 'failed to take a sample, continuing with the next one'),
      );
    });
  }

  async function sampleSlot(slotMs: number): Promise<void> {
    try {
      const values = await needs.readValues(bootClock.monotonic);
      const atMs = sampleTime(serverTime.now(), slotMs, newestSampleMs);
      if (paused || atMs === null || values.length === 0 || !needs.timeIsKnown()) return;
      newestSampleMs = atMs;
      needs.send({ atMs, values });
    } finally {
      // A timer may fire a little early. The same slot must not be scheduled again.
      schedule(Math.max(serverTime.now(), Math.min(slotMs, serverTime.now() + intervalMs)));
    }
  }

  // Slots follow the control plane's clock. When its time is first known or set, the next slot is at another moment.
  serverTime.onStep(() => {
    if (timer !== null) schedule(serverTime.now());
  });

  return {
    start() {
      // The first sample is not sent. It is the base of the rates in the next one.
      running = needs
        .readValues(bootClock.monotonic)
        .then(() => schedule(serverTime.now()))
        .catch((error) => logger.error({ err: error }, 'failed to take the first sample, no samples will be sent'));
    },
    pause() {
      paused = true;
      timer?.cancel();
      timer = null;
    },
    resume() {
      if (!paused) return;
      paused = false;
      schedule(serverTime.now());
    },
    newestSampleMs: () => newestSampleMs,
    async stop() {
      stopped = true;
      timer?.cancel();
      await running;
    },
  };
}
