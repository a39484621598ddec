import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { waitAtMost } from '../../../kernel/wait-at-most.js';
import type { ChannelStore } from '../channel-settings/store.js';
import type { ChannelDocument, DeliveryAttempt } from '../documents.js';
import { type AttemptResult, attemptOf } from './row-result.js';

/** So that many channels take few connections of the database. */
const WRITES_AT_ONCE = 4;
const STOP_MS_MAX = 1_000;

/** Writes the newest delivery of each channel to the channel, where people see it. */
export interface LastDeliveries {
  /** Returns at once. A write that fails is only logged: the notification has the attempt too. */
  add(attempted: readonly AttemptResult[]): void;
  /** Resolves when everything was tried, within a second. */
  stop(): Promise<void>;
}

interface LastDeliveriesNeeds {
  channelStore: Pick<ChannelStore, 'recordDelivery'>;
  clock: Pick<Clock, 'sleep'>;
  logger: Logger;
}

/** Each channel is written alone, because another transaction can have locked one of them for a minute. */
export function createLastDeliveries({ channelStore, clock, logger }: LastDeliveriesNeeds): LastDeliveries {
  /** By channel. What comes faster than it is written replaces what waits. */
  const waiting = new Map<string, { channel: ChannelDocument; attempt: DeliveryAttempt }>();
  const writers = new Set<Promise<void>>();
  let writing = 0;

  async function writeAll(): Promise<void> {
    writing += 1;
    for (const [id, { channel, attempt }] of waiting) {
      waiting.delete(id);
      try {
        await channelStore.recordDelivery(channel, attempt);
      } catch (err) {
        logger.warn({ err, channel: id }, 'the channel does not show its newest delivery: writing it failed');
      }
    }
    writing -= 1;
  }

  return {
    add(attempted) {
      for (const result of attempted) {
        const { channel } = result;
        const attempt = attemptOf(result);
        const known = waiting.get(channel._id);
        if (known === undefined || known.attempt.at_ms <= attempt.at_ms) waiting.set(channel._id, { channel, attempt });
      }
      while (waiting.size > 0 && writing < WRITES_AT_ONCE) {
        const writer: Promise<void> = writeAll().finally(() => writers.delete(writer));
        writers.add(writer);
      }
    },
    stop: () =>
      waitAtMost(
        clock,
        STOP_MS_MAX,
        Promise.all(writers).then(() => {}),
      ),
  };
}
