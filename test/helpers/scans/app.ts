import { createSecureContext } from 'node:tls';
import { platformActor } from '../../../control-plane/actor.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { scanRecordsSlice, scansSlice } from '../../../control-plane/scans/open.js';
import type { ScanWithFindings } from '../../../control-plane/scans/schema.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { startApp, type TestApp } from '../app.js';
import { type TestClock, testClock } from '../clock.js';
import { testDatabase } from '../database.js';
import { startZone, type Zone } from '../email-domains/zone.js';
import { logCollector } from '../monitors/log-collector.js';
import { monitor } from '../monitors/settings.js';
import { WORKING } from '../standing.js';
import { waitFor } from '../wait.js';
import { type ScanningProbe, scanningProbe } from './probe.js';

const PATH = '/v1/scans';

/** The API of scans on a real database, with the scans of a real probe. */
export interface ScansApp extends TestApp {
  mongo: Mongo;
  clock: TestClock;
  zone: Zone;
  probe: ScanningProbe;
  /** The workspaces that are stopped. */
  stopped: Set<string>;
  /** Stores an http monitor in Frankfurt. Resolves to its id. */
  addMonitor(url: string, changes?: Partial<MonitorDocument>): Promise<string>;
  /** The token that a website shows. */
  token(): Promise<string>;
  read(id: string): Promise<ScanWithFindings>;
  /** Starts a scan and lets it run to its end. */
  scan(monitorId: string): Promise<ScanWithFindings>;
  /** Starts what is queued and ends what is overdue. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

export interface ScansOptions {
  plan?: PlanName;
  /** PEM of an authority that the probe and the control plane trust. */
  authority?: string;
  ports?: number[];
}

export async function startScansApp({ plan = 'Enterprise', authority, ports }: ScansOptions = {}): Promise<ScansApp> {
  const mongo = await testDatabase();
  const zone: Zone = new Map();
  const dns = await startZone(zone);
  const clock = testClock(Date.now());
  const probe = scanningProbe({
    ...(authority === undefined ? {} : { extraCaPem: authority }),
    ...(ports === undefined ? {} : { ports }),
  });
  const secureContext = authority === undefined ? {} : { secureContext: createSecureContext({ ca: authority }) };
  const fetch = createGuardedFetch({ guard: createTargetGuard({ allowPrivate: true }), clock, ...secureContext });
  const stopped = new Set<string>();
  const monitors = mongo.db.collection<MonitorDocument>('monitors');
  let opened: ReturnType<typeof scansSlice.open> | null = null;
  const app = await startApp({
    mongo,
    plan,
    clock,
    async routes(parts) {
      const records = scanRecordsSlice.open({ db: mongo.db });
      const timeline = createTimelineStore(mongo.db, parts.ids);
      opened = scansSlice.open({
        ...parts,
        records,
        probes: probe,
        findMonitor: (workspaceId, id) => monitors.findOne({ _id: id, workspace_id: workspaceId }),
        dnsServers: [dns.server],
        fetch,
        box: parts.secretBox,
        timeline,
        standingOf: async (workspaceId) => ({ ...WORKING, stopped: stopped.has(workspaceId) }),
        systemActor: platformActor,
        clock,
        logger: logCollector().logger,
      });
      await Promise.all([records.ensureIndexes(), timeline.ensureIndexes()]);
      return opened.routes ?? [];
    },
  });
  const read = async (id: string) => (await app.request<ScanWithFindings>('GET', `${PATH}/${id}`)).body.data;
  const run = async () => opened?.job.runOnce();
  return {
    ...app,
    ...{ mongo, clock, zone, probe, stopped, read, run },
    async addMonitor(url, changes = {}) {
      const added = monitor({
        ...{ workspace_id: app.workspace.id, type: 'http', url, locations: ['fra'] },
        ...{ _id: app.parts.ids.next('mon'), ...changes },
      });
      await monitors.insertOne(added);
      return added._id;
    },
    token: async () => (await app.request<{ token: string }>('GET', `${PATH}/confirmation`)).body.data.token,
    async scan(monitorId) {
      const started = await app.request<ScanWithFindings>('POST', PATH, { body: { monitor_id: monitorId } });
      if (started.status !== 202) throw new Error(`${started.status} ${started.text}`);
      const { id } = started.body.data;
      await run();
      await probe.idle();
      return waitFor('the end of the scan', 60_000, async () => {
        const scan = await read(id);
        return scan.status === 'completed' || scan.status === 'failed' ? scan : null;
      });
    },
    async stop() {
      await probe.idle();
      await app.close();
      await fetch.close();
      await dns.stop();
      await mongo.drop();
    },
  };
}
