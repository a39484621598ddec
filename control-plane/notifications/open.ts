import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { GuardedFetch } from '../../kernel/guarded-fetch.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { TargetGuard } from '../../kernel/target-guard.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { Ids } from '../storage/ids.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import { createChannelStore } from './channel-settings/store.js';
import { createChannels, type Endpoints, PUBLIC_ENDPOINTS } from './channels/all.js';
import { createAttempts } from './delivery/attempt.js';
import { createDeliverer } from './delivery/deliver.js';
import { createEnqueue } from './delivery/enqueue.js';
import { createNote } from './delivery/note.js';
import { createOutboxStore } from './delivery/outbox-store.js';
import { recordOf } from './delivery/rows.js';
import { createSend } from './delivery/send.js';
import type {
  IncidentRecords,
  MessageSources,
  NotificationMetrics,
  NotificationRecords,
  Notifications,
  WorkspaceSystemActor,
} from './notifications.js';
import { channelRoutes } from './routes.js';

export interface NotificationsDeps {
  db: Db;
  runTransaction: RunTransaction;
  audit: AuditLog;
  systemActor: WorkspaceSystemActor;
  incidents: IncidentRecords;
  sources: MessageSources;
  metrics: NotificationMetrics;
  pager: Pager;
  ids: Ids;
  box: SecretBox;
  guard: TargetGuard;
  fetch: GuardedFetch;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Without a slash at the end. */
  publicUrl: string;
  smtpUrl: string | null;
  mailFrom: string;
  /** Picket's own, for the User-Agent of webhooks. */
  version: string;
  /** For tests: where the services are that have one address for everybody. */
  endpoints?: Endpoints;
  /** For tests: how long a dead control plane's notifications stay its own. */
  leaseMs?: number;
  /** For tests: how long a receiver may take. */
  exchangeTimeoutMs?: number;
}

export interface NotificationsSlice extends Notifications {
  routes: Route[];
  ensureIndexes(): Promise<void>;
  start(): void;
  /** Something may be due, for any channel. */
  wake(): void;
  stop(): Promise<void>;
  records: NotificationRecords;
  channelIds: { unknown(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]> };
}

/** Builds channels, outbox and delivery. Nothing runs before `start`. */
export function createNotifications(deps: NotificationsDeps): NotificationsSlice {
  const { db, clock, logger, publicUrl } = deps;
  const channelStore = createChannelStore(db);
  const outbox = createOutboxStore(db);
  const channels = createChannels({
    fetch: deps.fetch,
    endpoints: deps.endpoints ?? PUBLIC_ENDPOINTS,
    userAgent: `Picket/${deps.version} (+${publicUrl})`,
    mail: { smtpUrl: deps.smtpUrl, from: deps.mailFrom },
    logger,
  });
  const timeout = deps.exchangeTimeoutMs === undefined ? {} : { exchangeTimeoutMs: deps.exchangeTimeoutMs };
  const send = createSend({ channels, box: deps.box, clock, ...timeout });
  const note = createNote({ ...deps, channelStore, outbox });
  const attempts = createAttempts({ ...deps, channelStore, outbox, note, send });
  const lease = deps.leaseMs === undefined ? {} : { leaseMs: deps.leaseMs };
  const deliverer = createDeliverer({ ...deps, outbox, attempts, ...lease });
  return {
    enqueue: createEnqueue({ channelStore, outbox, clock, wake: deliverer.wake }),
    routes: channelRoutes({ ...deps, store: channelStore, channels, send }),
    async ensureIndexes() {
      await channelStore.ensureIndexes();
      await outbox.ensureIndexes();
    },
    start: deliverer.start,
    wake: () => deliverer.wake(),
    async stop() {
      await deliverer.stop();
      await Promise.all(Object.values(channels).map((channel) => channel.close()));
    },
    records: {
      async ofIncidents(workspaceId, incidentIds, tx) {
        return recordOf(incidentIds.length === 0 ? [] : await outbox.ofIncidents(workspaceId, incidentIds, tx));
      },
    },
    channelIds: { unknown: channelStore.unknown },
  };
}
