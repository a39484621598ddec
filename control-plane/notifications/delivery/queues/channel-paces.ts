import type { Pace } from './places.js';

/** Above it, the channels that were served longest ago count as unknown again. */
const CHANNELS_KEPT_MAX = 20_000;

/** What the last deliveries to channels showed, since the start of this process. */
export interface ChannelPaces {
  of(channelId: string): Pace;
  note(channelId: string, pace: Pace): void;
}

export function createChannelPaces(channelsMax = CHANNELS_KEPT_MAX): ChannelPaces {
  const paces = new Map<string, Pace>();
  return {
    of: (channelId) => paces.get(channelId) ?? 'unknown',
    note(channelId, pace) {
      paces.delete(channelId);
      paces.set(channelId, pace);
      const [oldest] = paces.keys();
      if (paces.size > channelsMax && oldest !== undefined) paces.delete(oldest);
    },
  };
}
