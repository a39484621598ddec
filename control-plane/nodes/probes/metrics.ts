import { Counter, type Registry } from 'prom-client';
import type { Presence } from '../presence/presence.js';

/** Registers the metrics that probes count themselves. Each control plane shows the probes of all control planes. */
export function registerProbeMetrics(registry: Registry, statuses: Presence['statuses']): void {
  new Counter({
    name: 'picket_probe_stalls_total',
    help: 'Times that the process of a probe could not run for a second or more. Its checks under way were repeated.',
    labelNames: ['location', 'probe'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { nodeId, location, status } of statuses()) {
        this.inc({ location, probe: nodeId }, status.stalls_total ?? 0);
      }
    },
  });
}
