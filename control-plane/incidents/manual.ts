import type { Actor } from '../actor.js';
import type { AuditAction } from '../audit/audit.js';
import { AppError, notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { alertEvent, usedLink } from './audited.js';
import type { IncidentChange } from './change.js';
import type { IncidentDocument, IncidentEvent, UsedLink } from './documents.js';
import { type NotificationEvent, RESOLVE_GRACE_MS } from './incidents.js';
import type { IncidentNeeds } from './needs.js';
import { onTimeline } from './on-timeline.js';

export interface ManualNeeds extends IncidentNeeds {
  /** Called in the transaction of a manual resolve: the same problem must not open an incident before `untilMs`. */
  resolvedManually(tx: Transaction, incident: IncidentDocument, untilMs: number): Promise<void>;
}

/** Marks the incident as acknowledged: it keeps firing, but reminders and escalation stop. Idempotent. */
export function acknowledgeIncident(
  needs: ManualNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<IncidentDocument> {
  const { email } = actor;
  return manualChange(needs, tx, actor, id, ({ incident, nowMs, link }) => {
    if (incident.acknowledged_at_ms !== null) return null;
    return {
      action: 'alert.acknowledged',
      change: { acknowledged_at_ms: nowMs, acknowledged_by: email, ...(link && { acknowledged_link: link }) },
      event: { type: 'acknowledged', message: `Acknowledged by ${email}.` },
      notify: 'acknowledged',
    };
  });
}

/** Resolves the incident. If the problem still exists after the grace period, a new incident opens. */
export async function resolveIncident(
  needs: ManualNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<IncidentDocument> {
  const { email } = actor;
  const resolved = await manualChange(needs, tx, actor, id, ({ incident, nowMs }) => ({
    action: 'alert.resolved',
    change: {
      ...{ status: 'resolved', resolution: 'manual', resolved_at_ms: nowMs },
      // Without these words, a notification would say both RESOLVED and that the monitor is down.
      message: `Resolved by ${email}; Picket has not seen a recovery. Before: ${incident.message}`,
    },
    event: { type: 'resolved', message: `Resolved by ${email}.` },
    notify: 'resolved',
  }));
  await needs.resolvedManually(tx, resolved, resolved.updated_at_ms + RESOLVE_GRACE_MS);
  return resolved;
}

/** What a person changes of an incident. */
interface ManualChange {
  action: AuditAction;
  change: IncidentChange;
  event: Pick<IncidentEvent, 'type' | 'message' | 'until_ms'>;
  metadata?: Record<string, unknown>;
  /** What channels are notified of; null for nothing. */
  notify: NotificationEvent | null;
}

/** What decides about a change. */
interface ManualFacts {
  /** Unresolved, as it is in the transaction. */
  incident: IncidentDocument;
  nowMs: number;
  /** The link that the person used. */
  link: UsedLink | undefined;
}

/**
 * Changes an unresolved incident as a person wants, with its audit entry, its line on the timeline and its notifications.
 * `decide` returns null if nothing is left to do. Throws `not_found` without the incident, and `conflict` if it is resolved.
 */
export async function manualChange(
  needs: IncidentNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
  decide: (facts: ManualFacts) => ManualChange | null,
): Promise<IncidentDocument> {
  const { workspaceId, email } = actor;
  const incident = await needs.store.find(workspaceId, id, tx);
  if (incident === null) throw notFound('incident');
  if (incident.status === 'resolved') throw new AppError('conflict', 'The incident is already resolved.');
  const nowMs = needs.clock.now();
  const link = usedLink(actor);
  const decided = decide({ incident, nowMs, link });
  if (decided === null) return incident;
  const event = { at_ms: nowMs, ...decided.event, actor: email, ...(link && { link }) };
  const changed = await needs.store.change(tx, { workspaceId, id }, decided.change, event);
  // Not expected: the incident was read in this transaction, so a concurrent resolve causes a write conflict.
  if (changed === null) throw new AppError('conflict', 'The incident is already resolved.');
  await needs.audit.record(tx, actor, alertEvent(decided.action, changed, decided.metadata));
  await onTimeline(needs, tx, [changed]);
  if (decided.notify !== null) await needs.notifier.enqueue(tx, [changed], decided.notify);
  return changed;
}
