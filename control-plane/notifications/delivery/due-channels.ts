import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { NotificationMetrics } from '../notifications.js';
import type { ChannelPauses } from './channel-pauses.js';
import type { OutboxStore } from './outbox-store.js';

/** Finds channels with due notifications. */
export interface DueChannels {
  /** Starts a scan of the outbox, or another one after the current scan. */
  scan(): void;
  /** Resolves when no scan is running. */
  idle(): Promise<void>;
}

/** Calls `found` for each channel with due notifications that is not paused. Scans only while `isRunning`. */
export function createDueChannels(needs: {
  outbox: Pick<OutboxStore, 'waitingChannels'>;
  metrics: Pick<NotificationMetrics, 'lag'>;
  pauses: ChannelPauses;
  isRunning(): boolean;
  found(channelId: string): void;
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
        for (const { channelId } of open) needs.found(channelId);
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
