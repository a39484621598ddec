import { notFound } from '../errors.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import type { StatusPageDocument } from './documents.js';
import type { StatusPageNeeds } from './needs.js';
import { CreateStatusPage, ListStatusPages, StatusPage, StatusPageId, UpdateStatusPage } from './schema.js';
import { createStatusPage } from './settings/create.js';
import { removeStatusPage } from './settings/remove.js';
import { updateStatusPage } from './settings/update.js';
import { statusPageView } from './view.js';

const TAG = 'Status pages';
const LIST_PATH = '/v1/status-pages';
const PAGE_PATH = '/v1/status-pages/{id}';

export function createStatusPageRoutes(needs: StatusPageNeeds, pager: Pager): Route[] {
  const { store } = needs;
  const read = { access: 'status_pages:read', tag: TAG } as const;
  return [
    readRoute({
      ...read,
      method: 'GET',
      path: LIST_PATH,
      summary: 'List status pages, newest first',
      query: ListStatusPages,
      replies: { 200: StatusPage },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('status-pages', BY_ID, { actor, query });
        const found = await store.list(actor.workspaceId, page.request);
        return page.reply(found, (rows) => rows.map((row) => statusPageView(row, needs)));
      },
    }),
    readRoute({
      ...read,
      method: 'GET',
      path: PAGE_PATH,
      summary: 'Get a status page',
      params: StatusPageId,
      replies: { 200: StatusPage },
      async handle({ actor, params }) {
        const page = await store.find(actor.workspaceId, params.id);
        if (page === null) throw notFound('status page');
        return reply(needs, page);
      },
    }),
    ...changeRoutes(needs),
  ];
}

function changeRoutes(needs: StatusPageNeeds): Route[] {
  const base = { access: 'status_pages:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      confirmedEmail: true,
      path: LIST_PATH,
      summary: 'Create a status page',
      description:
        'The page is public at once, at `url`. It shows the public names of its components, and no addresses.',
      body: CreateStatusPage,
      replies: { 201: StatusPage },
      errors: ['plan_limit'],
      async handle({ actor, body }, tx) {
        const page = await createStatusPage(needs, tx, actor, body);
        return { ...reply(needs, page), status: 201, location: `${LIST_PATH}/${page._id}` };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      confirmedEmail: true,
      path: PAGE_PATH,
      summary: 'Update a status page',
      description: 'Only the fields you send are updated. The public page changes within 5 s. Supports `If-Match`.',
      params: StatusPageId,
      body: UpdateStatusPage,
      replies: { 200: StatusPage },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        return reply(needs, await updateStatusPage(needs, tx, actor, { id: params.id, patch: body, ifVersion }));
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: PAGE_PATH,
      summary: 'Delete a status page',
      description: 'Its address is free at once. Supports `If-Match`.',
      params: StatusPageId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeStatusPage(needs, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}

function reply(needs: StatusPageNeeds, page: StatusPageDocument) {
  return { status: 200 as const, data: statusPageView(page, needs), version: page.version };
}
