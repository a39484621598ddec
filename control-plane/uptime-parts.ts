import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AlertParts } from './alert-parts.js';
import type { Config } from './config.js';
import type { Foundation } from './foundation.js';
import { platformActor } from './incidents/service.js';
import { type OpenMonitors, openMonitors } from './monitors/open.js';
import { type Nodes, openNodes } from './nodes/open.js';
import { type OpenHistory, openHistory } from './results/open.js';
import { incidentMessages } from './verdicts/messages.js';
import { type OpenVerdicts, openVerdicts } from './verdicts/open.js';

/** Probes and agents, monitors, their history and their verdicts, put together. */
export interface UptimeParts {
  nodes: Nodes;
  monitors: OpenMonitors;
  verdicts: OpenVerdicts;
  history: OpenHistory;
  ensureIndexes(): Promise<void>;
}

export async function openUptimeParts(given: {
  config: Config;
  foundation: Foundation;
  alerts: AlertParts;
}): Promise<UptimeParts> {
  const { config, foundation, alerts } = given;
  const { incidents, timeline } = alerts;
  const nodes = await openNodes({
    ...foundation,
    db: foundation.mongo.db,
    publicUrl: config.publicUrl,
    grpcAddress: config.grpcAddress,
    canaryTargets: config.canaryTargets,
    detectionDelay: alerts.detectionDelay,
    isQuarantined: (code) => verdicts.quarantined().some(({ location }) => location === code),
  });
  const monitors = openMonitors({ foundation, nodes, incidents, channels: alerts.channelIds });
  const verdicts = openVerdicts({
    ...{ foundation, nodes, incidents, timeline },
    alerts: alerts.platformAlerts(nodes.locations),
    messages: incidentMessages,
    systemActor: platformActor,
    directory: monitors.directory,
  });
  const history = openHistory({
    ...{ foundation, monitors, verdicts },
    locations: nodes.locations,
    incidents: alerts.store,
    breathe: () => nextTurn(),
  });
  return {
    ...{ nodes, monitors, verdicts, history },
    async ensureIndexes() {
      await Promise.all([monitors.ensureIndexes(), verdicts.ensureIndexes(), history.ensureIndexes()]);
    },
  };
}
