import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { GuardedFetch } from '../../kernel/guard/guarded-fetch.js';
import type { TargetGuard } from '../../kernel/guard/target-guard.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { IncidentRecords, NotificationRecords, Notifier } from '../incidents/incidents.js';
import type { IncidentKinds } from '../incidents/kind.js';
import type { StandingOf } from '../plans/cache.js';
import type { Recipients } from '../recipients/recipients.js';
import { createReferenceLock } from '../references/lock.js';
import type { References } from '../references/references.js';
import type { Job, OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { RunTransaction } from '../storage/transaction.js';
import { addressesOf, sendsTo } from './channel-settings/addresses.js';
import { confirmEarlierRecipients } from './channel-settings/confirm-earlier.js';
import { createEndAlerts } from './channel-settings/left-address.js';
import { createChannelStore } from './channel-settings/store.js';
import { createChannels, type Endpoints, PUBLIC_ENDPOINTS } from './channels/all.js';
import { createAskUnasked } from './delivery/ask-unasked.js';
import { createAttempts } from './delivery/attempt.js';
import { createDeliverer } from './delivery/deliver.js';
import { createEnqueue } from './delivery/enqueue.js';
import { createLastDeliveries } from './delivery/last-deliveries.js';
import { createOutboxStore } from './delivery/outbox-store.js';
import { createRecordResult } from './delivery/record-result.js';
import { deliveryRecords } from './delivery/rows.js';
import { createSend } from './delivery/send.js';
import type { ChannelDocument } from './documents.js';
import type {
  ActionLink,
  ChannelHeads,
  ChannelIds,
  MessageSources,
  NotificationMetrics,
  WorkspaceSystemActor,
} from './notifications.js';
import { channelRoutes } from './routes.js';

/**
 * A holder that has neither recorded an outcome nor renewed its lease within this time counts as dead.
 */
const LEASE_MS = 30_000;
/** A notification that is due is sent within seconds. */
const LATE_MS = 60_000;

export interface NotificationsNeeds {
  db: Db;
  runTransaction: RunTransaction;
  references: References;
  audit: AuditLog;
  systemActor: WorkspaceSystemActor;
  incidents: IncidentRecords;
  kinds: IncidentKinds;
  sources: MessageSources;
  actionLink: ActionLink;
  metrics: NotificationMetrics;
  pager: Pager;
  ids: Ids;
  box: SecretBox;
  guard: TargetGuard;
  fetch: GuardedFetch;
  clock: Clock;
  random: Random;
  logger: Logger;
  standingOf: StandingOf;
  recipients: Recipients;
  /** Without a slash at the end. */
  publicUrl: string;
  smtpUrl: string | null;
  mailFrom: string;
  /** The version of Picket, for the User-Agent of webhooks. */
  version: string;
  /** For tests: the addresses of services that have one address for all customers. */
  endpoints?: Endpoints;
  /** For tests: how long other control planes leave a claimed notification alone. */
  leaseMs?: number;
  /** For tests: the time limit of one delivery. */
  exchangeTimeoutMs?: number;
}

/** The notifications slice as other slices use it. */
export interface OpenNotifications extends OpenedSlice, Notifier {
  routes: Route[];
  jobs: Job[];
  ensureIndexes(): Promise<void>;
  ready(): Promise<void>;
  /** Scans the outbox now, because notifications of any channel may be due. */
  wake(): void;
  records: NotificationRecords;
  channelIds: ChannelIds;
  channelHeads: ChannelHeads;
}

/** Opens channels, outbox and delivery. */
function openNotifications(needs: NotificationsNeeds): OpenNotifications {
  const { db, clock } = needs;
  const channelStore = createChannelStore(db);
  const referenceLock = createReferenceLock(db);
  const outbox = createOutboxStore(db, clock);
  const channels = channelsOf(needs);
  const send = createSend({ ...needs, channels, askUnasked: createAskUnasked(needs) });
  const leaseMs = needs.leaseMs ?? LEASE_MS;
  const lastDeliveries = createLastDeliveries({ ...needs, channelStore });
  const recordResult = createRecordResult({ ...needs, channelStore, outbox, lastDeliveries, leaseMs });
  const attempts = createAttempts({ ...needs, channelStore, outbox, recordResult, send, leaseMs });
  const deliverer = createDeliverer({ ...needs, outbox, attempts, leaseMs });
  return {
    enqueue: createEnqueue({ channelStore, outbox, clock, wake: deliverer.wake }),
    routes: channelRoutes({ ...needs, store: channelStore, channels, send }),
    async ensureIndexes() {
      await channelStore.ensureIndexes();
      await outbox.ensureIndexes();
      await referenceLock.ensureIndexes();
    },
    memberAccess: [createEndAlerts({ ...needs, store: channelStore })],
    ready: () => confirmEarlierRecipients({ ...needs, store: channelStore }),
    wake: () => deliverer.wake(),
    backlogs: [
      {
        ...{ name: 'notifications', lateMs: LATE_MS },
        async read(countMax) {
          const [waiting, channels] = await Promise.all([outbox.countWaiting(countMax), outbox.waitingChannels()]);
          const dueMs = channels.reduce(
            (firstMs, channel) => Math.min(firstMs, channel.dueMs),
            Number.POSITIVE_INFINITY,
          );
          // What waits for its time, such as a retry or a reminder, is not late.
          return { waiting, oldestMs: dueMs <= clock.now() ? dueMs : null };
        },
      },
    ],
    jobs: [
      {
        start: deliverer.start,
        async stop() {
          await deliverer.stop();
          await lastDeliveries.stop();
          await Promise.all(Object.values(channels).map((channel) => channel.close()));
        },
      },
    ],
    records: {
      async ofIncidents(workspaceId, incidentIds, tx) {
        return deliveryRecords(incidentIds.length === 0 ? [] : await outbox.ofIncidents(workspaceId, incidentIds, tx));
      },
    },
    channelIds: {
      async unknown(tx, workspaceId, ids) {
        await referenceLock.refer(tx, ids);
        return channelStore.unknown(tx, workspaceId, ids);
      },
    },
    channelHeads: {
      async find(workspaceId, id, tx) {
        const found = await (tx === undefined
          ? channelStore.find(workspaceId, id)
          : channelStore.findIn(tx, workspaceId, id));
        return found === null ? null : channelHead(found);
      },
      async sendingTo(tx, workspaceId, email) {
        const all = await channelStore.emailChannels(tx, workspaceId);
        return all.flatMap((channel) => (sendsTo(channel, email) ? [channel._id] : []));
      },
    },
  };
}

function channelHead(channel: ChannelDocument) {
  const { _id: id, name, links_revoked_until_ms: linksRevokedUntilMs = 0 } = channel;
  const receivers = channel.type === 'email' ? addressesOf(channel) : null;
  const [only = null, ...others] = receivers ?? [];
  const onlyReceiver = others.length === 0 ? only : null;
  return { id, name, receivers, onlyReceiver, linksRevokedUntilMs };
}

function channelsOf({ fetch, endpoints, version, publicUrl, smtpUrl, mailFrom, logger }: NotificationsNeeds) {
  return createChannels({
    fetch,
    endpoints: endpoints ?? PUBLIC_ENDPOINTS,
    userAgent: `Picket/${version} (+${publicUrl})`,
    mail: { smtpUrl, from: mailFrom },
    logger,
  });
}

/** Channels, and the delivery of notifications to them. */
export const notificationsSlice = {
  name: 'notifications',
  idPrefixes: ['chn'],
  scopes: ['channels:read', 'channels:write'],
  auditActions: ['channel.created', 'channel.updated', 'channel.deleted'],
  open: openNotifications,
} satisfies Slice<'notifications', NotificationsNeeds, OpenNotifications>;
