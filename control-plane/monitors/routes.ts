import { Type } from 'typebox';
import { notFound } from '../errors.js';
import type { Pager } from '../http/paging.js';
import { mutationRoute, type Reply, type Route, readRoute } from '../http/route.js';
import { createTransferRoutes } from '../monitor-transfer/routes.js';
import { checkMonitorNow } from './check-now.js';
import type { MonitorContext } from './context.js';
import { createMonitor } from './create.js';
import type { MonitorDocument } from './documents.js';
import { pauseMonitor } from './pause.js';
import { removeMonitor } from './remove.js';
import { resumeMonitor } from './resume.js';
import { CheckRequested, ListMonitors, Monitor, MonitorId } from './schema.js';
import { CreateMonitor, UpdateMonitor } from './settings-schema.js';
import { createBatchedReads, createSharedReads } from './shared-reads.js';
import { updateMonitor } from './update.js';
import { monitorView } from './view.js';

const TAG = 'Monitors';

/** `others` are routes under `/v1/monitors` that other parts of the slice give: results, metrics, backtest. */
export function createMonitorRoutes(context: MonitorContext, pager: Pager, others: readonly Route[]): Route[] {
  const shareList = createSharedReads<Reply>();
  const find = createBatchedReads(context.store.findMany);
  const view = (monitor: MonitorDocument) => monitorView(monitor, context.clock.now());
  const reply = (monitor: MonitorDocument) => ({
    status: 200 as const,
    data: view(monitor),
    version: monitor.version,
  });

  const list = readRoute({
    method: 'GET',
    path: '/v1/monitors',
    access: 'monitors:read',
    tag: TAG,
    summary: 'List monitors, newest first',
    query: ListMonitors,
    replies: { 200: Type.Array(Monitor) },
    list: true,
    handle(input) {
      const page = pager.open('monitors', input);
      const { actor, query } = input;
      return shareList(JSON.stringify([actor.workspaceId, query]), async () => {
        const { after, rowsMax } = page.request;
        const afterId = after === null ? null : String(after[0]);
        const rows = await context.store.list(actor.workspaceId, query, afterId, rowsMax);
        const { rows: shown, nextCursor } = page.reply(rows, (row) => [row._id]);
        return listReply(shown.map(view), nextCursor);
      });
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
      return reply(monitor);
    },
  });

  return [list, ...createTransferRoutes(context), get, ...changeRoutes(context, view, reply), ...others];
}

/** The list's envelope as it goes out, written once for all who share the read. */
function listReply(data: Monitor[], nextCursor: string | null): Reply {
  const body = Buffer.from(JSON.stringify({ data, next_cursor: nextCursor }));
  return { status: 200, raw: { type: 'application/json; charset=utf-8', body } };
}

function changeRoutes(
  context: MonitorContext,
  view: (monitor: MonitorDocument) => Monitor,
  reply: (monitor: MonitorDocument) => { status: 200; data: Monitor; version: number },
): Route[] {
  const base = { access: 'monitors:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      path: '/v1/monitors',
      summary: 'Create a monitor',
      description: 'It is checked at once from each of its locations, then each `interval_seconds`.',
      body: CreateMonitor,
      replies: { 201: Monitor },
      errors: ['plan_limit'],
      async handle({ actor, body }, tx) {
        const monitor = await createMonitor(context, tx, actor, body);
        const location = `/v1/monitors/${monitor._id}`;
        return { status: 201, data: view(monitor), location, version: monitor.version };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      path: '/v1/monitors/{id}',
      summary: 'Change a monitor',
      description:
        'Members that are named change, the others stay; `http` is merged member by member. A new target, type or http setting starts the votes anew and checks at once; history stays. `If-Match` is honoured.',
      params: MonitorId,
      body: UpdateMonitor,
      replies: { 200: Monitor },
      errors: ['plan_limit', 'conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        return reply(await updateMonitor(context, tx, actor, params.id, body, ifVersion));
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: '/v1/monitors/{id}',
      summary: 'Delete a monitor',
      description: 'Its unresolved incident is resolved. `If-Match` is honoured.',
      params: MonitorId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeMonitor(context, tx, actor, params.id, ifVersion);
        return { status: 204 };
      },
    }),
    ...verbRoutes(context, reply),
  ];
}

function verbRoutes(
  context: MonitorContext,
  reply: (monitor: MonitorDocument) => { status: 200; data: Monitor; version: number },
): Route[] {
  const base = { method: 'POST', access: 'monitors:write', tag: TAG, params: MonitorId } as const;
  return [
    mutationRoute({
      ...base,
      path: '/v1/monitors/{id}/pause',
      summary: 'Pause a monitor',
      description:
        'Stops its checks within 2 s and resolves its unresolved incident. Without effect when it is paused.',
      replies: { 200: Monitor },
      async handle({ actor, params }, tx) {
        return reply(await pauseMonitor(context, tx, actor, params.id));
      },
    }),
    mutationRoute({
      ...base,
      path: '/v1/monitors/{id}/resume',
      summary: 'Resume a monitor',
      description: 'Back to the status before the pause, with a check at once. Without effect when it is not paused.',
      replies: { 200: Monitor },
      async handle({ actor, params }, tx) {
        return reply(await resumeMonitor(context, tx, actor, params.id));
      },
    }),
    mutationRoute({
      ...base,
      path: '/v1/monitors/{id}/check',
      summary: 'Check a monitor now, from every location',
      description: '409 `conflict` while it is paused.',
      replies: { 202: CheckRequested },
      async handle({ actor, params }, tx) {
        return { status: 202, data: await checkMonitorNow(context, tx, actor, params.id) };
      },
    }),
  ];
}
