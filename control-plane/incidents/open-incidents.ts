import type { Hold } from '../dependencies/dependencies.js';
import type { Transaction } from '../storage/transaction.js';
import { shortName } from '../wording.js';
import { SYSTEM } from './change.js';
import type { IncidentDecision, IncidentDocument, IncidentEvent, IncidentMaintenance } from './documents.js';
import type { OpenIncident } from './incidents.js';
import type { OpeningNeeds } from './needs.js';
import { onTimeline } from './on-timeline.js';
import { heldEvent, silentRecord } from './silence/hold.js';

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
  const judged = await judgeParents(needs, tx, inputs, nowMs);
  const opened = inputs.map((input) => {
    const maintenance = maintenanceOf(needs, input, nowMs);
    const isSilent = maintenance !== null || input.alreadyNotified === true;
    const hold = isSilent ? null : (judged.get(input)?.hold ?? null);
    const id = input.id ?? ids.next('inc');
    return { input, incident: incidentOf(input, id, { maintenance, hold }, nowMs) };
  });
  await store.insert(
    tx,
    opened.map(({ incident }) => incident),
  );
  await addDependents(store, tx, opened, judged);
  const incidents = opened.map(({ incident }) => incident);
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

type Judged = Map<OpenIncident, Awaited<ReturnType<OpeningNeeds['dependencies']['began']>>[number]>;

/** Returns what keeps outages silent, and what depends on them. */
async function judgeParents(
  { dependencies }: Pick<OpeningNeeds, 'dependencies'>,
  tx: Transaction,
  inputs: readonly OpenIncident[],
  nowMs: number,
): Promise<Judged> {
  const following = inputs.filter(({ followsParents }) => followsParents === true);
  if (following.length === 0) return new Map();
  const things = following.map(({ workspaceId, resource, tags, startedAtMs, channels }) => {
    // A server failed at some time after its last message, when its incident starts.
    const failingSinceMs = resource.type === 'server' ? nowMs : startedAtMs;
    return { workspaceId, type: resource.type, id: resource.id, tags, channels, failingSinceMs, hold: null };
  });
  const judged = await dependencies.began(tx, things, nowMs);
  return new Map(following.flatMap((input, index) => (judged[index] === undefined ? [] : [[input, judged[index]]])));
}

/** Adds what depends on them to incidents that are inserted, so that it is in their notifications. */
async function addDependents(
  store: OpeningNeeds['store'],
  tx: Transaction,
  opened: readonly { input: OpenIncident; incident: IncidentDocument }[],
  judged: Judged,
): Promise<void> {
  const parents = opened.filter(({ input }) => (judged.get(input)?.dependents ?? 0) > 0);
  if (parents.length === 0) return;
  const below = await store.heldBelow(
    tx,
    parents.map(({ input: { workspaceId, resource } }) => ({ workspaceId, monitorId: resource.id })),
  );
  for (const { input, incident } of parents) {
    const { down, names } = below.get(input.resource.id) ?? { down: 0, names: [] };
    incident.dependents = { total: Math.max(judged.get(input)?.dependents ?? 0, down), down, names };
  }
  await store.setDependents(
    tx,
    parents.map(({ incident }) => incident),
  );
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
  { maintenance, hold }: { maintenance: IncidentMaintenance | null; hold: Hold | null },
  nowMs: number,
): IncidentDocument {
  const isSilent = maintenance !== null || hold !== null;
  const held = hold === null ? [] : [heldEvent(hold, nowMs)];
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
    status: isSilent ? 'silenced' : 'firing',
    severity: input.severity,
    message: input.message,
    resolution: null,
    started_at_ms: input.startedAtMs,
    resolved_at_ms: null,
    acknowledged_at_ms: null,
    acknowledged_by: null,
    silenced_at_ms: isSilent ? nowMs : null,
    ...(maintenance === null ? {} : { maintenance }),
    ...(input.followsParents === true ? { follows_parents: true as const } : {}),
    ...(hold === null ? {} : { dependency: hold }),
    events: [opened, ...silenced, ...held],
    decision: input.decision === null ? null : withOpened(input.decision, hold, nowMs),
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

function withOpened(decision: IncidentDecision, hold: Hold | null, opened_at_ms: number): IncidentDecision {
  const silent = hold === null ? {} : { silent: silentRecord(hold, opened_at_ms) };
  return { ...decision, times: { ...decision.times, opened_at_ms }, ...silent };
}
