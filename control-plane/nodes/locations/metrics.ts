import { Gauge, type Registry } from 'prom-client';
import type { LocationDirectory } from '../nodes.js';

/** Registers the metrics of locations, which are read at each scrape. */
export function registerLocationMetrics(
  registry: Registry,
  needs: { locations: LocationDirectory; quarantined(): { location: string }[]; monitors(): number },
): void {
  new Gauge({
    name: 'picket_connected_probes',
    help: 'Probes with a live stream on any control plane.',
    labelNames: ['location'],
    registers: [registry],
    collect() {
      for (const code of needs.locations.codes()) {
        this.set({ location: code }, needs.locations.presence(code).connectedProbes);
      }
    },
  });
  new Gauge({
    name: 'picket_location_quarantined',
    help: '1 while the location is quarantined and its votes do not count.',
    labelNames: ['location'],
    registers: [registry],
    collect() {
      const quarantined = new Set(needs.quarantined().map(({ location }) => location));
      for (const code of needs.locations.codes()) this.set({ location: code }, quarantined.has(code) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'picket_monitors',
    help: 'Monitors that this control plane knows, including paused ones.',
    registers: [registry],
    collect() {
      this.set(needs.monitors());
    },
  });
}
