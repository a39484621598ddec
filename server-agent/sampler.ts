import { createHash } from 'node:crypto';
import type { Clock, Timer } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { ServerTime } from '../node-link/server-time.js';
import type { MetricReport } from '../proto/generated/picket/link/v1/MetricReport.js';
import type { MetricValue } from '../proto/generated/picket/link/v1/MetricValue.js';

/** Reads the server at each slot and reports what it read. */
export interface Sampler {
  start(): void;
  /** Nobody wants what it would report: nothing is read until it is resumed. */
  pause(): void;
  resume(): void;
  /** Epoch milliseconds of the newest report, on the control plane's clock. */
  stampedMs(): number;
  stop(): Promise<void>;
}

/** A timer that comes this late is still the slot's own: reports then lie at even distances and pack well. */
const SLOT_LATENESS_MS_MAX = 250;
/** A report that would lie before the one before is left out, unless the control plane's clock went back so far. */
const STEP_BACK_MS_MIN = 60_000;

/** The first slot after `nowMs`: slots are at k * interval + phase. */
export function slotAfter(nowMs: number, intervalMs: number, phaseMs: number): number {
  return (Math.floor((nowMs - phaseMs) / intervalMs) + 1) * intervalMs + phaseMs;
}

/**
 * Where in the interval this server reports: its own place for each, spread evenly over them all, so that thousands
 * of agents that were started together do not report together.
 */
export function phaseOf(serverId: string, intervalMs: number): number {
  const hash = createHash('sha256').update(serverId).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * intervalMs);
}

/** The time of a report that was read at `nowMs` for this slot; null when it is to be left out. */
export function stampOf(nowMs: number, slotMs: number, lastMs: number): number | null {
  // A timer may also be a little early.
  const stamp = Math.abs(nowMs - slotMs) <= SLOT_LATENESS_MS_MAX ? slotMs : Math.round(nowMs);
  return stamp > lastMs || lastMs - stamp >= STEP_BACK_MS_MIN ? stamp : null;
}

export function createSampler(options: {
  intervalMs: number;
  phaseMs: number;
  /** Time of the newest report of an earlier process. */
  stampedMs: number;
  serverTime: ServerTime;
  timeIsKnown(): boolean;
  /** Counts suspension; see `boot-clock.ts`. */
  bootClock: Clock;
  sample(atMs: number): Promise<MetricValue[]>;
  report(report: MetricReport): void;
  logger: Logger;
}): Sampler {
  const { intervalMs, phaseMs, serverTime, bootClock, logger } = options;
  let stampedMs = options.stampedMs;
  let timer: Timer | null = null;
  let paused = false;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();

  function plan(afterMs: number): void {
    timer?.cancel();
    timer = null;
    if (stopped || paused) return;
    const slotMs = slotAfter(afterMs, intervalMs, phaseMs);
    timer = bootClock.after(Math.ceil(slotMs - serverTime.now()), () => {
      running = take(slotMs).catch((error) => logger.error({ err: error }, 'a sample failed'));
    });
  }

  async function take(slotMs: number): Promise<void> {
    try {
      const values = await options.sample(bootClock.monotonic());
      const stamp = stampOf(serverTime.now(), slotMs, stampedMs);
      if (paused || stamp === null || values.length === 0 || !options.timeIsKnown()) return;
      stampedMs = stamp;
      options.report({ atMs: stamp, values });
    } finally {
      // A timer may fire a little early: not the same slot twice.
      plan(Math.max(serverTime.now(), Math.min(slotMs, serverTime.now() + intervalMs)));
    }
  }

  // Slots are the control plane's: when its time is known at last, or was set, they are elsewhere.
  serverTime.onStep(() => {
    if (timer !== null) plan(serverTime.now());
  });

  return {
    start() {
      // What the first report compares with.
      running = options
        .sample(bootClock.monotonic())
        .then(() => plan(serverTime.now()))
        .catch((error) => logger.error({ err: error }, 'the first sample failed'));
    },
    pause() {
      paused = true;
      timer?.cancel();
      timer = null;
    },
    resume() {
      if (!paused) return;
      paused = false;
      plan(serverTime.now());
    },
    stampedMs: () => stampedMs,
    async stop() {
      stopped = true;
      timer?.cancel();
      await running;
    },
  };
}
