import { invalidField, notFound } from '../errors.js';
import { parseTimestamp } from '../http/input/timestamp.js';
import type { Pager } from '../http/paging.js';
import { mutationRoute, type Reply, type Route, readRoute } from '../http/route.js';
import type { NotificationRecords } from '../notifications/notifications.js';
import type { Transaction } from '../storage/transaction.js';
import { mergedTimeline, type TimelineSource } from '../timeline/timeline.js';
import { acknowledgeIncident, type ByHandContext, resolveIncident, silenceIncident } from './by-hand.js';
import type { IncidentDocument } from './documents.js';
import { Incident, IncidentDetail, IncidentId, ListIncidents, NoBody, TimelineLine, TimelineQuery } from './schema.js';
import type { IncidentFilter } from './store.js';
import { incidentDetailView, incidentVersion, incidentView, timelineView } from './view.js';

export interface IncidentRoutesContext extends ByHandContext {
  pager: Pager;
  told: NotificationRecords;
  /** The timeline's own store, the audit log, and whatever else has lines for it. */
  timelineSources: readonly TimelineSource[];
}

export function incidentRoutes(context: IncidentRoutesContext): Route[] {
  return [
    listRoute(context),
    readRoute({
      method: 'GET',
      path: '/v1/alerts/{id}',
      access: 'alerts:read',
      tag: 'Alerts',
      summary: 'Get an incident',
      description:
        'With its history, and the decision behind it: every vote, sample or look-up, and the times from first failure to notice.',
      params: IncidentId,
      replies: { 200: IncidentDetail },
      async handle({ actor, params }) {
        const incident = await context.store.find(actor.workspaceId, params.id);
        if (incident === null) throw notFound('incident');
        return detail(context, incident);
      },
    }),
    byHandRoute(context, 'acknowledge', {
      summary: 'Acknowledge an incident',
      description:
        'It keeps firing; reminders and escalation stop. Acknowledging twice is a 200 without effect. 409 once it is resolved.',
      act: acknowledgeIncident,
    }),
    byHandRoute(context, 'resolve', {
      summary: 'Resolve an incident by hand',
      description:
        'If the monitor still fails, the rule is still broken, or the listing lasts 10 minutes later, a new incident opens; if it recovers before and fails again, at once. 409 once it is resolved.',
      act: resolveIncident,
    }),
    byHandRoute(context, 'silence', {
      summary: 'Silence an incident',
      description:
        'No more notifications of it until it is resolved. Silencing twice is a 200 without effect. 409 once it is resolved.',
      act: silenceIncident,
    }),
    timelineRoute(context),
  ];
}

function listRoute({ store, pager, told }: IncidentRoutesContext): Route {
  return readRoute({
    method: 'GET',
    path: '/v1/alerts',
    access: 'alerts:read',
    tag: 'Alerts',
    summary: 'List incidents, newest first',
    description: 'In the order of `started_at`.',
    query: ListIncidents,
    replies: { 200: Incident },
    list: true,
    async handle({ actor, query }) {
      const page = pager.open('alerts', { actor, query });
      const filter: IncidentFilter = range(query.from, query.to);
      if (query.status !== undefined) filter.status = query.status;
      if (query.severity !== undefined) filter.severity = query.severity;
      if (query.monitor_id !== undefined) filter.monitorId = query.monitor_id;
      const found = await store.list(actor.workspaceId, filter, page.request.after, page.request.rowsMax);
      const { rows, nextCursor } = page.reply(found, (incident) => [incident.started_at_ms, incident._id]);
      const ids = rows.map((incident) => incident._id);
      const sent = await told.ofIncidents(actor.workspaceId, ids);
      return { status: 200, data: rows.map((one) => incidentView(one, sent.get(one._id) ?? [])), nextCursor };
    },
  });
}

function byHandRoute(
  context: IncidentRoutesContext,
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
    replies: { 200: IncidentDetail },
    async handle({ actor, params }, tx) {
      return detail(context, await act(context, tx, actor, params.id), tx);
    },
  });
}

function timelineRoute({ pager, timelineSources }: IncidentRoutesContext): Route {
  return readRoute({
    method: 'GET',
    path: '/v1/timeline',
    access: 'alerts:read',
    tag: 'Alerts',
    summary: 'List what happened in the workspace, newest first',
    description: 'Incidents, changes of status, and audit entries on one line.',
    query: TimelineQuery,
    replies: { 200: TimelineLine },
    list: true,
    async handle({ actor, query }) {
      const page = pager.open('timeline', { actor, query });
      const { fromMs, toMs } = range(query.from, query.to);
      const after = page.request.after;
      const found = await mergedTimeline(timelineSources, {
        workspaceId: actor.workspaceId,
        fromMs: fromMs ?? null,
        toMs: toMs ?? null,
        resourceId: query.resource_id ?? null,
        after: after === null ? null : { atMs: Number(after[0]), id: String(after[1]) },
        limit: page.request.rowsMax,
      });
      const { rows, nextCursor } = page.reply(found, (row) => [row.atMs, row.id]);
      return { status: 200, data: rows.map(timelineView), nextCursor };
    },
  });
}

async function detail({ told }: IncidentRoutesContext, incident: IncidentDocument, tx?: Transaction): Promise<Reply> {
  const sent = (await told.ofIncidents(incident.workspace_id, [incident._id], tx)).get(incident._id) ?? [];
  return { status: 200, data: incidentDetailView(incident, sent), version: incidentVersion(incident, sent) };
}

function range(from: string | undefined, to: string | undefined): { fromMs?: number; toMs?: number } {
  const fromMs = from === undefined ? undefined : timestamp(from, 'from');
  const toMs = to === undefined ? undefined : timestamp(to, 'to');
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) throw invalidField('/query/from', 'is after `to`');
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) };
}

function timestamp(text: string, parameter: string): number {
  const atMs = parseTimestamp(text);
  if (atMs === null) throw invalidField(`/query/${parameter}`, 'must be an RFC 3339 timestamp');
  return atMs;
}
