import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { type Route, readRoute } from '../http/route.js';
import type { Backlog, OpenedSlice, Slice } from '../slice.js';
import { type DatabaseHealth, readDatabaseHealth } from '../storage/health/database-health.js';
import { createLeaseReads } from '../storage/leases/lease-reads.js';
import { createReporter } from './reporter.js';
import { Health } from './schema.js';
import { createReportStore } from './store.js';
import { backlogView, controlPlaneView, databaseView } from './view.js';

interface HealthNeeds {
  db: Db;
  /** Of all slices. */
  backlogs(): readonly Backlog[];
  version: string;
  /** Names this process in leases. */
  owner: string;
  clockOffsetMs(): number;
  /** The open streams of this control plane: of dashboards, and of probes and agents. */
  eventStreams(): number;
  nodeStreams(): number;
  clock: Clock;
  logger: Logger;
}

const CONTROL_PLANES_MAX = 50;
const LEASES_MAX = 200;
/** So that an outage of a receiver does not make each reading slower. */
const COUNTED_MAX = 1_000;

/** The health of the installation, for its operators. */
export const healthSlice: Slice<'health', HealthNeeds, OpenedSlice> = {
  name: 'health',
  open(needs) {
    const { db, version, clockOffsetMs, eventStreams, nodeStreams } = needs;
    const store = createReportStore(db);
    const reportNow = () => ({
      ...{ version, clock_offset_ms: clockOffsetMs() },
      ...{ event_streams: eventStreams(), node_streams: nodeStreams() },
    });
    const leases = createLeaseReads(db);
    return {
      routes: [
        healthRoute({
          ...{ ...needs, store, leases },
          database: () => readDatabaseHealth(db, needs.clock),
        }),
      ],
      jobs: [createReporter({ ...needs, store, reportNow })],
      ensureIndexes: store.ensureIndexes,
    };
  },
};

interface RouteNeeds extends Pick<HealthNeeds, 'backlogs' | 'clock'> {
  store: Pick<ReturnType<typeof createReportStore>, 'newest'>;
  leases: ReturnType<typeof createLeaseReads>;
  database(): Promise<DatabaseHealth>;
}

function healthRoute({ backlogs, store, leases, database, clock }: RouteNeeds): Route {
  return readRoute({
    method: 'GET',
    path: '/v1/admin/health',
    access: 'operator',
    tag: 'Operators',
    summary: 'Get the health of the installation',
    description: 'Control planes, the database and work that waits. 503 if the database does not answer.',
    replies: { 200: Health },
    async handle() {
      const [reports, held, health, waiting] = await Promise.all([
        store.newest(CONTROL_PLANES_MAX),
        leases.held(LEASES_MAX),
        database(),
        Promise.all(backlogs().map(async (backlog) => ({ backlog, found: await backlog.read(COUNTED_MAX) }))),
      ]);
      const counted = { nowMs: clock.now(), countMax: COUNTED_MAX };
      return {
        status: 200,
        data: {
          control_planes: reports.map((report) => controlPlaneView(report, held)),
          database: databaseView(health),
          backlogs: waiting.map(({ backlog, found }) => backlogView(backlog, found, counted)),
        },
      };
    },
  });
}
