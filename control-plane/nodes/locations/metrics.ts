import { Gauge, type Registry } from 'prom-client';
import type { LocationDirectory } from '../nodes.js';

/** What is known of locations, read at each scrape. */
export function registerLocationMetrics(
  registry: Registry,
  parts: { locations: LocationDirectory; quarantined(): { location: string }[]; monitors(): number },
): void {
  new Gauge({
    name: 'picket_connected_probes',
    help: 'Probes with a live stream, over all control planes.',
    labelNames: ['location'],
    registers: [registry],
    collect() {
      for (const code of parts.locations.codes()) {
        this.set({ location: code }, parts.locations.presence(code).connectedProbes);
      }
    },
  });
  new Gauge({
    name: 'picket_location_quarantined',
    help: '1 while the votes of the location do not count.',
    labelNames: ['location'],
    registers: [registry],
    collect() {
      const out = new Set(parts.quarantined().map(({ location }) => location));
      for (const code of parts.locations.codes()) this.set({ location: code }, out.has(code) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'picket_monitors',
    help: 'Monitors in the directory of this control plane, paused ones included.',
    registers: [registry],
    collect() {
      this.set(parts.monitors());
    },
  });
}
