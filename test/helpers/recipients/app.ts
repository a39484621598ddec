import type { Test } from 'tap';
import { systemActor } from '../../../control-plane/actor.js';
import type { Mount } from '../../../control-plane/http/mount.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import { notificationsSlice, type OpenNotifications } from '../../../control-plane/notifications/open.js';
import type { Channel } from '../../../control-plane/notifications/schema.js';
import type { StandingOf } from '../../../control-plane/plans/cache.js';
import { recipientPagesSlice } from '../../../control-plane/recipient-pages/open.js';
import { createReferences } from '../../../control-plane/references/references.js';
import type { Job, OpenedSlice } from '../../../control-plane/slice.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { systemClock } from '../../../kernel/clock.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestApp, type TestParts } from '../app.js';
import { KINDS, RULE_KINDS } from '../incidents/kinds.js';
import { type Mailbox, type ReceivedMail, startMailbox } from '../machine/mailbox.js';
import { logCollector } from '../monitors/log-collector.js';
import { buildIncident, countedMetrics } from '../notifications/build.js';
import { allWork } from '../standing.js';
import { waitFor } from '../wait.js';
import { openRecipients } from './open.js';

/** Below a path, as behind a reverse proxy that removes it. */
export const PUBLIC_URL = 'https://picket.example.com/tools/picket';

interface RecipientsAppOptions {
  /** Whether the workspace is that of the operators. Defaults to false. */
  operators?: boolean;
  /** Defaults to true. */
  hasMailServer?: boolean;
  standingOf?: StandingOf;
}

/** Starts channels, recipients, their pages and a mail server. All of it ends with the test. */
export async function startRecipients(
  t: Pick<Test, 'teardown'>,
  mongo: Mongo,
  { operators = false, hasMailServer = true, standingOf = allWork }: RecipientsAppOptions = {},
) {
  const mailbox = await startMailbox();
  let nowMs = Date.now();
  const clock = { ...systemClock, now: () => nowMs };
  const smtpUrl = hasMailServer ? mailbox.url : null;
  const opened: { slices?: ReturnType<typeof openSlices>; workspaceId?: string } = {};
  const app = await startApp({
    ...{ mongo, clock },
    routes(parts) {
      opened.slices = openSlices(parts, {
        ...{ smtpUrl, standingOf, operatorsWorkspace: () => (operators ? (opened.workspaceId ?? null) : null) },
      });
      return opened.slices.notifications.routes;
    },
    mounts: (): readonly Mount[] => opened.slices?.pages.mounts ?? [],
  });
  opened.workspaceId = app.workspace.id;
  if (opened.slices === undefined) throw new Error('the slices were not opened');
  const { slices } = opened;
  const all: OpenedSlice[] = [slices.mail, slices.recipients, slices.notifications, slices.pages];
  for (const slice of all) await slice.ensureIndexes?.();
  await slices.notifications.ready();
  const jobs: Job[] = all.flatMap((slice) => [...(slice.jobs ?? [])]);
  for (const job of jobs) await job.start();
  t.teardown(async () => {
    for (const job of jobs) await job.stop();
    await Promise.all([app.close(), mailbox.close()]);
  });
  return {
    ...{ ...slices, app, mailbox },
    later(ms: number) {
      nowMs += ms;
    },
    ...actions(app, slices, mailbox),
  };
}

function openSlices(
  parts: TestParts,
  options: { smtpUrl: string | null; standingOf: StandingOf; operatorsWorkspace: () => string | null },
) {
  const { mongo, clock, ids, audit, pager, secretBox, runTransaction } = parts;
  const { db } = mongo;
  const { logger, lines } = logCollector();
  const metrics = countedMetrics();
  const { mail, recipients } = openRecipients({ ...parts, ...options, publicUrl: PUBLIC_URL });
  const incidents = createIncidentStore(db, RULE_KINDS);
  const guard = createTargetGuard({ allowPrivate: true });
  const notifications: OpenNotifications = notificationsSlice.open({
    ...{ db, runTransaction, audit, pager, ids, guard, clock, logger, random: systemRandom, box: secretBox },
    incidents: { heads: incidents.heads, loadMany: incidents.findMany },
    ...{ kinds: KINDS, metrics, standingOf: options.standingOf, recipients: recipients.people },
    systemActor: async (id) => systemActor({ id, name: 'The workspace', plan: 'Enterprise' }, 'req_system'),
    references: createReferences(db, () => []),
    sources: {
      monitors: async () => new Map(),
      locationName: (code) => code,
      renderIncident: (one) => ({ id: one._id }),
    },
    actionLink: () => `${PUBLIC_URL}/on-call?t=not-used-here`,
    fetch: createGuardedFetch({ guard, clock: systemClock }),
    ...{ publicUrl: PUBLIC_URL, smtpUrl: options.smtpUrl, mailFrom: 'picket@picket.test', version: '0.0.0' },
  });
  const pages = recipientPagesSlice.open({ db, links: recipients.links, publicUrl: PUBLIC_URL, clock, logger });
  if (pages instanceof Promise) throw new Error('this slice opens at once');
  return { mail, recipients, notifications, pages, incidents, metrics, lines };
}

function actions(app: TestApp, { notifications, incidents }: ReturnType<typeof openSlices>, mailbox: Mailbox) {
  const send = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(`${app.url}${path}`, { method, redirect: 'manual', ...init });
    return { status: response.status, text: await response.text() };
  };
  const create = (to: string[], { name = 'Team', key = app.key } = {}) =>
    app.request<Channel>('POST', '/v1/channels', { key, body: { type: 'email', name, config: { to } } });
  /** Opens an incident, which notifies the channels of its workspace. */
  const open = async (over: Partial<IncidentDocument> = {}, workspaceId = app.workspace.id) => {
    const incident = buildIncident(workspaceId, { _id: app.parts.ids.next('inc'), ...over });
    await app.parts.runTransaction(async (tx) => {
      await incidents.insert(tx, [{ ...incident }]);
      await notifications.enqueue(tx, [incident], 'opened');
    });
    return incident;
  };
  return {
    create,
    /** Creates a channel and returns it. */
    async channel(to: string[], options: { name?: string; key?: string } = {}): Promise<Channel> {
      const created = await create(to, options);
      if (created.status !== 201) throw new Error(created.text);
      return created.body.data;
    },
    read: async (id: string): Promise<Channel> => (await app.request<Channel>('GET', `/v1/channels/${id}`)).body.data,
    open,
    /** Opens an incident, and resolves to its deliveries once they are final. */
    async notify(over: Partial<IncidentDocument> = {}) {
      const workspaceId = app.workspace.id;
      const incident = await open(over, workspaceId);
      const read = async () => (await notifications.records.ofIncidents(workspaceId, [incident._id])).get(incident._id);
      await waitFor('the delivery', 60_000, async () => {
        const sent = (await read()) ?? [];
        return sent.length > 0 && sent.every(({ status }) => status !== 'pending');
      });
      return (await read()) ?? [];
    },
    /** Resolves to the mails to an address, once there are so many. */
    async mailsTo(address: string, count = 1): Promise<ReceivedMail[]> {
      const found = () => mailbox.mails.filter(({ to }) => to.includes(address));
      await waitFor(`${count} mails to ${address}`, 60_000, async () => found().length >= count);
      return found();
    },
    get: (link: string, language = 'en') => send('GET', pathOf(link), { headers: { 'accept-language': language } }),
    /** Presses the button of a page, as a browser without scripts does. */
    press: (link: string, action: string) => {
      const url = new URL(link);
      return send('POST', url.pathname.replace('/tools/picket', ''), {
        body: new URLSearchParams({ t: url.searchParams.get('t') ?? '', action }),
        headers: { origin: 'null' },
      });
    },
    /** What a mail client sends for its button (RFC 8058). */
    oneClick: (
      link: string,
      body: NonNullable<RequestInit['body']> = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    ) => send('POST', pathOf(link), { body }),
  };
}

function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return `${pathname.replace('/tools/picket', '')}${search}`;
}

/** Returns the link of a mail that asks. */
export function confirmLinkOf(mail: ReceivedMail | undefined): string {
  return /https?:\S+confirm-recipient\?t=\S+/.exec(mail?.parts['text/plain'] ?? '')?.[0] ?? 'none';
}

/** Returns the URL of the header that stops the mails. */
export function stopLinkOf(mail: ReceivedMail | undefined): string {
  return /^<(.*)>$/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1] ?? 'none';
}
