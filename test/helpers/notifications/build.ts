import { systemActor } from '../../../control-plane/actor.js';
import { createAuditLog } from '../../../control-plane/audit/record.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import { createPager } from '../../../control-plane/http/paging.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type {
  NotificationEvent,
  NotificationRecords,
  NotificationSent,
  Notifier,
} from '../../../control-plane/incidents/incidents.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import { createChannel } from '../../../control-plane/notifications/channel-settings/create.js';
import { createChannelStore } from '../../../control-plane/notifications/channel-settings/store.js';
import { createChannels, PUBLIC_ENDPOINTS } from '../../../control-plane/notifications/channels/all.js';
import type { ChannelDocument } from '../../../control-plane/notifications/documents.js';
import type { NotificationMetrics } from '../../../control-plane/notifications/notifications.js';
import { type NotificationsNeeds, notificationsSlice } from '../../../control-plane/notifications/open.js';
import type { CreateChannel } from '../../../control-plane/notifications/schema.js';
import { createReferences } from '../../../control-plane/references/references.js';
import { createCursors } from '../../../control-plane/storage/cursor.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import type { DecisionRecord, VoteRecord } from '../../../control-plane/verdicts/decision-record.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { KINDS, RULE_KINDS } from '../incidents/kinds.js';
import { openRecipients } from '../recipients/open.js';
import { allWork } from '../standing.js';

/** The key of all control planes of a test. */
const TEST_KEY = Buffer.alloc(32, 7);
const ids = createIds(systemClock, systemRandom);

export interface CountedMetrics extends NotificationMetrics {
  counts: Record<string, number>;
  delays: number[];
}

export function countedMetrics(): CountedMetrics {
  const counts: Record<string, number> = {};
  const count = (event: string) => (type: string) => {
    counts[`${event}:${type}`] = (counts[`${event}:${type}`] ?? 0) + 1;
  };
  const delays: number[] = [];
  return {
    counts,
    delays,
    sent: count('sent'),
    failed: count('failed'),
    unconfirmed: count('unconfirmed'),
    retried: count('retried'),
    delivered: (_type, delayMs) => void delays.push(delayMs),
    lag(oldestDueMs) {
      counts['lag_max'] = Math.max(counts['lag_max'] ?? 0, oldestDueMs);
    },
  };
}

/** Returns the notifications slice of one control plane, with a real database, incidents and audit log. */
export function buildNotifications(mongo: Mongo, options: TestNotificationsOptions = {}) {
  const stores = buildStores(mongo, options);
  const { jobs, ...notifications } = openSlice(mongo, stores, options);
  const { metrics, runTransaction, incidents, audit, channelStore } = stores;
  return {
    notifications: {
      ...notifications,
      async start() {
        for (const job of jobs) await job.start();
      },
      async stop() {
        for (const job of jobs) await job.stop();
      },
    },
    metrics,
    runTransaction,
    async ensureIndexes() {
      await Promise.all([incidents.ensureIndexes(), audit.ensureIndexes(), notifications.ensureIndexes()]);
    },
    channel: (workspaceId: string, input: CreateChannel, over: Partial<ChannelDocument> = {}) =>
      addChannel(mongo, stores, workspaceId, input, over),
    readChannel: (workspaceId: string, id: string) => channelStore.find(workspaceId, id),
    ...incidentChanges(stores, notifications),
    ...deliveryReads(notifications),
  };
}

type TestNotificationsOptions = Partial<NotificationsNeeds> & { allowPrivate?: boolean };
type Stores = ReturnType<typeof buildStores>;

function buildStores(mongo: Mongo, options: TestNotificationsOptions) {
  const audit = createAuditStore(mongo.db);
  const guard = createTargetGuard({ allowPrivate: options.allowPrivate ?? true });
  const clock: Clock = options.clock ?? systemClock;
  const box = createSecretBox(TEST_KEY, systemRandom);
  const runTransaction = createRunTransaction(mongo.client);
  const auditLog = createAuditLog({ store: audit, ids });
  return {
    audit,
    guard,
    clock,
    runTransaction,
    incidents: createIncidentStore(mongo.db, RULE_KINDS),
    auditLog,
    channelStore: createChannelStore(mongo.db),
    metrics: countedMetrics(),
    fetch: createGuardedFetch({ guard, clock: systemClock }),
    box,
    logger: createLogger({ name: 'test', level: 'silent' }),
    recipients: openRecipients({
      ...{ mongo, clock, ids, secretBox: box, runTransaction },
      audit: auditLog,
    }).recipients.people,
  };
}

function openSlice(mongo: Mongo, stores: Stores, options: TestNotificationsOptions) {
  const { runTransaction, auditLog, incidents, metrics, box, guard, fetch, clock, logger, recipients } = stores;
  return notificationsSlice.open({
    ...{ db: mongo.db, runTransaction, metrics, ids, box, guard, fetch, clock, random: systemRandom, logger },
    audit: auditLog,
    references: createReferences(mongo.db, () => []),
    recipients,
    systemActor: async (workspaceId) => systemActor({ id: workspaceId, name: 'Test', plan: 'Free' }, 'req_system'),
    incidents: { heads: incidents.heads, loadMany: incidents.findMany },
    kinds: KINDS,
    sources: {
      monitors: async (_workspaceId, ids) =>
        new Map(ids.map((id) => [id, { id, name: 'Shop', url: 'https://shop.example.com/health', type: 'http' }])),
      locationName: (code) => ({ fra: 'Frankfurt', nyc: 'New York', sin: 'Singapore', lon: 'London' })[code] ?? code,
      renderIncident: (incident) => ({ id: incident._id, status: incident.status, message: incident.message }),
    },
    actionLink: ({ incidentId, channelId, atMs }) =>
      `http://picket.test/on-call?t=token-of-${incidentId}-${channelId}-${atMs}`,
    pager: createPager(createCursors(TEST_KEY)),
    publicUrl: 'http://picket.test',
    smtpUrl: null,
    mailFrom: 'picket@picket.test',
    version: '0.0.0',
    standingOf: allWork,
    ...options,
  });
}

/** Creates a channel as the API does, whose recipients have confirmed, private targets allowed. Returns its ID and the signing secret of a webhook. */
async function addChannel(
  mongo: Mongo,
  { channelStore, auditLog, fetch, box, clock, logger, runTransaction, recipients }: Stores,
  workspaceId: string,
  input: CreateChannel,
  over: Partial<ChannelDocument>,
) {
  const mail = { smtpUrl: null, from: '' };
  const channels = createChannels({ fetch, endpoints: PUBLIC_ENDPOINTS, userAgent: '', mail, logger });
  const guard = createTargetGuard({ allowPrivate: true });
  const needs = {
    ...{ store: channelStore, channels, audit: auditLog, box, guard, ids, clock, random: systemRandom, recipients },
  };
  const actor = systemActor({ id: workspaceId, name: 'Test', plan: 'Enterprise' }, 'req_test');
  const created = await runTransaction((tx) => createChannel(needs, tx, actor, input));
  await mongo.db
    .collection<ChannelDocument>('channels')
    .updateOne({ _id: created.channel._id }, { $set: { ...over, workspace_id: workspaceId } });
  if (input.type === 'email') await recipients.confirmEarlier(workspaceId, input.config.to);
  return { id: created.channel._id, secret: created.secret };
}

function incidentChanges({ incidents, runTransaction, clock }: Stores, notifier: Notifier) {
  return {
    /** Stores the incident and enqueues notifications of its opening in one transaction, as its slice does. */
    async open(incident: IncidentDocument): Promise<IncidentDocument> {
      await runTransaction(async (tx) => {
        await incidents.insert(tx, [{ ...incident }]);
        await notifier.enqueue(tx, [incident], 'opened');
      });
      return incident;
    },
    /** Changes the incident and, with an event, enqueues notifications of it in the same transaction. */
    async change(incident: IncidentDocument, set: Partial<IncidentDocument>, event: NotificationEvent | null) {
      await runTransaction(async (tx) => {
        const type = event ?? ('silenced' as const);
        const at = { at_ms: clock.now(), type, message: 'changed', actor: 'ann@example.com' };
        const target = { workspaceId: incident.workspace_id, id: incident._id };
        const changed = await incidents.change(tx, target, set, at);
        if (changed !== null && event !== null) await notifier.enqueue(tx, [changed], event);
      });
    },
  };
}

function deliveryReads({ records }: { records: NotificationRecords }) {
  const sent = async (incident: IncidentDocument): Promise<NotificationSent[]> =>
    (await records.ofIncidents(incident.workspace_id, [incident._id])).get(incident._id) ?? [];
  return {
    /** Returns the deliveries of the incident, as `GET /v1/alerts/{id}` shows them. */
    sent,
    /** Returns the deliveries of the incident as texts, such as `webhook opened sent 1`. */
    async deliveries(incident: IncidentDocument): Promise<string[]> {
      return (await sent(incident)).map((entry) => `${entry.channel} ${entry.event} ${entry.status} ${entry.attempts}`);
    },
  };
}

export type TestNotifications = ReturnType<typeof buildNotifications>;

export function vote(location: string, kind: 'up' | 'down' | 'unknown', code: string | null = null): VoteRecord {
  const result = {
    result_id: `mon_x/0/${location}/1`,
    checked_at_ms: Date.UTC(2026, 0, 31, 11, 59, 55),
    up: kind === 'up',
    attempt: 1,
    response_time_ms: 31,
    error: code === null ? null : { code, message: `failed with ${code}` },
  };
  return {
    location,
    vote: kind,
    abstained: kind === 'unknown' ? 'no_probe' : null,
    retrying: false,
    result: kind === 'unknown' ? null : result,
  };
}

/** Returns a decision in which two of three locations report a failing monitor. */
export function decision(
  votes: VoteRecord[] = [
    vote('fra', 'down', 'connection_refused'),
    vote('nyc', 'down', 'response_timeout'),
    vote('lon', 'up'),
    vote('sin', 'unknown'),
  ],
): DecisionRecord {
  const count = (kind: string) => votes.filter((one) => one.vote === kind).length;
  return {
    rule: {
      version: 1,
      confirmations: null,
      required_down_votes: 2,
      retries: 1,
      interval_seconds: 60,
      vote_valid_ms: 120_000,
    },
    votes,
    counts: { up: count('up'), down: count('down'), unknown: count('unknown') },
    outcome: 'down',
    reason: '2 of 3 locations say down',
    times: {
      first_failed_at_ms: Date.UTC(2026, 0, 31, 11, 59, 52),
      confirmed_at_ms: Date.UTC(2026, 0, 31, 12, 0, 1),
      opened_at_ms: Date.UTC(2026, 0, 31, 12, 0, 1),
      recovered_at_ms: null,
    },
  };
}

export function buildIncident(workspaceId: string, over: Partial<IncidentDocument> = {}): IncidentDocument {
  const id = over._id ?? ids.next('inc');
  const startedAtMs = Date.UTC(2026, 0, 31, 11, 59, 52);
  return {
    _id: id,
    workspace_id: workspaceId,
    kind: 'monitor',
    subject: `monitor:${id}`,
    open: true,
    monitor_id: 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n',
    monitor_name: 'Shop',
    resource: { type: 'monitor', id: 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'Shop' },
    status: 'firing',
    severity: 'warning',
    message: 'Shop is down: 2 of 3 locations cannot reach it.',
    resolution: null,
    started_at_ms: startedAtMs,
    resolved_at_ms: null,
    acknowledged_at_ms: null,
    acknowledged_by: null,
    silenced_at_ms: null,
    events: [{ at_ms: startedAtMs, type: 'opened', message: 'Opened.', actor: 'system' }],
    decision: decision(),
    recovery: null,
    channels: null,
    runbook_url: 'https://wiki.example.com/shop',
    updated_at_ms: startedAtMs,
    ...over,
  };
}

export const RESOLVED = (startedAtMs: number): Partial<IncidentDocument> => ({
  status: 'resolved',
  resolution: 'recovered',
  resolved_at_ms: startedAtMs + 200_000,
});
