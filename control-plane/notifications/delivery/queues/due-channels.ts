import type { Clock } from '../../../../kernel/clock.js';
import type { Logger } from '../../../../kernel/logger.js';
import type { NotificationMetrics } from '../../notifications.js';
import type { OutboxStore } from '../outbox-store.js';
import type { ChannelPauses } from './channel-pauses.js';
import type { ChannelOfWorkspace } from './waiting-channels.js';

/** Channels whose workspaces are looked up at once. */
const LOOK_UP_CHANNELS_MAX = 1_000;

/** Finds channels with due notifications. */
export interface DueChannels {
  /** Starts a scan of the outbox, or another one after the current scan. */
  scan(): void;
  /** Resolves when no scan is running. */
  idle(): Promise<void>;
}

/**
 * Calls `wakeKnown` for each channel with due notifications that is not paused, and `found` for those for which it returns
 * false: only their workspaces have to be looked up. Scans only while `isRunning`.
 */
export function createDueChannels(needs: {
  outbox: Pick<OutboxStore, 'waitingChannels' | 'workspacesOf'>;
  metrics: Pick<NotificationMetrics, 'lag'>;
  pauses: ChannelPauses;
  isRunning(): boolean;
  wakeKnown(channelId: string): boolean;
  found(channel: ChannelOfWorkspace): void;
  clock: Clock;
  logger: Logger;
}): DueChannels {
  const { outbox, metrics, pauses, clock, logger } = needs;
  let scanning: Promise<void> | null = null;
  let again = false;

  async function scanAll(): Promise<void> {
    try {
      while (again && needs.isRunning()) {
        again = false;
        const nowMs = clock.now();
        const due = (await outbox.waitingChannels()).filter(({ dueMs }) => dueMs <= nowMs);
        // Notifications for a paused channel are not late.
        const open = due.filter(({ channelId }) => !pauses.isPaused(channelId));
        metrics.lag(open.reduce((lagMs, { dueMs }) => Math.max(lagMs, nowMs - dueMs), 0));
        const unknown = open.map(({ channelId }) => channelId).filter((channelId) => !needs.wakeKnown(channelId));
        for (let from = 0; from < unknown.length; from += LOOK_UP_CHANNELS_MAX) {
          const some = unknown.slice(from, from + LOOK_UP_CHANNELS_MAX);
          for (const channel of await outbox.workspacesOf(some)) needs.found(channel);
        }
      }
    } catch (err) {
      logger.error({ err }, 'failed to read the outbox; the next poll retries');
    }
  }

  return {
    scan() {
      again = true;
      scanning ??= scanAll().finally(() => {
        scanning = null;
      });
    },
    async idle() {
      await scanning;
    },
  };
}
