import { status } from '@grpc/grpc-js';
import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Gateway } from './gateway.js';

/** Nodes reconnect to other control planes at random times within this. */
const RECONNECT_AFTER_MS_MAX = 1_000;
/** How long a node has to reconnect by itself. */
const GRACE_MS = 2_000;
/** After this the connections are closed, even if batches are in progress: process managers wait at most 10 s. */
const DRAIN_MS_MAX = 8_000;

/**
 * Moves the nodes to other control planes without losing records: asks them to reconnect, ends their streams once the
 * batches in progress are stored and acknowledged, and stops waiting at the deadline.
 */
export async function drainStreams(needs: {
  gateway: Gateway;
  /** Tells the other control planes that they may accept the nodes. */
  announce(): Promise<void>;
  clock: Clock;
  random: Random;
}): Promise<void> {
  const { gateway, announce, clock, random } = needs;
  const deadline = new AbortController();
  const timeout = clock.sleep(DRAIN_MS_MAX, deadline.signal);
  gateway.stopAdmitting();
  for (const session of gateway.sessions()) session.drain(Math.floor(random.fraction() * RECONNECT_AFTER_MS_MAX));
  await Promise.race([announce(), timeout]);
  await Promise.race([gateway.allEnded(), clock.sleep(GRACE_MS, deadline.signal)]);
  for (const session of gateway.sessions()) {
    session.finish({ code: status.UNAVAILABLE, details: 'this control plane is shutting down' });
  }
  await Promise.race([gateway.allEnded(), timeout]);
  deadline.abort();
}
