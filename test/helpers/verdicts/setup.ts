import { pino } from 'pino';
import type { Actor } from '../../../control-plane/actor.js';
import { platformActor } from '../../../control-plane/actor.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { createAuditLog } from '../../../control-plane/audit/record.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import type { IncidentDecision, IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { ManualNeeds } from '../../../control-plane/incidents/manual.js';
import type { OpeningNeeds } from '../../../control-plane/incidents/needs.js';
import { createIncidents } from '../../../control-plane/incidents/service.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import type { Maintenance } from '../../../control-plane/maintenance/maintenance.js';
import type { LiveResult, MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { LocationPresence, ProbeCommands } from '../../../control-plane/nodes/nodes.js';
import { VERDICT_TRANSACTION } from '../../../control-plane/storage/deadlines.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { type Mongo, openMongo } from '../../../control-plane/storage/mongo.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { createCertificateExpiry } from '../../../control-plane/verdicts/certificates/expiry.js';
import { isVoteDecision } from '../../../control-plane/verdicts/decision-record.js';
import { createEvaluator } from '../../../control-plane/verdicts/evaluate/evaluator.js';
import { createOutageRecorder } from '../../../control-plane/verdicts/evaluate/outages.js';
import { createSweep } from '../../../control-plane/verdicts/evaluate/sweep.js';
import { decisionView } from '../../../control-plane/verdicts/incident-kinds/decision-view.js';
import { createLocationHealth } from '../../../control-plane/verdicts/locations/health.js';
import { createPlatformAlerts } from '../../../control-plane/verdicts/locations/platform-alerts.js';
import { createQuarantineStore } from '../../../control-plane/verdicts/locations/quarantine-store.js';
import { createSilentLocations } from '../../../control-plane/verdicts/locations/silent-locations.js';
import { createUncheckedMonitors } from '../../../control-plane/verdicts/locations/unchecked-monitors.js';
import { incidentMessages } from '../../../control-plane/verdicts/messages.js';
import { createVerdictStore } from '../../../control-plane/verdicts/store.js';
import { systemRandom } from '../../../kernel/random.js';
import { type TestClock, testClock } from '../clock.js';
import { NO_DEPENDENCIES } from '../dependencies/none.js';
import { RULE_KINDS } from '../incidents/kinds.js';
import { createFakeLocations, LOCATIONS } from './fake-locations.js';
import { replayInPython, type ShownDecisions } from './replay-in-python.js';

export { LOCATIONS } from './fake-locations.js';

const WORKSPACE = 'ws_test';
export const OPERATORS = 'ws_operators';

type Command = Parameters<ProbeCommands['runNow']>[0];

/** The verdicts of one control plane on a real database. Fakes of other slices record their calls. */
export interface VerdictSetup {
  mongo: Mongo;
  clock: TestClock;
  commands: Command[];
  presence: Map<string, LocationPresence>;
  /** The monitors assigned to each location. */
  assigned: Map<string, { monitorId: string; intervalSeconds: number; workspaceId?: string }[]>;
  /** Who owns workspaces; others have no common owner. */
  owners: { workspaceId: string; userId: string }[];
  maintenance: { from: number; to: number } | null;
  manual: ManualNeeds;
  evaluator: ReturnType<typeof createEvaluator>;
  sweep: ReturnType<typeof createSweep>;
  health: ReturnType<typeof createLocationHealth>;
  silent: ReturnType<typeof createSilentLocations>;
  certificates: ReturnType<typeof createCertificateExpiry>;
  incidents: ReturnType<typeof createIncidents>;
  timeline: ReturnType<typeof createTimelineStore>;
  runTransaction: ReturnType<typeof createRunTransaction>;
  /** The number of transactions so far, with every attempt. */
  transactions(): number;
  /** Called once, after an evaluation and before the next transaction begins. */
  meanwhile: (() => Promise<unknown>) | null;
  ensureIndexes(): Promise<void>;
  insert(monitor: Partial<MonitorDocument> & { _id: string }): Promise<MonitorDocument>;
  monitor(id: string): Promise<MonitorDocument>;
  /** Stores the newest result of the location on the monitor, as record-results does, and evaluates the monitor. */
  check(id: string, location: string, up: boolean, how?: Partial<LiveResult>): Promise<void>;
  open(id: string): Promise<IncidentDocument | null>;
  all(id?: string): Promise<IncidentDocument[]>;
  /** The events of committed outbox rows in order: `opened`, `resolved`, ... */
  notified(incidentId?: string): Promise<string[]>;
  /** Action and actor of each audit entry, oldest first. */
  audited(): Promise<string[]>;
  /** Also replays every decision record of the database. */
  stop(): Promise<void>;
}

type DependencyParts = Pick<OpeningNeeds, 'dependencies' | 'tagsNow'>;

/** `maintenanceIn` returns what replaces the window that a test sets with `maintenance`; without `dependenciesIn`, nothing depends on anything. */
export async function setUpVerdicts(
  uri: string,
  clock: TestClock = testClock(),
  maintenanceIn?: (mongo: Mongo) => Maintenance,
  dependenciesIn?: (mongo: Mongo, maintenance: Maintenance, commands: ProbeCommands) => DependencyParts,
): Promise<VerdictSetup> {
  const mongo = await openMongo(uri);
  const { db, client } = mongo;
  const logger = pino({ level: 'silent' });
  const ids = createIds(clock, systemRandom);
  const { world, runTransaction, transactions } = countedTransactions(client);
  const store = createVerdictStore(db);
  const quarantines = createQuarantineStore(db);
  const incidentStore = createIncidentStore(db, RULE_KINDS);
  const timeline = createTimelineStore(db, ids);
  const outbox = db.collection('fake_outbox');
  const auditStore = createAuditStore(db);
  const commands: Command[] = [];
  const owners: VerdictSetup['owners'] = [];
  const runNow = (command: Command) => void commands.push(command);
  const { presence, assigned, locations, assignments } = createFakeLocations(clock);
  const context = createManualNeeds({ clock, ids, store, incidentStore, timeline, outbox, auditStore });
  const maintenance = maintenanceIn?.(mongo) ?? fakeMaintenance(world);
  const { dependencies, tagsNow } = dependenciesIn?.(mongo, maintenance, { runNow }) ?? NO_DEPENDENCIES;
  const incidents = createIncidents({ ...context, dependencies, tagsNow, maintenance });
  const alerts = createPlatformAlerts({
    ...{ incidents, records: incidentStore, locations },
    operatorsWorkspace: async () => OPERATORS,
  });
  const health = createLocationHealth({
    ...{ clock, logger, runTransaction, locations, assignments, alerts },
    ...{ random: systemRandom, store: quarantines, commands: { runNow } },
    ownersOf: async (ids) => owners.filter(({ workspaceId }) => ids.includes(workspaceId)),
  });
  const shared = { ...{ clock, logger, store, runTransaction, timeline, incidents }, messages: incidentMessages };
  const certificates = createCertificateExpiry({ ...shared, systemActor: platformActor });
  const recovered: Promise<void>[] = [];
  const evaluator = createEvaluator({
    ...{ ...shared, health, commands: { runNow } },
    maintenance,
    outages: createOutageRecorder({ ...shared, systemActor: platformActor }),
    recovered: (id) => void recovered.push(certificates.check(id, clock.now())),
  });
  const sweep = createSweep({ clock, logger, store, evaluator });

  return Object.assign(world, {
    ...{ mongo, clock, commands, presence, assigned, owners, manual: context, evaluator, sweep, health },
    ...{ certificates, incidents, timeline, runTransaction, transactions },
    silent: createSilentLocations({
      ...{ clock, logger, runTransaction, locations, assignments, alerts },
      unchecked: createUncheckedMonitors({ assignments, locations, store }),
    }),
    async ensureIndexes() {
      for (const one of [store, quarantines, incidentStore, timeline, auditStore]) await one.ensureIndexes();
      await db.createCollection('fake_outbox');
    },
    ...createSteps(db, { clock, incidents, evaluator }),
    async stop() {
      await sweep.stop();
      await health.stop();
      await evaluator.stop();
      await Promise.allSettled(recovered);
      const shown = (await db.collection<IncidentDocument>('incidents').find().toArray()).map(decisionsOf);
      await mongo.close();
      replayInPython(shown);
    },
  });
}

/** What a test changes while it runs. */
type World = Pick<VerdictSetup, 'maintenance' | 'meanwhile'>;

/** Covers everything while the window of the test lasts. */
function fakeMaintenance(world: World): Maintenance {
  return {
    covering(_what, atMs) {
      const window = world.maintenance;
      if (window === null || atMs < window.from || atMs >= window.to) return null;
      return { id: 'mnt_test', name: 'Upgrade', until_ms: window.to };
    },
    refresh: async () => {},
  };
}

/** Counts the transactions. Before the next one begins, it calls `meanwhile` once. */
function countedTransactions(client: Mongo['client']) {
  let transactions = 0;
  const runInDatabase = createRunTransaction(client, VERDICT_TRANSACTION);
  const world: World = { maintenance: null, meanwhile: null };
  const runTransaction: typeof runInDatabase = async (work) => {
    const { meanwhile } = world;
    world.meanwhile = null;
    await meanwhile?.();
    return runInDatabase((tx) => {
      transactions += 1;
      return work(tx);
    });
  };
  return { world, runTransaction, transactions: () => transactions };
}

/** What incidents need, with a fake outbox. */
function createManualNeeds({
  clock,
  ids,
  store,
  incidentStore,
  timeline,
  outbox,
  auditStore,
}: {
  clock: TestClock;
  ids: ReturnType<typeof createIds>;
  store: ReturnType<typeof createVerdictStore>;
  incidentStore: ReturnType<typeof createIncidentStore>;
  timeline: ReturnType<typeof createTimelineStore>;
  outbox: ReturnType<Mongo['db']['collection']>;
  auditStore: ReturnType<typeof createAuditStore>;
}): ManualNeeds {
  return {
    clock,
    ids,
    store: incidentStore,
    timeline,
    notifier: {
      async enqueue(tx, incidents, event) {
        if (incidents.length === 0) return;
        const rows = incidents.map(({ _id, status }) => ({ incident_id: _id, event, status }));
        await outbox.insertMany(rows, { session: tx.session });
      },
    },
    audit: createAuditLog({ store: auditStore, ids }),
    async resolvedManually(tx, { kind, workspace_id: workspaceId, monitor_id: monitorId }, untilMs) {
      if (kind === 'monitor' && monitorId !== null) await store.mute(tx, workspaceId, monitorId, untilMs);
    },
  };
}

/** What a test does, and the records that it reads. */
function createSteps(
  db: Mongo['db'],
  { clock, incidents, evaluator }: Pick<VerdictSetup, 'clock' | 'incidents' | 'evaluator'>,
): Pick<VerdictSetup, 'insert' | 'monitor' | 'check' | 'open' | 'all' | 'notified' | 'audited'> {
  const monitors = db.collection<MonitorDocument>('monitors');
  const outbox = db.collection('fake_outbox');
  return {
    async insert(monitor: Partial<MonitorDocument> & { _id: string }) {
      const document = monitorDocument(monitor, clock.now());
      await monitors.insertOne(document);
      return document;
    },
    async monitor(id: string) {
      const found = await monitors.findOne({ _id: id });
      if (found === null) throw new Error(`no monitor ${id}`);
      return found;
    },
    async check(id: string, location: string, up: boolean, how: Partial<LiveResult> = {}) {
      const live = liveResult(up, clock.now(), how);
      await monitors.updateOne({ _id: id }, { $set: { [`live.${location}`]: live } });
      await evaluator.evaluate([id]);
    },
    open: (id: string) => incidents.unresolved(WORKSPACE, `monitor:${id}`),
    all: (id?: string) =>
      db
        .collection<IncidentDocument>('incidents')
        .find(id === undefined ? {} : { monitor_id: id })
        .sort({ _id: 1 })
        .toArray(),
    async notified(incidentId?: string) {
      const rows = await outbox.find(incidentId === undefined ? {} : { incident_id: incidentId }).toArray();
      return rows.map((row) => String(row['event']));
    },
    async audited() {
      const entries = await db.collection<AuditDocument>('audit_log').find().sort({ _id: 1 }).toArray();
      return entries.map(({ action, actor }) => `${action} ${actor.email}`);
    },
  };
}

/** Returns the decisions of an incident as the API shows them. */
function decisionsOf({ decision, recovery }: IncidentDocument): ShownDecisions {
  const view = (record: IncidentDecision | null) =>
    record !== null && isVoteDecision(record) ? decisionView(record, []) : null;
  return { decision: view(decision), recovery: view(recovery) };
}

export function liveResult(up: boolean, nowMs: number, how: Partial<LiveResult> = {}): LiveResult {
  const checkedAt = how.checked_at_ms ?? nowMs;
  return {
    slot_ms: checkedAt,
    attempt: up ? 0 : 1,
    final: true,
    checked_at_ms: checkedAt,
    received_at_ms: nowMs,
    up,
    response_time_ms: 20,
    http_status: null,
    error: up ? null : { code: 'connection_refused', message: 'connect ECONNREFUSED 192.0.2.1:443' },
    ...how,
  };
}

export function monitorDocument(monitor: Partial<MonitorDocument> & { _id: string }, nowMs: number): MonitorDocument {
  return {
    workspace_id: WORKSPACE,
    name: 'Shop',
    url: 'https://shop.example.com/',
    type: 'http',
    interval_seconds: 60,
    timeout_ms: 10_000,
    locations: LOCATIONS,
    http: null,
    confirmations: null,
    retries: 1,
    channels: null,
    tags: [],
    runbook_url: null,
    paused_at_ms: null,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
    live_from_version: 1,
    last_checked_at_ms: null,
    state: {
      revision: 0,
      status: 'up',
      changed_at_ms: nowMs,
      evaluated_through_ms: 0,
      first_failed_at_ms: null,
      recovering_since_ms: null,
      attention: false,
    },
    live: {},
    good: {},
    certificate: null,
    uptime: null,
    resolve_grace_until_ms: null,
    ...monitor,
  };
}

export function person(email = 'ada@example.com', workspaceId = WORKSPACE): Actor {
  return { ...platformActor(workspaceId), kind: 'session', userId: 'usr_1', email };
}
