import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { NotificationMetrics } from '../notifications.js';
import type { Attempts } from './attempt.js';
import type { OutboxStore } from './outbox-store.js';
import { type ChannelPauses, createChannelPauses } from './queues/channel-pauses.js';
import { createChannelQueues } from './queues/channel-queues.js';
import { createDueChannels } from './queues/due-channels.js';
import { PLACE_LIMITS } from './queues/places.js';
import type { ChannelOfWorkspace } from './queues/waiting-channels.js';

const POLL_MS = 1_000;
/** A stop lets deliveries finish for this long, then aborts them. */
const STOP_GRACE_MS = 5_000;
const HOLDER_BYTES = 8;

/**
 * idle: not started. running: claims due notifications. stopping: claims nothing, lets deliveries finish.
 * stopped: no delivery is in progress.
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
  /** Notifications are due for these channels; without an argument, they may be due for any. */
  wake(channels?: readonly ChannelOfWorkspace[]): void;
  /** Resolves when no delivery is in progress, within about 5 s. */
  stop(): Promise<void>;
}

interface DelivererNeeds {
  outbox: OutboxStore;
  attempts: Attempts;
  metrics: NotificationMetrics;
  clock: Clock;
  random: Random;
  logger: Logger;
  leaseMs: number;
}

/**
 * Claims due notifications and delivers them, to channels concurrently, so that a channel that hangs delays no other, and the
 * channels of a workspace none of another one.
 * Any number of control planes can run this at the same time.
 */
export function createDeliverer(needs: DelivererNeeds): Deliverer {
  const { clock } = needs;
  const draining = new AbortController();
  const cutOff = new AbortController();
  let state: State = 'idle';
  let polling: Promise<void> | null = null;
  let timer: Timer | null = null;

  const pauses = createChannelPauses(clock);
  const queues = queuesOf(needs, { draining: draining.signal, cutOff: cutOff.signal }, pauses);
  const isRunning = () => state === 'running';
  const due = createDueChannels({ ...needs, pauses, isRunning, wakeKnown: queues.wakeKnown, found: queues.wake });

  /** The only place that changes the state. Returns false, and does nothing, for a change that is not allowed. */
  function transition(to: State): boolean {
    if (!NEXT_STATES[state].includes(to)) return false;
    state = to;
    return true;
  }

  function wake(channels?: readonly ChannelOfWorkspace[]): void {
    if (state !== 'running') return;
    if (channels === undefined) due.scan();
    else for (const channel of channels) if (!pauses.isPaused(channel.channelId)) queues.wake(channel);
  }

  function poll(): void {
    // Not after it: it may have to wait for rows that a dead process has locked.
    wake();
    polling ??= reclaim(needs)
      .then((reclaimed) => {
        if (reclaimed > 0) wake();
      })
      .finally(() => {
        polling = null;
      });
  }

  return {
    start() {
      if (!transition('running')) return;
      timer = clock.every(POLL_MS, poll);
      poll();
    },
    wake,
    async stop() {
      if (transition('stopped')) return;
      if (!transition('stopping')) return;
      timer?.cancel();
      draining.abort();
      const grace = clock.after(STOP_GRACE_MS, () => cutOff.abort());
      await Promise.all([polling, due.idle(), queues.close()]);
      grace.cancel();
      transition('stopped');
    },
  };
}

function queuesOf(
  { outbox, attempts, clock, random, logger, leaseMs }: DelivererNeeds,
  stops: Parameters<Attempts>[1],
  pauses: ChannelPauses,
) {
  return createChannelQueues({
    limits: PLACE_LIMITS,
    claim(channelId, rowsMax, busyIncidents) {
      const holder = random.bytes(HOLDER_BYTES).toString('hex');
      return outbox.claim(channelId, clock.now(), { holder, leaseMs, rowsMax, busyIncidents });
    },
    work: (rows, claimedAt) => attempts(rows, stops, claimedAt),
    clock,
    async recovered(row) {
      await outbox.retryNow(row.workspace_id, row.channel_id, clock.now());
    },
    paused: pauses.pause,
    failed: (err, channel) =>
      logger.error({ err, channel }, 'delivery to a channel failed unexpectedly, retrying when the leases end'),
  });
}

/** Resolves to the number of reclaimed rows. */
async function reclaim({ outbox, clock, logger }: DelivererNeeds): Promise<number> {
  try {
    const reclaimed = await outbox.reclaim(clock.now());
    if (reclaimed > 0)
      logger.warn(
        { notifications: reclaimed },
        'reclaimed notifications of another control plane after their leases ended',
      );
    return reclaimed;
  } catch (err) {
    logger.error({ err }, 'failed to poll the outbox; the next poll retries');
    return 0;
  }
}
