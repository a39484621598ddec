import { setImmediate as nextTurn } from 'node:timers/promises';
import { notFound } from '../errors.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { createWindow } from './create.js';
import type { WindowDocument } from './documents.js';
import type { WindowNeeds } from './needs.js';
import { endWindow, extendWindow } from './occurrence.js';
import { removeWindow } from './remove.js';
import {
  CreateWindow,
  ExtendWindow,
  ListWindows,
  MaintenanceWindow,
  NoBody,
  Occurrences,
  PreviewWindow,
  UpdateWindow,
  WindowId,
} from './schema.js';
import { previewed } from './settings.js';
import { updateWindow } from './update.js';
import { occurrencesShown, windowView } from './view.js';

const TAG = 'Maintenance';

export function createWindowRoutes(needs: WindowNeeds, pager: Pager): Route[] {
  const { store, clock } = needs;
  const read = { access: 'maintenance:read', tag: TAG } as const;
  return [
    readRoute({
      ...read,
      method: 'GET',
      path: '/v1/maintenance-windows',
      summary: 'List maintenance windows, newest first',
      query: ListWindows,
      replies: { 200: MaintenanceWindow },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('maintenance-windows', BY_ID, { actor, query });
        const { after, rowsMax } = page.request;
        const found = await store.list(actor.workspaceId, after, rowsMax);
        const views = await viewsOf(found, clock.now());
        return page.reply(found, (rows) => rows.flatMap(({ _id }) => views.get(_id) ?? []));
      },
    }),
    readRoute({
      ...read,
      method: 'GET',
      path: '/v1/maintenance-windows/{id}',
      summary: 'Get a maintenance window',
      params: WindowId,
      replies: { 200: MaintenanceWindow },
      async handle({ actor, params }) {
        const window = await store.find(actor.workspaceId, params.id);
        if (window === null) throw notFound('maintenance window');
        return reply(needs, window);
      },
    }),
    readRoute({
      ...read,
      method: 'POST',
      path: '/v1/maintenance-windows/preview',
      summary: 'List the occurrences of a schedule',
      description: 'Validates the schedule of a window as its creation does, and stores nothing.',
      body: PreviewWindow,
      replies: { 200: Occurrences },
      async handle({ body }) {
        const nowMs = clock.now();
        const schedule = { ...previewed(body, nowMs), extension: null, cut: null };
        return { status: 200, data: { occurrences: occurrencesShown(schedule, nowMs) } };
      },
    }),
    ...changeRoutes(needs),
    ...occurrenceRoutes(needs),
  ];
}

function changeRoutes(needs: WindowNeeds): Route[] {
  const base = { access: 'maintenance:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      confirmedEmail: true,
      path: '/v1/maintenance-windows',
      summary: 'Create a maintenance window',
      description:
        'Checks go on during maintenance. An incident that opens then is `silenced` and notifies nobody; it fires when the window ends and the problem still exists. An incident that fires already is not silenced.',
      body: CreateWindow,
      replies: { 201: MaintenanceWindow },
      errors: ['conflict'],
      async handle({ actor, body }, tx) {
        const window = await createWindow(needs, tx, actor, body);
        return { ...reply(needs, window), status: 201, location: `/v1/maintenance-windows/${window._id}` };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      confirmedEmail: true,
      path: '/v1/maintenance-windows/{id}',
      summary: 'Update a maintenance window',
      description:
        'Only the fields you send are updated. A change of its times undoes what was extended or ended early. Supports `If-Match`.',
      params: WindowId,
      body: UpdateWindow,
      replies: { 200: MaintenanceWindow },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        return reply(needs, await updateWindow(needs, tx, actor, { id: params.id, patch: body, ifVersion }));
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: '/v1/maintenance-windows/{id}',
      summary: 'Delete a maintenance window',
      description: 'What it silences fires if the problem still exists. Supports `If-Match`.',
      params: WindowId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeWindow(needs, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}

function occurrenceRoutes(needs: WindowNeeds): Route[] {
  const base = {
    method: 'POST',
    access: 'maintenance:write',
    tag: TAG,
    params: WindowId,
    replies: { 200: MaintenanceWindow },
    errors: ['conflict'],
  } as const;
  return [
    mutationRoute({
      ...base,
      path: '/v1/maintenance-windows/{id}/end',
      summary: 'End maintenance early',
      description:
        'Ends what is under way; a window that repeats has its next occurrence as planned. Returns 409 `conflict` when the window is not active.',
      body: NoBody,
      bodyOptional: true,
      async handle({ actor, params, ifVersion }, tx) {
        return reply(needs, await endWindow(needs, tx, actor, { id: params.id, ifVersion }));
      },
    }),
    mutationRoute({
      ...base,
      confirmedEmail: true,
      path: '/v1/maintenance-windows/{id}/extend',
      summary: 'Extend maintenance',
      description:
        'Lets what is under way end later; other occurrences do not change. Returns 409 `conflict` when the window is not active.',
      body: ExtendWindow,
      async handle({ actor, params, body, ifVersion }, tx) {
        const { minutes } = body;
        return reply(needs, await extendWindow(needs, tx, actor, { id: params.id, minutes, ifVersion }));
      },
    }),
  ];
}

/** Returns the windows in the API's shape, by id. Rules that name few days take milliseconds each, and others go on meanwhile. */
async function viewsOf(windows: readonly WindowDocument[], nowMs: number): Promise<Map<string, MaintenanceWindow>> {
  const views = new Map<string, MaintenanceWindow>();
  for (const window of windows) {
    views.set(window._id, windowView(window, nowMs));
    await nextTurn();
  }
  return views;
}

function reply({ clock }: WindowNeeds, window: WindowDocument) {
  return { status: 200 as const, data: windowView(window, clock.now()), version: window.version };
}
