import type { Transaction } from '../storage/transaction.js';
import { SYSTEM } from './change.js';
import type { AnyDecision, IncidentDocument, IncidentEvent } from './documents.js';
import type { OpenIncident } from './incidents.js';
import { onTimeline } from './on-timeline.js';
import type { IncidentContext } from './service.js';

/**
 * Opens an incident for each input whose subject has no unresolved one, in the order of the inputs; null for the
 * others. With outbox rows and lines on the timeline, in as many round trips for all of them as for one.
 */
export async function openIncidents(
  context: IncidentContext,
  tx: Transaction,
  inputs: readonly OpenIncident[],
): Promise<(IncidentDocument | null)[]> {
  const { store, clock } = context;
  const unresolved = new Set(
    (await store.unresolvedOf(tx, inputs)).map((incident) => `${incident.workspace_id} ${incident.subject}`),
  );
  const nowMs = clock.now();
  const opened = inputs.map((input) =>
    unresolved.has(`${input.workspaceId} ${input.subject}`)
      ? null
      : { input, incident: incidentOf(input, input.id ?? context.ids.next('inc'), nowMs) },
  );
  const fresh = opened.filter((one) => one !== null);
  const incidents = fresh.map(({ incident }) => incident);
  await store.insert(tx, incidents);
  const loud = fresh.filter(({ input }) => !input.silent && input.already_told !== true);
  await context.notifications.enqueue(
    tx,
    loud.map(({ incident }) => incident),
    'opened',
  );
  await onTimeline(context, tx, incidents);
  return opened.map((one) => one?.incident ?? null);
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

function withOpened<D extends AnyDecision>(decision: D, opened_at_ms: number): D {
  return { ...decision, times: { ...decision.times, opened_at_ms } };
}
