import type { Transaction } from '../storage/transaction.js';
import { SYSTEM } from './change.js';
import type { IncidentDecision, IncidentDocument, IncidentEvent } from './documents.js';
import type { OpenIncident } from './incidents.js';
import type { IncidentNeeds } from './needs.js';
import { onTimeline } from './on-timeline.js';

/** Opens an incident for each input whose subject has no unresolved one. Returns them in order, null for the others. */
export async function openIncidents(
  needs: IncidentNeeds,
  tx: Transaction,
  inputs: readonly OpenIncident[],
): Promise<(IncidentDocument | null)[]> {
  const unresolved = new Set(
    (await needs.store.unresolvedOf(tx, inputs)).map((incident) => `${incident.workspace_id} ${incident.subject}`),
  );
  const isNew = (input: OpenIncident) => !unresolved.has(`${input.workspaceId} ${input.subject}`);
  const opened = await openNewIncidents(needs, tx, inputs.filter(isNew));
  let next = 0;
  return inputs.map((input) => (isNew(input) ? (opened[next++] ?? null) : null));
}

/**
 * Opens an incident for each input, in order. The subjects must have no unresolved incident. The number of round
 * trips, including those for notifications and the timeline, does not depend on the number of inputs.
 */
export async function openNewIncidents(
  needs: IncidentNeeds,
  tx: Transaction,
  inputs: readonly OpenIncident[],
): Promise<IncidentDocument[]> {
  const { store, clock, ids } = needs;
  const nowMs = clock.now();
  const opened = inputs.map((input) => ({ input, incident: incidentOf(input, input.id ?? ids.next('inc'), nowMs) }));
  const incidents = opened.map(({ incident }) => incident);
  await store.insert(tx, incidents);
  const notified = opened.filter(({ input }) => !input.silent && input.alreadyNotified !== true);
  await needs.notifier.enqueue(
    tx,
    notified.map(({ incident }) => incident),
    'opened',
  );
  await onTimeline(needs, tx, incidents);
  return incidents;
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
    decision: input.decision === null ? null : withOpened(input.decision, nowMs),
    recovery: null,
    channels: input.channels,
    runbook_url: input.runbookUrl,
    updated_at_ms: nowMs,
  };
}

function withOpened(decision: IncidentDecision, opened_at_ms: number): IncidentDecision {
  return { ...decision, times: { ...decision.times, opened_at_ms } };
}
