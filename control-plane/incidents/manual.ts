import type { Actor } from '../actor.js';
import type { AuditAction } from '../audit/audit.js';
import { AppError, notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { alertEvent } from './audited.js';
import type { IncidentChange } from './change.js';
import type { IncidentDocument, IncidentEvent } from './documents.js';
import { RESOLVE_GRACE_MS } from './incidents.js';
import type { IncidentNeeds } from './needs.js';
import { onTimeline } from './on-timeline.js';

export interface ManualNeeds extends IncidentNeeds {
  /** Called in the transaction of a manual resolve: the same problem must not open an incident before `untilMs`. */
  resolvedManually(tx: Transaction, incident: IncidentDocument, untilMs: number): Promise<void>;
}

/** Marks the incident as acknowledged: it keeps firing, but reminders and escalation stop. Idempotent. */
export async function acknowledgeIncident(
  needs: ManualNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<IncidentDocument> {
  const incident = await unresolvedIncident(needs, tx, actor, id);
  if (incident.acknowledged_at_ms !== null) return incident;
  const nowMs = needs.clock.now();
  const changed = await changeManually(needs, tx, actor, incident, 'alert.acknowledged', {
    change: { acknowledged_at_ms: nowMs, acknowledged_by: actor.email },
    event: { at_ms: nowMs, type: 'acknowledged', message: `Acknowledged by ${actor.email}.`, actor: actor.email },
  });
  await needs.notifier.enqueue(tx, [changed], 'acknowledged');
  return changed;
}

/** Resolves the incident. If the problem still exists after the grace period, a new incident opens. */
export async function resolveIncident(
  needs: ManualNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<IncidentDocument> {
  const incident = await unresolvedIncident(needs, tx, actor, id);
  const nowMs = needs.clock.now();
  const changed = await changeManually(needs, tx, actor, incident, 'alert.resolved', {
    change: {
      ...{ status: 'resolved', resolution: 'manual', resolved_at_ms: nowMs },
      // Without these words, a notification would say both RESOLVED and that the monitor is down.
      message: `Resolved by ${actor.email}; Picket has not seen a recovery. Before: ${incident.message}`,
    },
    event: { at_ms: nowMs, type: 'resolved', message: `Resolved by ${actor.email}.`, actor: actor.email },
  });
  await needs.resolvedManually(tx, incident, nowMs + RESOLVE_GRACE_MS);
  await needs.notifier.enqueue(tx, [changed], 'resolved');
  return changed;
}

/**
 * Stops notifications of the incident. When it is resolved, channels that were notified of its opening are still
 * notified. Idempotent.
 */
export async function silenceIncident(
  needs: ManualNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<IncidentDocument> {
  const incident = await unresolvedIncident(needs, tx, actor, id);
  // An incident that a maintenance window silenced fires when the window ends, unless a person silences it too.
  if (incident.events.some((event) => event.type === 'silenced' && event.actor !== 'system')) return incident;
  const nowMs = needs.clock.now();
  return changeManually(needs, tx, actor, incident, 'alert.silenced', {
    change: { status: 'silenced', silenced_at_ms: incident.silenced_at_ms ?? nowMs },
    event: { at_ms: nowMs, type: 'silenced', message: `Silenced by ${actor.email}.`, actor: actor.email },
  });
}

async function unresolvedIncident(
  needs: ManualNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<IncidentDocument> {
  const incident = await needs.store.find(actor.workspaceId, id, tx);
  if (incident === null) throw notFound('incident');
  if (incident.status === 'resolved') throw new AppError('conflict', 'The incident is already resolved.');
  return incident;
}

async function changeManually(
  needs: ManualNeeds,
  tx: Transaction,
  actor: Actor,
  incident: IncidentDocument,
  action: AuditAction,
  what: { change: IncidentChange; event: IncidentEvent },
): Promise<IncidentDocument> {
  const target = { workspaceId: actor.workspaceId, id: incident._id };
  const changed = await needs.store.change(tx, target, what.change, what.event);
  // Not expected: the incident was read in this transaction, so a concurrent resolve causes a write conflict.
  if (changed === null) throw new AppError('conflict', 'The incident is already resolved.');
  await needs.audit.record(tx, actor, alertEvent(action, changed));
  await onTimeline(needs, tx, [changed]);
  return changed;
}
