import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { createStallWatch, type StallWatch } from '../kernel/stalls/stall-watch.js';

/**
 * Counts and logs the stalls of this control plane, so that an operator can tell them from an unreachable database or
 * network. What a stall must not affect looks for it by itself, see `kernel/stalls/missed-time.ts`.
 */
export function watchStalls(needs: { registry: Registry; clock: Clock; logger: Logger }): StallWatch {
  const stalls = new Counter({
    name: 'picket_control_plane_stalls_total',
    help: 'Times that this control plane could not run for a second or more.',
    registers: [needs.registry],
  });
  return createStallWatch(needs.clock, (stalledMs) => {
    stalls.inc();
    needs.logger.warn({ stalled_ms: Math.round(stalledMs) }, 'this control plane could not run');
  });
}
