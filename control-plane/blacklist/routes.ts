import { notFound } from '../errors.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { DetachedReferences, DetachQuery } from '../references/schema.js';
import { createBlacklistMonitor } from './create.js';
import type { BlacklistMonitorDocument } from './documents.js';
import type { NamedList } from './monitoring/listings.js';
import type { BlacklistNeeds } from './needs.js';
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

interface RouteNeeds {
  operations: BlacklistNeeds;
  /** By id. */
  lists: ReadonlyMap<string, NamedList>;
  pager: Pager;
}

/** Returns the routes under `/api/v1/blacklist/monitors`, except the history. */
export function createBlacklistMonitorRoutes({ operations, lists, pager }: RouteNeeds): Route[] {
  const { store } = operations;
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
        const page = pager.open('blacklist-monitors', BY_ID, { actor, query });
        const { after, rowsMax } = page.request;
        const found = await store.list(actor.workspaceId, query, after, rowsMax);
        return page.reply(found, (rows) => rows.map((monitor) => monitorView(monitor, lists)));
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
    ...writeRoutes(operations, reply),
  ];
}

function writeRoutes(
  needs: BlacklistNeeds,
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
        'Picket checks the target at once, and then each hour, day or week. A listing that two consecutive checks confirm opens an incident; a confirmed delisting resolves it. The first monitor of a workspace also creates the alert rule for this.',
      body: CreateBlacklistMonitor,
      replies: { 201: BlacklistMonitor },
      errors: ['plan_limit'],
      async handle({ actor, body }, tx) {
        const monitor = await createBlacklistMonitor(needs, tx, actor, body);
        return { ...reply(monitor), status: 201, location: `${PATH}/${monitor._id}` };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      path: `${PATH}/{id}`,
      summary: 'Update how often a blacklist monitor is checked',
      description: 'Supports `If-Match`.',
      params: BlacklistMonitorId,
      body: UpdateBlacklistMonitor,
      replies: { 200: BlacklistMonitor },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        return reply(await updateBlacklistMonitor(needs, tx, actor, { id: params.id, patch: body, ifVersion }));
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: `${PATH}/{id}`,
      summary: 'Delete a blacklist monitor',
      description:
        'Resolves its incidents and deletes its history. Returns 409 `conflict` with `used_by` while alert rules name it. With `detach=true`, they no longer name it, which needs the right to change them; a rule that names no other one then applies to none. Supports `If-Match`.',
      params: BlacklistMonitorId,
      query: DetachQuery,
      replies: { 200: DetachedReferences, 204: null },
      errors: ['conflict'],
      handle: ({ actor, params, query, ifVersion }, tx) =>
        removeBlacklistMonitor(needs, tx, actor, { id: params.id, ifVersion, detach: query.detach === true }),
    }),
  ];
}
