import { toIso } from '../../kernel/clock.js';
import { notFound } from '../errors.js';
import { timeRange } from '../http/input/time/time-range.js';
import { byTime, type Pager } from '../http/paging.js';
import { mutationRoute, type Reply, type Route, readRoute } from '../http/route.js';
import type { Transaction } from '../storage/transaction.js';
import type { IncidentDocument } from './documents.js';
import type { IncidentFilter } from './history-store.js';
import type { NotificationRecords } from './incidents.js';
import type { IncidentKinds } from './kind.js';
import { acknowledgeIncident, type ManualNeeds, resolveIncident } from './manual.js';
import { IncidentId, type IncidentSchemas, incidentSchemas, NoBody, Silence } from './schema.js';
import { SEARCHED_MAX, type SearchedTo } from './search/store.js';
import { silenceIncident, unsilenceIncident } from './silence/silence.js';
import { incidentDetailView, incidentVersion, incidentView } from './view.js';

const BY_START = byTime((incident: SearchedTo) => ({ atMs: incident.started_at_ms, id: incident._id }));
/** A search in a busy database ends after this, and says so. */
const SEARCH_MS_MAX = 1_000;

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
    silenceRoute(needs, schemas),
    manualRoute(needs, schemas, 'unsilence', {
      summary: 'End the silence of an incident',
      description:
        'The incident fires again. Unless it is acknowledged, channels that were not notified of its opening are notified of it, and the others get a reminder. Idempotent. Returns 409 if the incident is resolved.',
      act: unsilenceIncident,
    }),
  ];
}

function listRoute(
  { kinds, store, pager, notifications, clock }: IncidentRoutesNeeds,
  schemas: IncidentSchemas,
): Route {
  return readRoute({
    method: 'GET',
    path: '/v1/alerts',
    access: 'alerts:read',
    tag: 'Alerts',
    summary: 'List incidents, newest first',
    description: `Sorted by \`started_at\`. With \`q\`, a request looks at no more than ${SEARCHED_MAX.toLocaleString('en')} incidents and for no longer than about a second. If it ends before the page is full, \`searched_to\` is the time of the last incident that it looked at, and \`next_cursor\` continues there; the page can then be empty.`,
    query: schemas.ListIncidents,
    replies: { 200: schemas.Incident },
    list: true,
    searched: true,
    async handle({ actor, query }) {
      const page = pager.open('alerts', BY_START, { actor, query });
      const filter: IncidentFilter = timeRange(query.from, query.to);
      if (query.status !== undefined) filter.status = query.status;
      if (query.severity !== undefined) filter.severity = query.severity;
      if (query.monitor_id !== undefined) filter.monitorId = query.monitor_id;
      if (query.kind !== undefined) filter.kind = query.kind;
      if (query.q !== undefined) filter.text = query.q;
      const present = async (rows: readonly IncidentDocument[]) => {
        const ids = rows.map((incident) => incident._id);
        const sent = await notifications.ofIncidents(actor.workspaceId, ids);
        return rows.map((one) => incidentView(kinds, one, sent.get(one._id) ?? []));
      };
      const { after, rowsMax } = page.request;
      const { text } = filter;
      if (text === undefined) return page.reply(await store.list(actor.workspaceId, filter, after, rowsMax), present);
      const untilMs = clock.monotonic() + SEARCH_MS_MAX;
      const isTimeUp = () => clock.monotonic() >= untilMs;
      const { rows, searchedTo } = await store.search(actor.workspaceId, { ...filter, text }, page.request, isTimeUp);
      const reply = await page.reply(rows, present, searchedTo);
      return { ...reply, searchedTo: searchedTo === null ? null : toIso(searchedTo.started_at_ms) };
    },
  });
}

function silenceRoute(needs: IncidentRoutesNeeds, schemas: IncidentSchemas): Route {
  return mutationRoute({
    method: 'POST',
    path: '/v1/alerts/{id}/silence',
    access: 'alerts:write',
    tag: 'Alerts',
    summary: 'Silence an incident',
    description:
      'Stops notifications of this incident, for `for_minutes` or until it is resolved. When the time is over and the problem still exists, the incident fires again, as after `unsilence`. A later call replaces the time, if its end is at least a minute earlier or later. Returns 409 if the incident is resolved.',
    params: IncidentId,
    body: Silence,
    bodyOptional: true,
    replies: { 200: schemas.IncidentDetail },
    async handle({ actor, params, body }, tx) {
      const input = { id: params.id, forMinutes: body.for_minutes ?? null };
      return detail(needs, await silenceIncident(needs, tx, actor, input), tx);
    },
  });
}

function manualRoute(
  needs: IncidentRoutesNeeds,
  schemas: IncidentSchemas,
  verb: 'acknowledge' | 'resolve' | 'unsilence',
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
