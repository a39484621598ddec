import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { Actor } from '../actor.js';
import type { IncidentDocument } from '../incidents/documents.js';
import type { OutageIncidents } from '../incidents/incidents.js';
import type { IncidentStore } from '../incidents/store.js';
import type { Maintenance } from '../maintenance/maintenance.js';
import type { MonitorDirectory, MonitorReader } from '../monitors/monitors.js';
import type { LocationDirectory, ProbeCommands } from '../nodes/nodes.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { Timeline } from '../timeline/timeline.js';
import { type Backtest, type BacktestNeeds, createBacktest } from './backtest/backtest.js';
import { type CertificateChanges, createCertificateChanges } from './certificates/changes.js';
import { createCertificateExpiry } from './certificates/expiry.js';
import { createDetectionDelay, type DetectionDelay } from './detection-delay.js';
import { createEvaluator } from './evaluate/evaluator.js';
import { createOutageRecorder } from './evaluate/outages.js';
import { createSweep } from './evaluate/sweep.js';
import { certificateKind } from './incident-kinds/certificate.js';
import { locationKind } from './incident-kinds/location.js';
import { outageKind } from './incident-kinds/outage.js';
import { createLocationHealth } from './locations/health.js';
import type { Ownership } from './locations/owners.js';
import { createPlatformAlerts, type PlatformAlertsNeeds } from './locations/platform-alerts.js';
import { createQuarantineStore, type QuarantineStore } from './locations/quarantine-store.js';
import { createSilentLocations } from './locations/silent-locations.js';
import { createUncheckedMonitors } from './locations/unchecked-monitors.js';
import { incidentMessages } from './messages.js';
import { createVerdictRoutes } from './routes.js';
import { quarantinedLocations } from './rule/votes.js';
import { createVerdictStore, type VerdictStore } from './store.js';
import type { Evaluator, QuarantinedLocation } from './verdicts.js';

/** The stored verdicts and quarantines. */
export interface VerdictRecords extends OpenedSlice {
  verdicts: VerdictStore;
  quarantines: QuarantineStore;
  /** Prevents a new incident for this outage until `untilMs`, after a user resolved it manually. */
  resolvedManually(tx: Transaction, incident: IncidentDocument, untilMs: number): Promise<void>;
}

export const verdictRecordsSlice: Slice<'verdictRecords', { db: Db }, VerdictRecords> = {
  name: 'verdictRecords',
  incidentKinds: [outageKind, certificateKind, locationKind],
  open({ db }) {
    const verdicts = createVerdictStore(db);
    const quarantines = createQuarantineStore(db);
    return {
      ...{ verdicts, quarantines },
      async resolvedManually(tx, { kind, workspace_id: workspaceId, monitor_id: monitorId }, untilMs) {
        if (kind === outageKind.kind && monitorId !== null) await verdicts.mute(tx, workspaceId, monitorId, untilMs);
      },
      async ensureIndexes() {
        await Promise.all([verdicts.ensureIndexes(), quarantines.ensureIndexes()]);
      },
    };
  },
};

interface VerdictsNeeds {
  records: VerdictRecords;
  monitors: MonitorReader;
  directory: MonitorDirectory;
  results: BacktestNeeds['results'];
  incidentRecords: Pick<IncidentStore, 'during' | 'countsOf' | 'openedSince' | 'unresolvedSubjects' | 'latest'>;
  incidents: OutageIncidents;
  operatorsWorkspace: PlatformAlertsNeeds['operatorsWorkspace'];
  /** Returns the owners of these workspaces. */
  ownersOf(workspaceIds: readonly string[]): Promise<Ownership[]>;
  maintenance: Maintenance;
  timeline: Timeline;
  locations: LocationDirectory;
  commands: ProbeCommands;
  /** Returns the actor for changes that Picket itself makes in the workspace. */
  systemActor(workspaceId: string): Actor;
  runTransaction: RunTransaction;
  /** With a short deadline. */
  runOutageTransaction: RunTransaction;
  clock: Clock;
  random: Random;
  logger: Logger;
}

export interface Verdicts extends OpenedSlice {
  evaluator: Evaluator;
  detectionDelay: DetectionDelay['delay'];
  /** Called with the certificates of stored results. Never rejects. */
  certificatesSeen: CertificateChanges['seen'];
  backtest: Backtest;
  /** Returns how many outages monitors had that began in [fromMs, toMs], by monitor; those without any are left out. */
  countOutages(
    workspaceId: string,
    monitorIds: readonly string[],
    fromMs: number,
    toMs: number,
  ): Promise<ReadonlyMap<string, number>>;
  /** Locations whose votes are ignored now. */
  quarantined(): QuarantinedLocation[];
  /** Returns those of the locations of a monitor whose votes are ignored now: the quarantined ones, if they are a minority. */
  voidVotes(locations: readonly string[]): ReadonlySet<string>;
}

/** Turns the votes of locations into verdicts, and verdicts into incidents. */
export const verdictsSlice: Slice<'verdicts', VerdictsNeeds, Verdicts> = {
  name: 'verdicts',
  open(needs) {
    const { clock, logger, directory, incidentRecords: records } = needs;
    const { verdicts: store, quarantines } = needs.records;
    const { kind } = outageKind;
    const shared = { ...needs, store, messages: incidentMessages };
    const alerts = createPlatformAlerts({ ...needs, records });
    const locations = { ...needs, store: quarantines, assignments: directory, alerts };
    const health = createLocationHealth(locations);
    const certificates = createCertificateExpiry(shared);
    const evaluator = createEvaluator({
      ...shared,
      health,
      runTransaction: needs.runOutageTransaction,
      outages: createOutageRecorder(shared),
      recovered: (monitorId) =>
        void certificates.check(monitorId, clock.now()).catch((err: unknown) => {
          logger.warn(
            { err, monitor: monitorId },
            'failed to check a certificate after a recovery; the next scan retries',
          );
        }),
    });
    const backtest = backtestOf(needs);
    const openedSince = (sinceMs: number, limit: number) => records.openedSince(kind, sinceMs, limit);
    const detectionDelay = createDetectionDelay({ clock, logger, store: { openedSince } });
    return {
      evaluator,
      detectionDelay: detectionDelay.delay,
      certificatesSeen: createCertificateChanges(shared).seen,
      quarantined: health.quarantined,
      voidVotes: (locations) => quarantinedLocations({ locations }, health),
      backtest,
      countOutages: (workspaceId, monitorIds, fromMs, toMs) =>
        records.countsOf(workspaceId, { kind, monitorIds }, fromMs, toMs),
      routes: createVerdictRoutes(backtest),
      jobs: [
        health,
        { start: () => {}, stop: evaluator.stop },
        createSweep({ clock, logger, store, evaluator }),
        createSilentLocations({ ...locations, unchecked: createUncheckedMonitors({ ...locations, store }) }),
        certificates,
        detectionDelay,
      ],
    };
  },
};

function backtestOf({ monitors, results, incidentRecords, clock }: VerdictsNeeds) {
  const { kind } = outageKind;
  return createBacktest({
    ...{ monitors, results, clock },
    incidents: {
      during: (workspaceId, monitorId, fromMs, toMs, limit) =>
        incidentRecords.during(workspaceId, { kind, monitorId }, fromMs, toMs, limit),
    },
    yieldToEventLoop: () => yieldToEventLoop(),
  });
}
