import * as argon2 from '@node-rs/argon2';
import { createMembershipsStore } from '../../../control-plane/accounts/memberships-store.js';
import { createPasswords } from '../../../control-plane/accounts/passwords/password.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import { personBy } from '../../../control-plane/http/authenticate.js';
import type { Mount } from '../../../control-plane/http/mount.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import { maintenanceRecordsSlice, maintenanceSlice } from '../../../control-plane/maintenance/open.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createMonitorStore } from '../../../control-plane/monitors/store.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { createHoursReader, createSlotsReader } from '../../../control-plane/results/read-metrics.js';
import type { HeadDocument, PackedDocument } from '../../../control-plane/results/rollup/documents.js';
import { createRollupStore } from '../../../control-plane/results/rollup/store.js';
import { createResultsStore } from '../../../control-plane/results/store.js';
import { percentUp } from '../../../control-plane/results/uptime/uptime.js';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import { createServerStore } from '../../../control-plane/servers/store.js';
import { createEntersWorkspace } from '../../../control-plane/sessions/workspaces/enters-workspace.js';
import { needsSingleSignOn } from '../../../control-plane/single-sign-on/sign-in/policy.js';
import type { Job } from '../../../control-plane/slice.js';
import type { ExportJob } from '../../../control-plane/status-pages/export/job.js';
import type { HostJob } from '../../../control-plane/status-pages/hosts/job.js';
import { statusPagesSlice } from '../../../control-plane/status-pages/open.js';
import type { StatusPage } from '../../../control-plane/status-pages/schema.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { quarantinedLocations } from '../../../control-plane/verdicts/rule/votes.js';
import { systemClock } from '../../../kernel/clock.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp } from '../app.js';
import { testClock } from '../clock.js';
import { testDatabase } from '../database.js';
import { openRecipients } from '../recipients/open.js';
import { buildMonitor } from '../results/history.js';
import { buildServer } from '../servers/history.js';
import { neverSetAside } from '../set-aside.js';
import { allWork } from '../standing.js';

export const PATH = '/v1/status-pages';
/** In the future, because the database removes what has expired by its own clock. */
export const NOW = Date.UTC(2031, 0, 31, 12, 34, 56);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** A change is on a page within this time. */
const SHOWN_WITHIN_MS = 5_000;

/** Some hours of a monitor: per hour, which part of it the monitor was up, from 0 to 1; null for an hour without data. */
export interface HoursOf {
  fromMs: number;
  up: readonly (number | null)[];
}

/** A component as `.json` shows it. */
export interface ShownComponent {
  id: string | null;
  name: string;
  state: string;
  text: string;
  uptime: number | null;
  coverage: number | null;
  days: { date: string; uptime: number | null; coverage: number }[] | null;
}

/** What `.json` of a page shows. */
export interface ShownPage {
  page: { title: string; description: string | null; url: string; time_zone: string; as_of: string };
  status: { state: string; text: string };
  groups: { name: string | null; components: ShownComponent[] }[];
  incidents: {
    id: string;
    title: string;
    state: string;
    started_at: string;
    resolved_at: string | null;
    components: string[];
    updates: { state: string; text: string; at: string }[];
  }[];
  maintenance: { state: string; starts_at: string; ends_at: string; components: string[] }[];
}

/** The API of status pages and of maintenance windows, and the public pages, on a real database. */
export async function startStatusPages(
  options: { plan?: PlanName; dnsServers?: string[]; rateLimit?: number; exportDir?: string; smtpUrl?: string } = {},
) {
  const mongo = await testDatabase();
  const { db } = mongo;
  const clock = testClock(NOW);
  const logger = createLogger({ name: 'test', level: 'silent' });
  const stores = {
    monitors: createMonitorStore(db),
    servers: createServerStore(db, neverSetAside),
    incidents: createIncidentStore(db, []),
    rollups: createRollupStore(db),
    results: createResultsStore(db, neverSetAside),
  };
  await Promise.all(Object.values(stores).map((store) => store.ensureIndexes()));
  const windows = await maintenanceRecordsSlice.open({ db, clock, logger });
  await windows.ensureIndexes?.();
  const stopped = new Set<string>();
  const quarantined = new Set<string>();
  const passwords = createPasswords({ argon2, cores: 2, key: Buffer.alloc(32, 7) });
  const mounts: Mount[] = [];
  let hostJob: HostJob | null = null;
  let exportJob: ExportJob | null = null;
  const jobs: Job[] = [];
  const hours = createHoursReader(
    createSlotsReader({
      store: stores.rollups,
      results: stores.results,
      quarantines: { spans: async () => new Map() },
      maintenance: windows.cache,
    }),
  );
  const app = await startApp({
    mongo,
    clock,
    plan: options.plan ?? 'Enterprise',
    rateLimit: options.rateLimit ?? 0,
    async routes(parts) {
      const existing = {
        existingMonitors: async (_tx: unknown, workspaceId: string, ids: readonly string[]) =>
          new Set((await stores.monitors.findMany(workspaceId, ids)).map(({ _id }) => _id)),
        existingServers: async (_tx: unknown, workspaceId: string, ids: readonly string[]) =>
          new Set((await stores.servers.findMany(workspaceId, ids)).map(({ _id }) => _id)),
      };
      const maintenance = await maintenanceSlice.open({
        ...{ ...parts, ...existing, db, logger, records: windows, random: systemRandom },
        publicUrl: 'http://picket.test',
        standingOf: async () => null,
      });
      const smtpUrl = options.smtpUrl ?? null;
      const { mail, recipients } = openRecipients({ ...parts, smtpUrl });
      const guard = createTargetGuard({ allowPrivate: true });
      const opened = await statusPagesSlice.open({
        ...parts,
        ...existing,
        ...{ guard, smtpUrl, leases: createLeaseStore(db), owner: 'test', version: '0.0.0', random: systemRandom },
        // Only the time of the test is faked.
        fetch: createGuardedFetch({ guard, clock: systemClock }),
        ...{ recipients: recipients.people, mailer: mail.mailer, tracked: mail.tracked },
        runRequestTransaction: parts.runTransaction,
        standingOf: async (workspaceId) => {
          const standing = await allWork(workspaceId);
          return standing === null ? null : { ...standing, stopped: stopped.has(workspaceId) };
        },
        db,
        logger,
        percentUp,
        publicUrl: 'http://picket.test',
        dnsServers: options.dnsServers ?? [],
        exportDir: options.exportDir ?? null,
        leases: createLeaseStore(db),
        owner: 'test',
        box: parts.secretBox,
        passwords,
        entersWorkspace: createEntersWorkspace({
          memberships: createMembershipsStore(db),
          workspaces: createWorkspacesStore(db),
          needsSingleSignOn,
        }),
        signedIn: (client) => personBy(parts.sessionAuthenticator, client),
        sources: {
          monitors: stores.monitors.watched,
          servers: stores.servers.watched,
          hours,
          incidents: stores.incidents.ofSubjects,
          planned: windows.cache.planned,
          voidVotes: (locations) =>
            quarantinedLocations(
              { locations },
              { isQuarantined: (code) => quarantined.has(code), isPresent: () => true },
            ),
          isCovered: (what, atMs) => windows.covering(what, atMs) !== null,
          isStopped: async (workspaceId) => stopped.has(workspaceId),
        },
      });
      await Promise.all([opened.ensureIndexes?.(), mail.ensureIndexes(), recipients.ensureIndexes()]);
      jobs.push(...mail.jobs, ...(opened.jobs ?? []));
      mounts.push(...(opened.mounts ?? []));
      hostJob = opened.hostJob;
      exportJob = opened.exportJob;
      return [...(maintenance.routes ?? []), ...(opened.routes ?? [])];
    },
    mounts: () => mounts,
  });
  const ownId = app.workspace.id;

  const page = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/status/${path}`, { headers, redirect: 'manual' });
  return {
    app,
    mongo,
    clock,
    stores,
    stopped,
    quarantined,
    page,
    /** Checks the host names that are due; resolves to their number. */
    checkHosts: async () => (await hostJob?.runOnce()) ?? null,
    /** Writes what is due into `exportDir`; resolves to the number of files. */
    exportFiles: async () => (await exportJob?.runOnce()) ?? null,
    /** Of mails and subscribers, not started. */
    jobs,
    async created(body: object): Promise<StatusPage> {
      const answer = await app.request<StatusPage>('POST', PATH, { body });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.body.data;
    },
    /** The HTML of a page. */
    html: async (slug: string) => (await page(slug)).text(),
    /** The page as `.json` shows it, after the time in which every change is on it. */
    async shown(slug: string): Promise<ShownPage> {
      await clock.advance(SHOWN_WITHIN_MS);
      return (await (await page(`${slug}.json`)).json()) as ShownPage;
    },
    async addMonitor(over: Partial<MonitorDocument> = {}, ...history: HoursOf[]): Promise<MonitorDocument> {
      const monitor = buildMonitor({ workspace_id: ownId, locations: ['fra'], ...over });
      if (over.live === undefined) monitor.live = freshResults(monitor.locations, clock.now());
      await db.collection<MonitorDocument>('monitors').insertOne(monitor);
      // Up to here, the hours are final.
      const through_ms = NOW - (NOW % HOUR_MS);
      await db.collection<HeadDocument>('rollup_heads').insertOne({
        _id: monitor._id,
        workspace_id: ownId,
        through_ms,
        horizon_ms: through_ms,
        recent: {},
        sums: null,
        pauses_ms: [],
        refreshed_ms: NOW,
        fence: 0,
        expires_at: new Date(NOW + 900 * DAY_MS),
      });
      for (const hours of history) await addHours(db, monitor, hours);
      return monitor;
    },
    async addServer(over: Partial<ServerDocument> = {}): Promise<ServerDocument> {
      const server = buildServer({ workspace_id: ownId, ...over });
      await db.collection<ServerDocument>('servers').insertOne(server);
      return server;
    },
    async addIncident(incident: IncidentDocument): Promise<void> {
      await db.collection<IncidentDocument>('incidents').insertOne(incident);
    },
    async changeMonitor({ _id }: MonitorDocument, change: Partial<MonitorDocument>): Promise<void> {
      await db.collection<MonitorDocument>('monitors').updateOne({ _id }, { $set: change });
    },
    actions: async () =>
      (await db.collection('audit_log').find().sort({ _id: 1 }).toArray()).map(({ action }) => String(action)),
    async stop() {
      await app.close();
      await mongo.drop();
    },
  };
}

/** A successful result of each location. */
export function freshResults(locations: readonly string[], atMs: number): MonitorDocument['live'] {
  const result = {
    checked_at_ms: atMs,
    slot_ms: atMs,
    attempt: 0,
    final: true,
    received_at_ms: atMs,
    up: true,
    response_time_ms: 80,
    http_status: 200,
    error: null,
  };
  return Object.fromEntries(locations.map((location) => [location, result]));
}

async function addHours(
  db: Mongo['db'],
  { _id, workspace_id }: MonitorDocument,
  { fromMs, up }: HoursOf,
): Promise<void> {
  const hours = db.collection<PackedDocument>('result_hours');
  for (const [index, part] of up.entries()) {
    if (part === null) continue;
    const atMs = fromMs + index * HOUR_MS;
    const start_ms = atMs - (atMs % DAY_MS);
    const failed = Math.round(60 * (1 - part));
    const slot = { o: HOUR_MS, u: Math.round(HOUR_MS * part), l: { fra: [60, failed, (60 - failed) * 80_000, 0, 0] } };
    await hours.updateOne(
      { _id: `${_id}/${String(start_ms).padStart(13, '0')}` },
      {
        $set: {
          workspace_id,
          monitor_id: _id,
          start_ms,
          fence: 0,
          expires_at: new Date(NOW + 900 * DAY_MS),
          [`slots.${(atMs - start_ms) / HOUR_MS}`]: slot,
        },
      },
      { upsert: true },
    );
  }
}
