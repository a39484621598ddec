import { notFound } from '../errors.js';
import { timeRange } from '../http/input/time-range.js';
import { byTime, type Pager } from '../http/paging.js';
import { mutationRoute, type Reply, type Route, readRoute } from '../http/route.js';
import type { Transaction } from '../storage/transaction.js';
import type { IncidentDocument } from './documents.js';
import type { IncidentFilter } from './history-store.js';
import type { NotificationRecords } from './incidents.js';
import type { IncidentKinds } from './kind.js';
import { acknowledgeIncident, type ManualNeeds, resolveIncident, silenceIncident } from './manual.js';
import { IncidentId, type IncidentSchemas, incidentSchemas, NoBody } from './schema.js';
import { incidentDetailView, incidentVersion, incidentView } from './view.js';

const BY_START = byTime((incident: IncidentDocument) => ({ atMs: incident.started_at_ms, id: incident._id }));

export interface IncidentRoutesNeeds extends ManualNeeds {
  kinds: IncidentKinds;
  notifications: NotificationRecords;
  pager: Pager;
}

/** Returns the routes of `/v1/alerts`. */
export function incidentRoutes(needs: IncidentRoutesNeeds): Route[] {
  const schemas = incidentSchemas(needs.kinds.all);
  return [
    listRoute(needs, schemas),
    readRoute({
      method: 'GET',
      path: '/v1/alerts/{id}',
      access: 'alerts:read',
      tag: 'Alerts',
      summary: 'Get an incident',
      description:
        'Includes its history and its decision record: every vote, sample or lookup, and the times from the first failure to each notification.',
      params: IncidentId,
      replies: { 200: schemas.IncidentDetail },
      versioned: true,
      async handle({ actor, params }) {
        const incident = await needs.store.find(actor.workspaceId, params.id);
        if (incident === null) throw notFound('incident');
        return detail(needs, incident);
      },
    }),
    manualRoute(needs, schemas, 'acknowledge', {
      summary: 'Acknowledge an incident',
      description:
        'The incident keeps firing; reminders and escalation stop. Idempotent. Returns 409 if the incident is resolved.',
      act: acknowledgeIncident,
    }),
    manualRoute(needs, schemas, 'resolve', {
      summary: 'Resolve an incident manually',
      description:
        'If the problem still exists after 10 minutes, a new incident opens. If it ends and returns earlier, a new incident opens at once. Returns 409 if the incident is already resolved.',
      act: resolveIncident,
    }),
    manualRoute(needs, schemas, 'silence', {
      summary: 'Silence an incident',
      description:
        'Stops notifications of this incident until it is resolved. Idempotent. Returns 409 if the incident is resolved.',
      act: silenceIncident,
    }),
  ];
}

function listRoute({ store, pager, notifications }: IncidentRoutesNeeds, schemas: IncidentSchemas): Route {
  return readRoute({
    method: 'GET',
    path: '/v1/alerts',
    access: 'alerts:read',
    tag: 'Alerts',
    summary: 'List incidents, newest first',
    description: 'Sorted by `started_at`.',
    query: schemas.ListIncidents,
    replies: { 200: schemas.Incident },
    list: true,
    async handle({ actor, query }) {
      const page = pager.open('alerts', BY_START, { actor, query });
      const filter: IncidentFilter = timeRange(query.from, query.to);
      if (query.status !== undefined) filter.status = query.status;
      if (query.severity !== undefined) filter.severity = query.severity;
      if (query.monitor_id !== undefined) filter.monitorId = query.monitor_id;
      if (query.kind !== undefined) filter.kind = query.kind;
      if (query.q !== undefined) filter.text = query.q;
      const found = await store.list(actor.workspaceId, filter, page.request.after, page.request.rowsMax);
      return page.reply(found, async (rows) => {
        const ids = rows.map((incident) => incident._id);
        const sent = await notifications.ofIncidents(actor.workspaceId, ids);
        return rows.map((one) => incidentView(one, sent.get(one._id) ?? []));
      });
    },
  });
}

function manualRoute(
  needs: IncidentRoutesNeeds,
  schemas: IncidentSchemas,
  verb: 'acknowledge' | 'resolve' | 'silence',
  { summary, description, act }: { summary: string; description: string; act: typeof acknowledgeIncident },
): Route {
  return mutationRoute({
    method: 'POST',
    path: `/v1/alerts/{id}/${verb}`,
    access: 'alerts:write',
    tag: 'Alerts',
    summary,
    description,
    params: IncidentId,
    body: NoBody,
    bodyOptional: true,
    replies: { 200: schemas.IncidentDetail },
    async handle({ actor, params }, tx) {
      return detail(needs, await act(needs, tx, actor, params.id), tx);
    },
  });
}

async function detail(
  { kinds, notifications }: IncidentRoutesNeeds,
  incident: IncidentDocument,
  tx?: Transaction,
): Promise<Reply> {
  const sent = (await notifications.ofIncidents(incident.workspace_id, [incident._id], tx)).get(incident._id) ?? [];
  return { status: 200, data: incidentDetailView(kinds, incident, sent), version: incidentVersion(incident, sent) };
}
