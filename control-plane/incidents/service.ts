import type { Clock } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import type { IncidentRecords, Notifications } from '../notifications/notifications.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import { SYSTEM } from './change.js';
import type { IncidentDocument } from './documents.js';
import type { OutageIncidents, RaiseSeverity, ResolveIncident, RuleIncidents, Timeline } from './incidents.js';
import { onTimeline } from './on-timeline.js';
import { openIncidents } from './open.js';
import type { IncidentStore } from './store.js';

export interface IncidentContext {
  clock: Clock;
  ids: Ids;
  store: IncidentStore;
  notifications: Notifications;
  timeline: Timeline;
}

/** Every change of an incident with its outbox rows and its line on the timeline, in the caller's transaction. */
export function createIncidents(context: IncidentContext): OutageIncidents & RuleIncidents & IncidentRecords {
  const { store } = context;
  return {
    async open(tx, input) {
      const [opened] = await openIncidents(context, tx, [input]);
      return opened ?? null;
    },
    nextId: () => context.ids.next('inc'),
    openAll: (tx, inputs) => openIncidents(context, tx, inputs),
    async resolveSubject(tx, actor, input) {
      const [resolved] = await resolveIncidents(context, tx, [{ ...input, actor }]);
      return resolved ?? null;
    },
    async resolveAll(tx, inputs) {
      await resolveIncidents(context, tx, inputs);
    },
    unresolved: (workspaceId, subject, tx) => store.unresolved(workspaceId, subject, tx),
    unresolvedAmong: (workspaceId, subjects) => store.unresolvedOfRules(workspaceId, subjects),
    unresolvedUnder: (workspaceId, prefix, tx) => store.unresolvedUnder(workspaceId, prefix, tx),
    latest: (workspaceId, subject) => store.latest(workspaceId, subject),
    unresolvedOfRules: (workspaceId, tx) => store.unresolvedOfRules(workspaceId, null, tx),
    workspacesWithRuleIncidents: store.workspacesWithRuleIncidents,
    widen: (tx, incident, to) => widen(context, tx, incident, to),
    unresolvedOf: (tx, subjects) => store.unresolvedOf(tx, subjects),
    raiseSeverities: (tx, raised) => raiseSeverities(context, tx, raised),
    unsilence: (tx, incident, to) => unsilence(context, tx, incident, to),
    async supersede(tx, workspaceId, subject, by) {
      const incident = await store.unresolved(workspaceId, subject, tx);
      if (incident === null || incident.kind === by) return null;
      const nowMs = context.clock.now();
      const superseded = await store.change(
        tx,
        { workspaceId, id: incident._id },
        { status: 'resolved', resolution: 'superseded', resolved_at_ms: nowMs },
        { at_ms: nowMs, type: 'superseded', message: 'Another incident of the monitor took its place.', actor: SYSTEM },
      );
      if (superseded !== null) await context.notifications.enqueue(tx, [superseded], 'resolved');
      return superseded;
    },
    heads: (workspaceId, incidentIds) => store.heads(workspaceId, incidentIds),
    loadMany: (incidents) => store.findMany(incidents),
  };
}

async function resolveIncidents(
  context: IncidentContext,
  tx: Transaction,
  inputs: readonly (ResolveIncident & { actor: Actor })[],
): Promise<IncidentDocument[]> {
  const { store, clock } = context;
  const incidents = new Map(
    (await store.unresolvedOf(tx, inputs)).map((incident) => [
      `${incident.workspace_id} ${incident.subject}`,
      incident,
    ]),
  );
  const nowMs = clock.now();
  const resolved = await store.changeAll(
    tx,
    inputs.flatMap(({ actor, ...input }) => {
      const incident = incidents.get(`${input.workspaceId} ${input.subject}`);
      if (incident === undefined) return [];
      const { resolution, message, recovery } = input;
      const change = { status: 'resolved' as const, resolution, resolved_at_ms: nowMs, message, recovery };
      return [{ incident, change, event: { at_ms: nowMs, type: 'resolved' as const, message, actor: actor.email } }];
    }),
  );
  await context.notifications.enqueue(tx, resolved, 'resolved');
  await onTimeline(context, tx, resolved);
  return resolved;
}

async function raiseSeverities(
  context: IncidentContext,
  tx: Transaction,
  raised: readonly RaiseSeverity[],
): Promise<void> {
  const { store, clock } = context;
  const found = new Map((await store.findMany(raised, tx)).map((incident) => [incident._id, incident]));
  const changes = raised.flatMap(({ id, severity, message, event }) => {
    const incident = found.get(id);
    if (incident?.open !== true) return [];
    const line = { at_ms: clock.now(), type: 'severity_changed' as const, message: event, actor: SYSTEM };
    return [{ incident, change: { severity, message }, event: line }];
  });
  await onTimeline(context, tx, await store.changeAll(tx, changes));
}

async function unsilence(
  context: IncidentContext,
  tx: Transaction,
  incident: Parameters<OutageIncidents['unsilence']>[1],
  to: Parameters<OutageIncidents['unsilence']>[2],
): Promise<IncidentDocument | null> {
  const { store, clock } = context;
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
  await context.notifications.enqueue(tx, [fired], 'opened');
  await onTimeline(context, tx, [fired]);
  return fired;
}

async function widen(
  context: IncidentContext,
  tx: Transaction,
  incident: Parameters<RuleIncidents['widen']>[1],
  { event, ...change }: Parameters<RuleIncidents['widen']>[2],
): Promise<void> {
  const line = { at_ms: context.clock.now(), type: 'widened' as const, message: event, actor: SYSTEM };
  const target = { workspaceId: incident.workspace_id, id: incident._id };
  const widened = await context.store.change(tx, target, change, line);
  if (widened === null) return;
  // Channels that were told already are not told again.
  await context.notifications.enqueue(tx, [widened], 'opened');
  await onTimeline(context, tx, [widened]);
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
