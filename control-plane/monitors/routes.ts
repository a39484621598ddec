import { Type } from 'typebox';
import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { BY_ID, type Pager, serializedList } from '../http/paging.js';
import { mutationRoute, type Reply, type Route, readRoute } from '../http/route.js';
import { isPresent } from '../nodes/nodes.js';
import { DetachedReferences, DetachQuery } from '../references/schema.js';
import { checkMonitorNow } from './check-now.js';
import { createMonitor } from './create.js';
import type { MonitorDocument } from './documents.js';
import type { MonitorNeeds } from './needs.js';
import { pauseMonitor } from './pause.js';
import { removeMonitor } from './remove.js';
import { resumeMonitor } from './resume.js';
import { CheckRequested, ListMonitors, Monitor, MonitorId } from './schema.js';
import { createSecretReads } from './secrets/reads.js';
import { seesSecrets, shownTo } from './secrets/shown.js';
import { CreateMonitor, UpdateMonitor } from './settings/schema.js';
import { createBatchedReads, createSharedReads } from './shared-reads.js';
import { summaryRoute } from './summary/routes.js';
import { totalsRoute } from './totals/routes.js';
import { updateMonitor } from './update.js';
import { monitorView } from './view.js';

const TAG = 'Monitors';

/** Returns the routes that read and change monitors. */
export function createMonitorRoutes(needs: MonitorNeeds, pager: Pager): Route[] {
  const shareList = createSharedReads<{ reply: Reply; found: MonitorDocument[] }>();
  const recordSecretReads = createSecretReads(needs);
  const find = createBatchedReads(needs.store.findMany);
  const view: View = (actor, monitor) => {
    const nowMs = needs.clock.now();
    const hasProbe = (code: string) => isPresent(needs.locations.presence(code), nowMs);
    return monitorView(shownTo(needs, actor, monitor), { hasProbe, uptimeAtRead: needs.uptimeAtRead }, nowMs);
  };
  const reply = replyWith(view);

  const list = readRoute({
    method: 'GET',
    path: '/v1/monitors',
    access: 'monitors:read',
    tag: TAG,
    summary: 'List monitors, newest first',
    query: ListMonitors,
    replies: { 200: Type.Array(Monitor) },
    list: true,
    async handle(input) {
      const page = pager.open('monitors', BY_ID, input);
      const { actor, query } = input;
      const shares = [actor.workspaceId, seesSecrets(actor), query];
      const { reply, found } = await shareList(JSON.stringify(shares), async () => {
        const { after, rowsMax } = page.request;
        const found = await needs.store.list(actor.workspaceId, query, after, rowsMax);
        // The body is written once for all requests that share the read.
        const reply = serializedList(await page.reply(found, (rows) => rows.map((row) => view(actor, row))));
        return { reply, found };
      });
      await recordSecretReads(actor, found);
      return reply;
    },
  });

  const get = readRoute({
    method: 'GET',
    path: '/v1/monitors/{id}',
    access: 'monitors:read',
    tag: TAG,
    summary: 'Get a monitor',
    params: MonitorId,
    replies: { 200: Monitor },
    async handle({ actor, params }) {
      const monitor = await find(actor.workspaceId, params.id);
      if (monitor === null) throw notFound('monitor');
      return reply(actor, monitor);
    },
  });

  return [list, summaryRoute(needs, pager), totalsRoute(needs), get, ...changeRoutes(needs, view)];
}

/** Returns a monitor as the actor may see it. */
type View = (actor: Actor, monitor: MonitorDocument) => Monitor;

function replyWith(view: View) {
  return (actor: Actor, monitor: MonitorDocument) => ({
    status: 200 as const,
    data: view(actor, monitor),
    version: monitor.version,
  });
}

function changeRoutes(needs: MonitorNeeds, view: View): Route[] {
  const reply = replyWith(view);
  const base = { access: 'monitors:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      path: '/v1/monitors',
      summary: 'Create a monitor',
      description: 'Each location checks it at once, then every `interval_seconds`.',
      body: CreateMonitor,
      replies: { 201: Monitor },
      errors: ['plan_limit'],
      async handle({ actor, body }, tx) {
        const monitor = await createMonitor(needs, tx, actor, body);
        const location = `/v1/monitors/${monitor._id}`;
        return { status: 201, data: view(actor, monitor), location, version: monitor.version };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      path: '/v1/monitors/{id}',
      summary: 'Update a monitor',
      description:
        'Only the fields you send are updated; `http` is merged field by field, and `***` keeps a stored secret. A new target, type or http setting discards the current votes and checks the monitor at once. History stays. Supports `If-Match`.',
      params: MonitorId,
      body: UpdateMonitor,
      replies: { 200: Monitor },
      errors: ['plan_limit', 'conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        return reply(actor, await updateMonitor(needs, tx, actor, params.id, body, ifVersion));
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: '/v1/monitors/{id}',
      summary: 'Delete a monitor',
      description:
        'Resolves its unresolved incident. Returns 409 `conflict` with `used_by` while maintenance windows name the monitor. With `detach=true`, they no longer name it, which needs the right to change them. Supports `If-Match`.',
      params: MonitorId,
      query: DetachQuery,
      replies: { 200: DetachedReferences, 204: null },
      errors: ['conflict'],
      handle: ({ actor, params, query, ifVersion }, tx) =>
        removeMonitor(needs, tx, actor, { id: params.id, ifVersion, detach: query.detach === true }),
    }),
    ...verbRoutes(needs, view),
  ];
}

function verbRoutes(needs: MonitorNeeds, view: View): Route[] {
  const reply = replyWith(view);
  const base = { method: 'POST', access: 'monitors:write', tag: TAG, params: MonitorId } as const;
  return [
    mutationRoute({
      ...base,
      path: '/v1/monitors/{id}/pause',
      summary: 'Pause a monitor',
      description: 'Stops its checks within 2 s and resolves its unresolved incident. Idempotent.',
      replies: { 200: Monitor },
      async handle({ actor, params }, tx) {
        return reply(actor, await pauseMonitor(needs, tx, actor, params.id));
      },
    }),
    mutationRoute({
      ...base,
      path: '/v1/monitors/{id}/resume',
      summary: 'Resume a monitor',
      description: 'Continues with the status before the pause and checks the monitor at once. Idempotent.',
      replies: { 200: Monitor },
      async handle({ actor, params }, tx) {
        return reply(actor, await resumeMonitor(needs, tx, actor, params.id));
      },
    }),
    mutationRoute({
      ...base,
      path: '/v1/monitors/{id}/check',
      summary: 'Check a monitor now from every location',
      description: 'Returns 409 `conflict` while the monitor is paused.',
      replies: { 202: CheckRequested },
      async handle({ actor, params }, tx) {
        return { status: 202, data: await checkMonitorNow(needs, tx, actor, params.id) };
      },
    }),
  ];
}
