import type { Clock } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import type { IncidentRecords, Notifications } from '../notifications/notifications.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { IncidentDocument, IncidentEvent } from './documents.js';
import type { OpenIncident, OutageIncidents, Timeline } from './incidents.js';
import type { IncidentStore } from './store.js';

export interface IncidentContext {
  clock: Clock;
  ids: Ids;
  store: IncidentStore;
  notifications: Notifications;
  timeline: Timeline;
}

export const SYSTEM = 'system';

/** Every change of an incident with its outbox rows and its line on the timeline, in the caller's transaction. */
export function createIncidents(context: IncidentContext): OutageIncidents & IncidentRecords {
  const { clock, store, notifications } = context;
  return {
    open: (tx, input) => openIncident(context, tx, input),
    async resolveSubject(tx, actor, input) {
      const incident = await store.unresolved(input.workspaceId, input.subject, tx);
      if (incident === null) return null;
      const nowMs = clock.now();
      const resolved = await store.change(
        tx,
        { workspaceId: input.workspaceId, id: incident._id },
        {
          status: 'resolved',
          resolution: input.resolution,
          resolved_at_ms: nowMs,
          message: input.message,
          recovery: input.recovery,
        },
        { at_ms: nowMs, type: 'resolved', message: input.message, actor: actor.email },
      );
      if (resolved === null) return null;
      await notifications.enqueue(tx, resolved, 'resolved');
      await onTimeline(context, tx, resolved);
      return resolved;
    },
    unresolved: (workspaceId, subject, tx) => store.unresolved(workspaceId, subject, tx),
    async changeSeverity(tx, incident, to) {
      const changed = await store.change(
        tx,
        incident,
        { severity: to.severity, message: to.message },
        { at_ms: clock.now(), type: 'severity_changed', message: to.event, actor: SYSTEM },
      );
      if (changed !== null) await onTimeline(context, tx, changed);
      return changed;
    },
    async unsilence(tx, incident, to) {
      const before = await store.find(incident.workspaceId, incident.id, tx);
      // Silence by a person came after that of the window, and a person alone ends it.
      if (before === null || before.events.some((event) => event.type === 'silenced' && event.actor !== SYSTEM)) {
        return null;
      }
      const fired = await store.change(
        tx,
        { ...incident, status: 'silenced' },
        { status: 'firing', silenced_at_ms: null, message: to.message, decision: to.decision },
        { at_ms: clock.now(), type: 'unsilenced', message: to.event, actor: SYSTEM },
      );
      if (fired === null) return null;
      await notifications.enqueue(tx, fired, 'opened');
      await onTimeline(context, tx, fired);
      return fired;
    },
    async supersede(tx, workspaceId, subject, by) {
      const incident = await store.unresolved(workspaceId, subject, tx);
      if (incident === null || incident.kind === by) return null;
      const nowMs = clock.now();
      const superseded = await store.change(
        tx,
        { workspaceId, id: incident._id },
        { status: 'resolved', resolution: 'superseded', resolved_at_ms: nowMs },
        { at_ms: nowMs, type: 'superseded', message: 'Another incident of the monitor took its place.', actor: SYSTEM },
      );
      if (superseded !== null) await notifications.enqueue(tx, superseded, 'resolved');
      return superseded;
    },
    load: (workspaceId, incidentId) => store.find(workspaceId, incidentId),
    recordNotification: (tx, workspaceId, incidentId, entry) =>
      store.recordNotification(tx, workspaceId, incidentId, entry),
  };
}

async function openIncident(
  context: IncidentContext,
  tx: Transaction,
  input: OpenIncident,
): Promise<IncidentDocument | null> {
  const { store, clock } = context;
  if ((await store.unresolved(input.workspaceId, input.subject, tx)) !== null) return null;
  const nowMs = clock.now();
  const incident = incidentOf(input, context.ids.next('inc'), nowMs);
  await store.insert(tx, incident);
  if (!input.silent && input.already_told !== true) await context.notifications.enqueue(tx, incident, 'opened');
  await onTimeline(context, tx, incident);
  return incident;
}

function incidentOf(input: OpenIncident, id: string, nowMs: number): IncidentDocument {
  const opened: IncidentEvent = { at_ms: nowMs, type: 'opened', message: input.message, actor: SYSTEM };
  const silenced: IncidentEvent = {
    at_ms: nowMs,
    type: 'silenced',
    message: 'Silenced by a maintenance window.',
    actor: SYSTEM,
  };
  return {
    _id: id,
    workspace_id: input.workspaceId,
    kind: input.kind,
    subject: input.subject,
    open: true,
    monitor_id: input.monitor?.id ?? null,
    monitor_name: input.monitor?.name ?? null,
    resource: input.resource,
    status: input.silent ? 'silenced' : 'firing',
    severity: input.severity,
    message: input.message,
    resolution: null,
    started_at_ms: input.startedAtMs,
    resolved_at_ms: null,
    acknowledged_at_ms: null,
    acknowledged_by: null,
    silenced_at_ms: input.silent ? nowMs : null,
    events: input.silent ? [opened, silenced] : [opened],
    decision:
      input.decision === null ? null : { ...input.decision, times: { ...input.decision.times, opened_at_ms: nowMs } },
    recovery: null,
    notifications_sent: [],
    channels: input.channels,
    runbook_url: input.runbookUrl,
    updated_at_ms: nowMs,
  };
}

/** The newest line of the incident's history goes on the workspace's timeline too. */
export async function onTimeline(
  { timeline }: Pick<IncidentContext, 'timeline'>,
  tx: Transaction,
  incident: IncidentDocument,
): Promise<void> {
  const event = incident.events.at(-1);
  if (event === undefined) return;
  await timeline.record(tx, {
    workspaceId: incident.workspace_id,
    atMs: event.at_ms,
    type: `incident.${event.type}`,
    resource: incident.resource,
    message: event.message,
    actor: event.actor,
    metadata: { incident_id: incident._id, severity: incident.severity, kind: incident.kind },
  });
}

/** Nobody's request: Picket itself acts in the workspace. Only workspace and name reach an incident's history. */
export function platformActor(workspaceId: string): Actor {
  return {
    kind: 'system',
    workspaceId,
    workspaceName: '',
    plan: 'Enterprise',
    userId: null,
    email: SYSTEM,
    ip: null,
    scopes: ['*'],
    role: 'owner',
    operator: false,
    key: null,
    requestId: SYSTEM,
  };
}
