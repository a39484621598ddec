import type { Clock } from '../../../../kernel/clock.js';

/** A paused channel is checked again after this long, because a user may have ended its pause. */
const PAUSE_MS_MAX = 5_000;

/** The channels that asked not to be contacted for a while. */
export interface ChannelPauses {
  /** The channel accepts nothing before `untilMs`. */
  pause(channelId: string, untilMs: number): void;
  isPaused(channelId: string): boolean;
}

export function createChannelPauses(clock: Clock): ChannelPauses {
  const paused = new Map<string, number>();
  return {
    pause(channelId, untilMs) {
      paused.set(channelId, Math.min(untilMs, clock.now() + PAUSE_MS_MAX));
    },
    isPaused(channelId) {
      const untilMs = paused.get(channelId);
      if (untilMs !== undefined && untilMs <= clock.now()) paused.delete(channelId);
      return paused.has(channelId);
    },
  };
}
