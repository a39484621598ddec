import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { NotificationMetrics } from '../notifications.js';
import type { Attempts } from './attempt.js';
import { createLanes } from './lanes.js';
import type { OutboxStore } from './outbox-store.js';

/** How many channels are served at once. One that hangs holds one place for 16 s, then waits its growing pause. */
const CHANNELS_IN_FLIGHT_MAX = 128;
/** A holder that has not noted an outcome by then is taken for dead. Twice what an attempt may take. */
const LEASE_MS = 30_000;
const POLL_MS = 1_000;
/** A stop lets sends finish that long, then cuts them off. */
const STOP_GRACE_MS = 5_000;
/** A channel that rests is looked at again after so long at the latest: somebody may have ended its pause. */
const REST_MS_MAX = 5_000;
const HOLDER_BYTES = 8;

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
  /** Something is due for these channels, or may be for any. */
  wake(channelIds?: readonly string[]): void;
  /** Resolves when no send is in flight; within 5 s and a little. */
  stop(): Promise<void>;
}

/**
 * Claims due rows and works them off, channels side by side, so that one that hangs delays no other. Any number of
 * control planes may do so at once.
 */
export function createDeliverer(deps: {
  outbox: OutboxStore;
  attempts: Attempts;
  metrics: NotificationMetrics;
  clock: Clock;
  random: Random;
  logger: Logger;
  leaseMs?: number;
}): Deliverer {
  const { outbox, clock, logger } = deps;
  const leaseMs = deps.leaseMs ?? LEASE_MS;
  const draining = new AbortController();
  const cutOff = new AbortController();
  /** Channels that asked for a pause, and until when they are left alone. */
  const resting = new Map<string, number>();
  let state: State = 'idle';
  let polling: Promise<void> | null = null;
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let timer: Timer | null = null;

  const lanes = createLanes({
    lanesMax: CHANNELS_IN_FLIGHT_MAX,
    claim(channelId, rowsMax, busyIncidents) {
      const holder = deps.random.bytes(HOLDER_BYTES).toString('hex');
      return outbox.claim(channelId, clock.now(), { holder, leaseMs, rowsMax, busyIncidents });
    },
    work: (rows) => deps.attempts(rows, { draining: draining.signal, cutOff: cutOff.signal }),
    async answers(row) {
      await outbox.hurry(row.workspace_id, row.channel_id, clock.now());
    },
    rests(channelId, untilMs) {
      resting.set(channelId, Math.min(untilMs, clock.now() + REST_MS_MAX));
    },
    failed: (err, channel) => logger.error({ err, channel }, 'notifications could not be worked on'),
  });

  /** The only place that changes the state; false when the change does not fit, and then nothing happens. */
  function transition(to: State): boolean {
    if (!NEXT_STATES[state].includes(to)) return false;
    state = to;
    return true;
  }

  function wake(channelIds?: readonly string[]): void {
    if (state !== 'running') return;
    if (channelIds === undefined) lookEverywhere();
    else for (const channelId of channelIds) if (!rests(channelId)) lanes.look(channelId);
  }

  function rests(channelId: string): boolean {
    const untilMs = resting.get(channelId);
    if (untilMs !== undefined && untilMs <= clock.now()) resting.delete(channelId);
    return resting.has(channelId);
  }

  function lookEverywhere(): void {
    lookAgain = true;
    looking ??= lookAtDue().finally(() => {
      looking = null;
    });
  }

  async function lookAtDue(): Promise<void> {
    try {
      while (lookAgain && state === 'running') {
        lookAgain = false;
        const nowMs = clock.now();
        const due = (await outbox.waitingChannels()).filter(({ dueMs }) => dueMs <= nowMs);
        // What its channel does not want yet is not late.
        const wanted = due.filter(({ channelId }) => !rests(channelId));
        deps.metrics.lag(wanted.reduce((lagMs, { dueMs }) => Math.max(lagMs, nowMs - dueMs), 0));
        for (const { channelId } of wanted) lanes.look(channelId);
      }
    } catch (err) {
      logger.error({ err }, 'the outbox could not be read; trying again at the next poll');
    }
  }

  async function poll(): Promise<void> {
    try {
      const reclaimed = await outbox.reclaim(clock.now());
      if (reclaimed > 0) logger.warn({ notifications: reclaimed }, 'took over from a control plane that died');
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
      draining.abort();
      const grace = clock.after(STOP_GRACE_MS, () => cutOff.abort());
      await Promise.all([polling, looking, lanes.close()]);
      grace.cancel();
      transition('stopped');
    },
  };
}
