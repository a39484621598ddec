import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { Actor } from '../actor.js';
import type {
  IncidentMessages,
  OutageIncidents,
  OutageMute,
  PlatformAlerts,
  Timeline,
} from '../incidents/incidents.js';
import type { MonitorDirectory } from '../monitors/monitors.js';
import type { LocationDirectory, ProbeCommands } from '../nodes/nodes.js';
import type { RunTransaction } from '../storage/transaction.js';
import { createCertificateExpiry } from './certificate-expiry.js';
import { createEvaluator, type Evaluator } from './evaluate.js';
import { createLocationHealth, type QuarantinedLocation } from './locations/health.js';
import { createQuarantineStore, type QuarantineStore } from './locations/quarantine-store.js';
import { createSilentLocations } from './locations/silent-locations.js';
import { createOutageRecorder } from './outage.js';
import { createVerdictStore } from './store.js';
import { createSweep } from './sweep.js';

export interface OpenVerdicts {
  evaluator: Evaluator;
  mute: OutageMute;
  certificates: { judge(monitorId: string, nowMs: number): Promise<void> };
  quarantined(): QuarantinedLocation[];
  quarantines: Pick<QuarantineStore, 'voidSpans'>;
  jobs: { start(): void | Promise<void>; stop(): Promise<void> }[];
  ensureIndexes(): Promise<void>;
}

/** What turns results into incidents. */
export function openVerdicts(parts: {
  foundation: { mongo: { db: Db }; runTransaction: RunTransaction; clock: Clock; random: Random; logger: Logger };
  nodes: { locations: LocationDirectory; commands: ProbeCommands };
  incidents: OutageIncidents;
  alerts: PlatformAlerts;
  timeline: Timeline;
  messages: IncidentMessages;
  /** Picket itself, as it acts in a workspace. */
  systemActor(workspaceId: string): Actor;
  directory: MonitorDirectory;
}): OpenVerdicts {
  const { nodes, incidents, alerts, timeline, directory } = parts;
  const { mongo, runTransaction, clock, random, logger } = parts.foundation;
  const { locations, commands } = nodes;
  const shared = { runTransaction, clock, random, logger };
  const store = createVerdictStore(mongo.db);
  const quarantines = createQuarantineStore(mongo.db);
  const health = createLocationHealth({
    ...shared,
    store: quarantines,
    locations,
    assignments: directory,
    commands,
    alerts,
  });
  const words = { messages: parts.messages, timeline, systemActor: parts.systemActor };
  const outages = createOutageRecorder({ ...words, store, incidents });
  const certificates = createCertificateExpiry({ ...shared, ...words, store, incidents });
  const judge = (monitorId: string) =>
    void certificates.judge(monitorId, clock.now()).catch((err: unknown) => {
      logger.warn({ err, monitor: monitorId }, 'a certificate is judged later');
    });
  const evaluator = createEvaluator({
    ...shared,
    store,
    health,
    commands,
    outages,
    // Maintenance windows are a part of their own, which is still to come.
    maintenance: { silences: () => false },
    recovered: judge,
  });
  const sweep = createSweep({ clock, logger, store, evaluator });
  const silent = createSilentLocations({ ...shared, locations, assignments: directory, alerts });
  return {
    evaluator,
    mute: store,
    certificates,
    quarantined: health.quarantined,
    quarantines,
    jobs: [health, { start: () => {}, stop: evaluator.stop }, sweep, silent, certificates],
    async ensureIndexes() {
      await Promise.all([store.ensureIndexes(), quarantines.ensureIndexes()]);
    },
  };
}
