import type { Transaction } from '../storage/transaction.js';
import { shortName } from '../wording.js';
import { SYSTEM } from './change.js';
import type { IncidentDecision, IncidentDocument, IncidentEvent, IncidentMaintenance } from './documents.js';
import type { OpenIncident } from './incidents.js';
import type { OpeningNeeds } from './needs.js';
import { onTimeline } from './on-timeline.js';

/** Opens an incident for each input whose subject has no unresolved one. Returns them in order, null for the others. */
export async function openIncidents(
  needs: OpeningNeeds,
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
  needs: OpeningNeeds,
  tx: Transaction,
  inputs: readonly OpenIncident[],
): Promise<IncidentDocument[]> {
  const { store, clock, ids } = needs;
  const nowMs = clock.now();
  const opened = inputs.map((input) => {
    const maintenance = maintenanceOf(needs, input, nowMs);
    return { input, incident: incidentOf(input, input.id ?? ids.next('inc'), maintenance, nowMs) };
  });
  const incidents = opened.map(({ incident }) => incident);
  await store.insert(tx, incidents);
  const notified = opened.filter(
    ({ input, incident }) => incident.status === 'firing' && input.alreadyNotified !== true,
  );
  await needs.notifier.enqueue(
    tx,
    notified.map(({ incident }) => incident),
    'opened',
  );
  await onTimeline(needs, tx, incidents);
  return incidents;
}

/** Returns the maintenance that silences a new incident; null without any. */
function maintenanceOf(
  { maintenance }: Pick<OpeningNeeds, 'maintenance'>,
  { workspaceId, resource, tags, silencedBy, alreadyNotified }: OpenIncident,
  nowMs: number,
): IncidentMaintenance | null {
  const window = silencedBy ?? null;
  if (window !== null) return { ...window, fires: 'with_checks' };
  if (silencedBy === null || alreadyNotified === true) return null;
  const covering = maintenance.covering({ workspaceId, type: resource.type, id: resource.id, tags }, nowMs);
  return covering === null ? null : { ...covering, fires: 'at_end' };
}

function incidentOf(
  input: OpenIncident,
  id: string,
  maintenance: IncidentMaintenance | null,
  nowMs: number,
): IncidentDocument {
  const opened: IncidentEvent = { at_ms: nowMs, type: 'opened', message: input.message, actor: SYSTEM };
  const silenced: IncidentEvent[] = maintenance === null ? [] : [silencedEvent(maintenance, nowMs)];
  return {
    _id: id,
    workspace_id: input.workspaceId,
    kind: input.kind,
    subject: input.subject,
    open: true,
    monitor_id: input.monitor?.id ?? null,
    monitor_name: input.monitor?.name ?? null,
    resource: input.resource,
    status: maintenance === null ? 'firing' : 'silenced',
    severity: input.severity,
    message: input.message,
    resolution: null,
    started_at_ms: input.startedAtMs,
    resolved_at_ms: null,
    acknowledged_at_ms: null,
    acknowledged_by: null,
    silenced_at_ms: maintenance === null ? null : nowMs,
    ...(maintenance === null ? {} : { maintenance }),
    events: [opened, ...silenced],
    decision: input.decision === null ? null : withOpened(input.decision, nowMs),
    recovery: null,
    channels: input.channels,
    runbook_url: input.runbookUrl,
    updated_at_ms: nowMs,
  };
}

function silencedEvent({ name, until_ms }: IncidentMaintenance, at_ms: number): IncidentEvent {
  const message = `Silenced by the maintenance window “${shortName(name)}”.`;
  return { at_ms, type: 'silenced', message, actor: SYSTEM, until_ms };
}

function withOpened(decision: IncidentDecision, opened_at_ms: number): IncidentDecision {
  return { ...decision, times: { ...decision.times, opened_at_ms } };
}
