import type { Actor } from '../actor.js';
import type { AuditAction } from '../audit/actions.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError, notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { IncidentChange } from './change.js';
import type { IncidentDocument, IncidentEvent } from './documents.js';
import { type OutageMute, RESOLVE_GRACE_MS } from './incidents.js';
import { onTimeline } from './on-timeline.js';
import type { IncidentContext } from './service.js';

export interface ByHandContext extends IncidentContext {
  audit: AuditLog;
  mute: OutageMute;
}

/** Someone has it in hand: it keeps firing, reminders and escalation stop. Twice is once. */
export async function acknowledgeIncident(
  context: ByHandContext,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<IncidentDocument> {
  const incident = await unresolvedIncident(context, tx, actor, id);
  if (incident.acknowledged_at_ms !== null) return incident;
  const nowMs = context.clock.now();
  const changed = await changeByHand(context, tx, actor, incident, 'alert.acknowledged', {
    change: { acknowledged_at_ms: nowMs, acknowledged_by: actor.email },
    event: { at_ms: nowMs, type: 'acknowledged', message: `Acknowledged by ${actor.email}.`, actor: actor.email },
  });
  await context.notifications.enqueue(tx, [changed], 'acknowledged');
  return changed;
}

/** Ends it whatever the votes say. An outage that is none opens again after the grace. */
export async function resolveIncident(
  context: ByHandContext,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<IncidentDocument> {
  const incident = await unresolvedIncident(context, tx, actor, id);
  const nowMs = context.clock.now();
  const changed = await changeByHand(context, tx, actor, incident, 'alert.resolved', {
    change: { status: 'resolved', resolution: 'manual', resolved_at_ms: nowMs },
    event: { at_ms: nowMs, type: 'resolved', message: `Resolved by ${actor.email}.`, actor: actor.email },
  });
  if (incident.kind === 'monitor' && incident.monitor_id !== null) {
    await context.mute.mute(tx, actor.workspaceId, incident.monitor_id, nowMs + RESOLVE_GRACE_MS);
  }
  await context.notifications.enqueue(tx, [changed], 'resolved');
  return changed;
}

/** No more notifications until it is over. What was told stays told, so its end is told as well. Twice is once. */
export async function silenceIncident(
  context: ByHandContext,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<IncidentDocument> {
  const incident = await unresolvedIncident(context, tx, actor, id);
  // One that a maintenance window silenced would fire when the window ends; by hand it no longer does.
  if (incident.events.some((event) => event.type === 'silenced' && event.actor !== 'system')) return incident;
  const nowMs = context.clock.now();
  return changeByHand(context, tx, actor, incident, 'alert.silenced', {
    change: { status: 'silenced', silenced_at_ms: incident.silenced_at_ms ?? nowMs },
    event: { at_ms: nowMs, type: 'silenced', message: `Silenced by ${actor.email}.`, actor: actor.email },
  });
}

async function unresolvedIncident(
  context: ByHandContext,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<IncidentDocument> {
  const incident = await context.store.find(actor.workspaceId, id, tx);
  if (incident === null) throw notFound('incident');
  if (incident.status === 'resolved') throw new AppError('conflict', 'The incident is resolved already.');
  return incident;
}

async function changeByHand(
  context: ByHandContext,
  tx: Transaction,
  actor: Actor,
  incident: IncidentDocument,
  action: AuditAction,
  what: { change: IncidentChange; event: IncidentEvent },
): Promise<IncidentDocument> {
  const target = { workspaceId: actor.workspaceId, id: incident._id };
  const changed = await context.store.change(tx, target, what.change, what.event);
  // Read in this very transaction, so a rival's resolve ends in a write conflict and a new try, not here.
  if (changed === null) throw new AppError('conflict', 'The incident is resolved already.');
  await context.audit.record(tx, actor, {
    action,
    resource: { type: 'alert', id: incident._id, name: incident.monitor_name ?? incident.resource.name },
    metadata: { monitor_id: incident.monitor_id, severity: incident.severity },
  });
  await onTimeline(context, tx, [changed]);
  return changed;
}
