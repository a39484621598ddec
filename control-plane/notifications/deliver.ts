import type { Clock, Timer } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Attempt } from './attempt.js';
import type { NotificationMetrics } from './notifications.js';
import type { OutboxStore } from './outbox-store.js';

/** How many channels are served at once. One that hangs holds one place for 16 s, then waits its growing pause. */
const CHANNELS_IN_FLIGHT_MAX = 128;
/** A holder that has not noted an outcome by then is taken for dead. Twice what an attempt may take. */
const LEASE_MS = 30_000;
const POLL_MS = 1_000;
/** A stop lets sends finish that long, then cuts them off. */
const STOP_GRACE_MS = 5_000;

/**
 * idle: not started. running: claims whatever is due. stopping: claims nothing, lets sends finish.
 * stopped: nothing is in flight.
 */
type State = 'idle' | 'running' | 'stopping' | 'stopped';

const NEXT_STATES: Record<State, readonly State[]> = {
  idle: ['running', 'stopped'],
  running: ['stopping'],
  stopping: ['stopped'],
  stopped: [],
};

interface Deliverer {
  start(): void;
  /** Something may be due. Cheap, also while nothing is. */
  wake(): void;
  /** Resolves when no send is in flight; within 5 s and a little. */
  stop(): Promise<void>;
}

/**
 * Claims due rows and works them off: one at a time for each channel, channels side by side, so that one that
 * hangs delays no other. Any number of control planes may do so at once.
 */
export function createDeliverer(deps: {
  outbox: OutboxStore;
  attempt: Attempt;
  metrics: NotificationMetrics;
  clock: Clock;
  logger: Logger;
  leaseMs?: number;
}): Deliverer {
  const { outbox, clock, logger } = deps;
  const leaseMs = deps.leaseMs ?? LEASE_MS;
  const inFlight = new Map<string, Promise<void>>();
  const cutOff = new AbortController();
  let state: State = 'idle';
  let pumping: Promise<void> | null = null;
  let wakenAgain = false;
  let polling: Promise<void> | null = null;
  let timer: Timer | null = null;

  /** The only place that changes the state; false when the change does not fit, and then nothing happens. */
  function transition(to: State): boolean {
    if (!NEXT_STATES[state].includes(to)) return false;
    state = to;
    return true;
  }

  function wake(): void {
    if (state !== 'running') return;
    wakenAgain = true;
    pumping ??= pump().finally(() => {
      pumping = null;
      // What came while the last claim was under way.
      if (wakenAgain) wake();
    });
  }

  async function pump(): Promise<void> {
    try {
      while (state === 'running' && inFlight.size < CHANNELS_IN_FLIGHT_MAX) {
        wakenAgain = false;
        const row = await outbox.claim(clock.now(), leaseMs, [...inFlight.keys()]);
        if (row === null) {
          if (wakenAgain) continue;
          return;
        }
        const work = deps
          .attempt(row, cutOff.signal)
          .catch((err: unknown) =>
            logger.error({ err, notification: row._id }, 'a notification could not be worked on'),
          )
          .finally(() => {
            inFlight.delete(row.channel_id);
            wake();
          });
        inFlight.set(row.channel_id, work);
      }
      wakenAgain = false;
    } catch (err) {
      wakenAgain = false;
      logger.error({ err }, 'the outbox could not be read; trying again at the next poll');
    }
  }

  async function poll(): Promise<void> {
    try {
      const nowMs = clock.now();
      const reclaimed = await outbox.reclaim(nowMs);
      if (reclaimed > 0) logger.warn({ notifications: reclaimed }, 'took over from a control plane that died');
      const oldest = await outbox.oldestDue(nowMs);
      deps.metrics.lag(oldest === null ? 0 : nowMs - oldest);
    } catch (err) {
      logger.error({ err }, 'the outbox could not be polled');
    }
    wake();
  }

  function tick(): void {
    polling ??= poll().finally(() => {
      polling = null;
    });
  }

  return {
    start() {
      if (!transition('running')) return;
      timer = clock.every(POLL_MS, tick);
      tick();
    },
    wake,
    async stop() {
      if (transition('stopped')) return;
      if (!transition('stopping')) return;
      timer?.cancel();
      await Promise.all([pumping, polling]);
      const finished = Promise.all(inFlight.values()).then(() => undefined);
      const grace = clock.after(STOP_GRACE_MS, () => cutOff.abort());
      await finished;
      grace.cancel();
      transition('stopped');
    },
  };
}
