import type { Actor } from '../actor.js';
import type { IncidentDocument } from '../incidents/documents.js';
import type {
  IncidentMessages,
  OpenIncident,
  OutageIncidents,
  RaiseSeverity,
  Timeline,
  TimelineEntry,
} from '../incidents/incidents.js';
import type { MonitorDocument, OutageMemory } from '../monitors/documents.js';
import { monitorSubject } from '../monitors/monitors.js';
import type { Transaction } from '../storage/transaction.js';
import { type Consequences, type Judgement, rememberedIncident } from './consequences.js';
import type { VerdictStore } from './store.js';
import type { Verdict } from './verdict.js';

/** Whether maintenance covers a check of the monitor that was due at `atMs`. */
export interface Maintenance {
  silences(workspaceId: string, monitorId: string, atMs: number): boolean;
}

/** What a transaction finds out before it writes the states. */
export interface OutagePlan {
  /** The unresolved incidents of the monitors, by subject. */
  known: ReadonlyMap<string, IncidentDocument>;
  /** By monitor: what its state is to remember of its incident, where that changes. */
  memories: ReadonlyMap<string, OutageMemory>;
}

/**
 * Writes what verdicts do to incidents, in the transaction that holds the states. One judgement of a monitor at
 * most; however many monitors, about as many round trips as for one.
 */
export interface OutageRecorder {
  /** Writes nothing. Names incidents that `record` will open. */
  plan(tx: Transaction, judgements: readonly Judgement[]): Promise<OutagePlan>;
  /** Once the states are written, with what they are to remember. */
  record(tx: Transaction, judgements: readonly Judgement[], plan: OutagePlan): Promise<void>;
}

interface OutageDeps {
  store: Pick<VerdictStore, 'supersedeTold'>;
  incidents: OutageIncidents;
  messages: IncidentMessages;
  timeline: Timeline;
  /** Picket itself in that workspace. */
  systemActor(workspaceId: string): Actor;
}

export function createOutageRecorder(deps: OutageDeps): OutageRecorder {
  return {
    async plan(tx, judgements) {
      const asking = judgements.filter(({ effects }) => effects.ensure !== null || effects.resolve);
      const known = asking.length === 0 ? new Map() : await unresolvedBySubject(deps, tx, asking);
      const memories = judgements.flatMap((judgement) => {
        const memory = memoryAfter(deps, judgement, known);
        return memory === null ? [] : [[judgement.monitor._id, memory] as const];
      });
      return { known, memories: new Map(memories) };
    },
    async record(tx, judgements, plan) {
      await deps.timeline.record(tx, judgements.flatMap(statusLine));
      await ensure(deps, tx, judgements, plan);
      await resolve(deps, tx, judgements, plan);
      await update(deps, tx, judgements);
    },
  };
}

/** What the state is to remember of the incident; null: what it does. */
function memoryAfter(
  deps: OutageDeps,
  { monitor, verdict, effects }: Judgement,
  known: OutagePlan['known'],
): OutageMemory | null {
  if (effects.ensure !== null) {
    const incident = known.get(monitorSubject(monitor._id));
    if (incident?.kind === 'monitor') return memoryOf(incident, monitor);
    const id = deps.incidents.nextId();
    const { silent } = effects.ensure;
    const { severity } = verdict;
    return { id, severity, awaits_maintenance_end: silent, from_version: monitor.live_from_version };
  }
  const memory = rememberedIncident(monitor);
  if (memory === null || !changesIncident(effects)) return null;
  const awaits_maintenance_end = memory.awaits_maintenance_end && !effects.unsilence;
  return { ...memory, severity: effects.severity ?? memory.severity, awaits_maintenance_end };
}

function changesIncident(effects: Consequences): boolean {
  return effects.severity !== null || effects.unsilence;
}

/** Opens an incident for each outage that has to have one and has none of its own. */
async function ensure(
  deps: OutageDeps,
  tx: Transaction,
  judgements: readonly Judgement[],
  { known, memories }: OutagePlan,
): Promise<void> {
  const openings: OpenIncident[] = [];
  for (const judgement of judgements) {
    const { monitor } = judgement;
    const incident = known.get(monitorSubject(monitor._id));
    const memory = memories.get(monitor._id);
    if (judgement.effects.ensure === null || incident?.kind === 'monitor' || memory === undefined) continue;
    if (incident !== undefined) {
      await deps.incidents.supersede(tx, monitor.workspace_id, incident.subject, 'monitor');
      await deps.store.supersedeTold(tx, monitor);
    }
    openings.push({ ...openingOf(deps, judgement), id: memory.id });
  }
  if (openings.length > 0) await deps.incidents.openAll(tx, openings);
}

function openingOf({ messages }: OutageDeps, { monitor, verdict, effects }: Judgement): OpenIncident {
  const nowMs = verdict.decision.evaluated_at_ms ?? 0;
  const firstFailedAtMs = verdict.decision.times.first_failed_at_ms ?? nowMs;
  const afterGrace = effects.ensure?.afterGrace === true;
  const outage = { name: monitor.name, votes: verdict.votes, firstFailedAtMs };
  return {
    workspaceId: monitor.workspace_id,
    kind: 'monitor',
    subject: monitorSubject(monitor._id),
    monitor: { id: monitor._id, name: monitor.name },
    resource: resourceOf(monitor),
    severity: verdict.severity,
    message: afterGrace ? messages.stillDown(outage) : messages.down(outage),
    // The time before belongs to the incident that was resolved by hand.
    startedAtMs: afterGrace ? nowMs : firstFailedAtMs,
    decision: verdict.decision,
    channels: monitor.channels,
    runbookUrl: monitor.runbook_url,
    silent: effects.ensure?.silent === true,
  };
}

async function resolve(
  deps: OutageDeps,
  tx: Transaction,
  judgements: readonly Judgement[],
  { known }: OutagePlan,
): Promise<void> {
  const recovered = judgements.filter(({ effects }) => effects.resolve);
  if (recovered.length === 0) return;
  const inputs = recovered.flatMap(({ monitor, verdict }) => {
    const subject = monitorSubject(monitor._id);
    const incident = known.get(subject);
    if (incident?.kind !== 'monitor') return [];
    const { name, workspace_id: workspaceId } = monitor;
    const message = deps.messages.recovered({
      name,
      votes: verdict.votes,
      startedAtMs: incident.started_at_ms,
      nowMs: verdict.decision.evaluated_at_ms ?? 0,
    });
    const actor = deps.systemActor(workspaceId);
    return [{ actor, workspaceId, subject, resolution: 'recovered', message, recovery: verdict.decision }];
  });
  await deps.incidents.resolveAll(tx, inputs);
}

/** What changes about incidents that stay open. */
async function update(deps: OutageDeps, tx: Transaction, judgements: readonly Judgement[]): Promise<void> {
  const changing = judgements.flatMap((judgement) => {
    const memory = rememberedIncident(judgement.monitor);
    return memory === null || !changesIncident(judgement.effects) ? [] : [{ ...judgement, memory }];
  });
  if (changing.length === 0) return;
  const raised = changing.flatMap(({ monitor, verdict, effects, memory }): RaiseSeverity[] => {
    if (effects.severity === null) return [];
    const event = deps.messages.nowCritical(verdict.votes);
    const message = downMessage(deps, monitor, verdict);
    return [{ workspaceId: monitor.workspace_id, id: memory.id, severity: effects.severity, message, event }];
  });
  await deps.incidents.raiseSeverities(tx, raised);
  for (const { monitor, verdict, effects, memory } of changing) {
    if (!effects.unsilence) continue;
    await deps.incidents.unsilence(
      tx,
      { workspaceId: monitor.workspace_id, id: memory.id },
      {
        message: downMessage(deps, monitor, verdict),
        event: deps.messages.maintenanceEnded(),
        decision: withOpened(verdict.decision),
      },
    );
  }
}

function downMessage({ messages }: OutageDeps, { name }: MonitorDocument, { votes, decision }: Verdict): string {
  return messages.down({ name, votes, firstFailedAtMs: decision.times.first_failed_at_ms ?? 0 });
}

function statusLine({ monitor, verdict }: Judgement): TimelineEntry[] {
  const { status } = verdict.next;
  if (status === monitor.state.status) return [];
  return [
    {
      workspaceId: monitor.workspace_id,
      atMs: verdict.next.changed_at_ms,
      type: 'monitor.status_changed',
      resource: resourceOf(monitor),
      message: `${monitor.name} is ${status}: ${verdict.decision.reason}.`,
      actor: 'system',
      metadata: { from: monitor.state.status, to: status },
    },
  ];
}

async function unresolvedBySubject(
  { incidents }: OutageDeps,
  tx: Transaction,
  judgements: readonly Judgement[],
): Promise<Map<string, IncidentDocument>> {
  const subjects = judgements.map(({ monitor }) => {
    return { workspaceId: monitor.workspace_id, subject: monitorSubject(monitor._id) };
  });
  const found = await incidents.unresolvedOf(tx, subjects);
  return new Map(found.map((incident) => [incident.subject, incident]));
}

function resourceOf(monitor: MonitorDocument): { type: string; id: string; name: string } {
  return { type: 'monitor', id: monitor._id, name: monitor.name };
}

function withOpened(decision: Verdict['decision']): Verdict['decision'] {
  return { ...decision, times: { ...decision.times, opened_at_ms: decision.evaluated_at_ms ?? null } };
}

function memoryOf(incident: IncidentDocument, monitor: MonitorDocument): OutageMemory {
  return {
    id: incident._id,
    severity: incident.severity === 'critical' ? 'critical' : 'warning',
    awaits_maintenance_end: incident.status === 'silenced',
    from_version: monitor.live_from_version,
  };
}
