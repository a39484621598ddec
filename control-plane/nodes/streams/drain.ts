import { status } from '@grpc/grpc-js';
import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Gateway } from './gateway.js';

/** Nodes come back to other control planes spread over this time. */
const RECONNECT_AFTER_MS_MAX = 1_000;
/** What a node gets for moving over by itself. */
const GRACE_MS = 2_000;
/** After this the connections are cut, whatever is in hand: a process manager waits no longer than 10 s. */
export const DRAIN_MS_MAX = 8_000;

/**
 * Sends the nodes elsewhere without losing what they sent: they are asked to go, then their streams are ended once
 * the batches in hand are stored and acknowledged, then whatever is left is given up.
 */
export async function drainStreams(dependencies: {
  gateway: Gateway;
  /** Tells the other control planes that the nodes may be taken over. */
  announce(): Promise<void>;
  clock: Clock;
  random: Random;
}): Promise<void> {
  const { gateway, announce, clock, random } = dependencies;
  const deadline = new AbortController();
  const over = clock.sleep(DRAIN_MS_MAX, deadline.signal);
  gateway.stopAdmitting();
  for (const session of gateway.sessions()) session.drain(Math.floor(random.fraction() * RECONNECT_AFTER_MS_MAX));
  await Promise.race([announce(), over]);
  await Promise.race([gateway.allEnded(), clock.sleep(GRACE_MS, deadline.signal)]);
  for (const session of gateway.sessions()) {
    session.finish({ code: status.UNAVAILABLE, details: 'this control plane is going away' });
  }
  await Promise.race([gateway.allEnded(), over]);
  deadline.abort();
}
