import type { Registry } from 'prom-client';
import type { OpenedSlice, Slice } from '../../slice.js';
import type { Nodes } from '../open.js';
import { registerProbeMetrics } from '../probes/metrics.js';
import { registerLocationMetrics } from './metrics.js';
import type { LocationUse } from './routes.js';

interface LocationsNeeds {
  nodes: Nodes;
  detectionDelay: LocationUse['detectionDelay'];
  isMonitored: LocationUse['isMonitored'];
  /** Locations whose votes are ignored now. */
  quarantined(): { location: string }[];
  /** Monitors that this control plane knows. */
  monitors(): number;
  registry: Registry;
}

/** The API and the metrics of check locations. */
export const locationsSlice: Slice<'locations', LocationsNeeds, OpenedSlice> = {
  name: 'locations',
  open({ nodes, detectionDelay, isMonitored, quarantined, monitors, registry }) {
    registerLocationMetrics(registry, { locations: nodes.locations, quarantined, monitors });
    registerProbeMetrics(registry, nodes.probeStatuses);
    const isQuarantined = (code: string) => quarantined().some(({ location }) => location === code);
    return { routes: nodes.locationRoutes({ detectionDelay, isQuarantined, isMonitored }) };
  },
};
