import { notFound } from '../../errors.js';
import { BY_ID, type Pager } from '../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import { StatusPageId } from '../schema.js';
import { createPageIncident } from './create.js';
import type { PageIncidentDocument } from './documents.js';
import { editUpdate } from './edit.js';
import type { PageIncidentNeeds } from './needs.js';
import { postUpdate } from './post.js';
import { removePageIncident } from './remove.js';
import {
  CreatePageIncident,
  EditUpdate,
  ListPageIncidents,
  PageIncident,
  PageIncidentId,
  PageUpdateId,
  PostUpdate,
  UpdatePageIncident,
} from './schema.js';
import { updatePageIncident } from './update.js';
import { pageIncidentView } from './view.js';

const TAG = 'Status pages';
const LIST_PATH = '/v1/status-pages/{id}/incidents';
const INCIDENT_PATH = '/v1/status-pages/{id}/incidents/{incidentId}';
const write = { access: 'status_pages:write', tag: TAG } as const;

/** Returns the routes of the incidents that people write on status pages. */
export function createPageIncidentRoutes(needs: PageIncidentNeeds, pager: Pager): Route[] {
  const read = { access: 'status_pages:read', tag: TAG } as const;
  return [
    readRoute({
      ...read,
      method: 'GET',
      path: LIST_PATH,
      summary: 'List the incidents of a status page, newest first',
      description: 'Those that people have written. Outages that Picket shows by itself are only on the page.',
      params: StatusPageId,
      query: ListPageIncidents,
      replies: { 200: PageIncident },
      list: true,
      async handle({ actor, params, query }) {
        const page = pager.open(`incidents of ${params.id}`, BY_ID, { actor, query });
        if ((await needs.store.find(actor.workspaceId, params.id)) === null) throw notFound('status page');
        const found = await needs.incidents.list(actor.workspaceId, params.id, page.request);
        return page.reply(found, (rows) => rows.map(pageIncidentView));
      },
    }),
    readRoute({
      ...read,
      method: 'GET',
      path: INCIDENT_PATH,
      summary: 'Get an incident of a status page',
      params: PageIncidentId,
      replies: { 200: PageIncident },
      async handle({ actor, params }) {
        const found = await needs.incidents.find(actor.workspaceId, params.id, params.incidentId);
        if (found === null) throw notFound('incident of this status page');
        return reply(found);
      },
    }),
    ...incidentRoutes(needs),
    ...updateRoutes(needs),
  ];
}

function incidentRoutes(needs: PageIncidentNeeds): Route[] {
  return [
    mutationRoute({
      ...write,
      method: 'POST',
      confirmedEmail: true,
      path: LIST_PATH,
      summary: 'Create an incident on a status page',
      description: 'With its first update. It is public at once.',
      params: StatusPageId,
      body: CreatePageIncident,
      replies: { 201: PageIncident },
      errors: ['conflict'],
      async handle({ actor, params, body }, tx) {
        const incident = await createPageIncident(needs, tx, actor, { pageId: params.id, input: body });
        const location = `/v1/status-pages/${params.id}/incidents/${incident._id}`;
        return { ...reply(incident), status: 201, location };
      },
    }),
    mutationRoute({
      ...write,
      method: 'PATCH',
      path: INCIDENT_PATH,
      summary: 'Update an incident of a status page',
      description:
        'Its title, its impact and its components. Only the fields you send are updated. Supports `If-Match`.',
      params: PageIncidentId,
      body: UpdatePageIncident,
      replies: { 200: PageIncident },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        const target = { pageId: params.id, id: params.incidentId, ifVersion };
        return reply(await updatePageIncident(needs, tx, actor, { target, patch: body }));
      },
    }),
    mutationRoute({
      ...write,
      method: 'DELETE',
      path: INCIDENT_PATH,
      summary: 'Delete an incident of a status page',
      description: 'With its updates. Supports `If-Match`.',
      params: PageIncidentId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removePageIncident(needs, tx, actor, { pageId: params.id, id: params.incidentId, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}

function updateRoutes(needs: PageIncidentNeeds): Route[] {
  return [
    mutationRoute({
      ...write,
      method: 'POST',
      confirmedEmail: true,
      path: `${INCIDENT_PATH}/updates`,
      summary: 'Post an update of an incident',
      description:
        'Its state becomes that of the incident: `resolved` ends it, and another state after that opens it again. Returns the incident.',
      params: PageIncidentId,
      body: PostUpdate,
      replies: { 200: PageIncident },
      errors: ['conflict'],
      async handle({ actor, params, body }, tx) {
        const target = { pageId: params.id, id: params.incidentId, ifVersion: null };
        return reply(await postUpdate(needs, tx, actor, { target, input: body }));
      },
    }),
    mutationRoute({
      ...write,
      method: 'PUT',
      path: `${INCIDENT_PATH}/updates/{updateId}/text`,
      summary: 'Edit the text of an update',
      description:
        'The page says when it was edited. The text before is kept, and not public. Returns the incident. Supports `If-Match` with its `ETag`.',
      params: PageUpdateId,
      body: EditUpdate,
      replies: { 200: PageIncident },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        const target = { pageId: params.id, id: params.incidentId, ifVersion };
        return reply(await editUpdate(needs, tx, actor, { target, updateId: params.updateId, text: body.text }));
      },
    }),
  ];
}

function reply(incident: PageIncidentDocument) {
  return { status: 200 as const, data: pageIncidentView(incident), version: incident.version };
}
