import { notFound } from '../errors.js';
import type { Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import type { BlacklistContext } from './context.js';
import { createBlacklistMonitor } from './create.js';
import type { BlacklistMonitorDocument } from './documents.js';
import type { NamedList } from './monitoring/listings.js';
import { removeBlacklistMonitor } from './remove.js';
import {
  BlacklistMonitor,
  BlacklistMonitorId,
  CreateBlacklistMonitor,
  ListBlacklistMonitors,
  UpdateBlacklistMonitor,
} from './schema.js';
import { updateBlacklistMonitor } from './update.js';
import { monitorView } from './view.js';

const PATH = '/api/v1/blacklist/monitors';
const TAG = 'Blacklists';

interface Dependencies {
  context: BlacklistContext;
  /** By id. */
  lists: ReadonlyMap<string, NamedList>;
  pager: Pager;
}

/** `/api/v1/blacklist/monitors`, but for their history. */
export function createBlacklistMonitorRoutes({ context, lists, pager }: Dependencies): Route[] {
  const { store } = context;
  const reply = (monitor: BlacklistMonitorDocument) => ({
    status: 200 as const,
    data: monitorView(monitor, lists),
    version: monitor.version,
  });
  return [
    readRoute({
      method: 'GET',
      path: PATH,
      access: 'blacklist:read',
      tag: TAG,
      summary: 'List blacklist monitors, newest first',
      query: ListBlacklistMonitors,
      replies: { 200: BlacklistMonitor },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('blacklist-monitors', { actor, query });
        const { after, rowsMax } = page.request;
        const afterId = after === null ? null : String(after[0]);
        const found = await store.list(actor.workspaceId, query, afterId, rowsMax);
        const { rows, nextCursor } = page.reply(found, (monitor) => [monitor._id]);
        return { status: 200, data: rows.map((monitor) => monitorView(monitor, lists)), nextCursor };
      },
    }),
    readRoute({
      method: 'GET',
      path: `${PATH}/{id}`,
      access: 'blacklist:read',
      tag: TAG,
      summary: 'Get a blacklist monitor',
      params: BlacklistMonitorId,
      replies: { 200: BlacklistMonitor },
      async handle({ actor, params }) {
        const monitor = await store.find(actor.workspaceId, params.id);
        if (monitor === null) throw notFound('blacklist monitor');
        return reply(monitor);
      },
    }),
    ...changeRoutes(context, reply),
  ];
}

function changeRoutes(
  context: BlacklistContext,
  reply: (monitor: BlacklistMonitorDocument) => { status: 200; data: BlacklistMonitor; version: number },
): Route[] {
  const base = { access: 'blacklist:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      path: PATH,
      summary: 'Create a blacklist monitor',
      description:
        'The target is looked up at once, and then each hour, day or week. A listing that a second look confirms opens an incident, and its end resolves it. The first monitor of a workspace also makes the alert rule that does so.',
      body: CreateBlacklistMonitor,
      replies: { 201: BlacklistMonitor },
      errors: ['plan_limit'],
      async handle({ actor, body }, tx) {
        const monitor = await createBlacklistMonitor(context, tx, actor, body);
        return { ...reply(monitor), status: 201, location: `${PATH}/${monitor._id}` };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      path: `${PATH}/{id}`,
      summary: 'Change how often a blacklist monitor is checked',
      description: '`If-Match` is honoured.',
      params: BlacklistMonitorId,
      body: UpdateBlacklistMonitor,
      replies: { 200: BlacklistMonitor },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        return reply(await updateBlacklistMonitor(context, tx, actor, { id: params.id, patch: body, ifVersion }));
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: `${PATH}/{id}`,
      summary: 'Delete a blacklist monitor',
      description: 'Its incidents are resolved, its history is removed. `If-Match` is honoured.',
      params: BlacklistMonitorId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeBlacklistMonitor(context, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}
