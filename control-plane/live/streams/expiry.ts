import type { Clock } from '../../../kernel/clock.js';
import type { Subscribers } from '../subscribers.js';
import { endFrame } from './frames.js';

/** However access was lost, and whatever a check of it may have missed: after this, the client proves its rights again. */
const STREAM_MS_MAX = 60 * 60_000;
/** Streams that were opened together, after a restart for example, end spread over this much before. */
const SPREAD_MS = 12 * 60_000;

/** Returns when a stream that opens now ends. Pure. `random` is from 0 to 1. */
export function endOfStreamMs(nowMs: number, random: number): number {
  return nowMs + STREAM_MS_MAX - random * SPREAD_MS;
}

/** Returns the function that ends the streams whose time is over. Their clients continue with a new one. */
export function createExpiry(needs: { subscribers: Subscribers; clock: Pick<Clock, 'monotonic'> }): () => void {
  const { subscribers, clock } = needs;
  const text = endFrame('expired', 'A stream ends within an hour, so that access is checked again. Connect again.');
  return () => {
    const nowMs = clock.monotonic();
    for (const { stream, endsMs } of subscribers.all()) if (endsMs <= nowMs) stream.end(text);
  };
}
