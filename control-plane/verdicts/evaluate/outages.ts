import type { Actor } from '../../actor.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { OpenIncident, OutageIncidents, RaiseSeverity, Unsilence } from '../../incidents/incidents.js';
import type { OutageIncident } from '../../monitors/documents.js';
import { monitorSubject } from '../../monitors/monitors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { Timeline } from '../../timeline/timeline.js';
import type { IncidentMessages } from '../messages.js';
import { outageStart } from '../outage-start.js';
import type { VerdictStore } from '../store.js';
import { type Evaluation, type IncidentEffects, knownIncident } from './incident-effects.js';
import { downMessage, existingIncident, openingOf, statusChange, withOpenedTime } from './outage-incidents.js';

/** What a transaction reads before it writes the states. */
export interface OutagePlan {
  /** The unresolved incidents of the monitors, by subject. */
  unresolved: ReadonlyMap<string, IncidentDocument>;
  /** The new `incident` of a state, by monitor; only where it changes. */
  incidents: ReadonlyMap<string, OutageIncident>;
}

/**
 * Writes the effects of verdicts on incidents, in the transaction that writes the states. At most one evaluation per
 * monitor. The number of round trips hardly depends on the number of monitors.
 */
export interface OutageRecorder {
  /** Reads the unresolved incidents and chooses ids for new ones. Writes nothing. */
  plan(tx: Transaction, evaluations: readonly Evaluation[]): Promise<OutagePlan>;
  /** Writes the incidents. The states with the incidents of the plan are written already. */
  record(tx: Transaction, evaluations: readonly Evaluation[], plan: OutagePlan): Promise<void>;
}

interface OutageNeeds {
  store: Pick<VerdictStore, 'markSuperseded'>;
  incidents: OutageIncidents;
  messages: IncidentMessages;
  timeline: Timeline;
  /** Returns Picket itself as it acts in a workspace. */
  systemActor(workspaceId: string): Actor;
}

export function createOutageRecorder(needs: OutageNeeds): OutageRecorder {
  return {
    async plan(tx, evaluations) {
      const reading = evaluations.filter(({ effects }) => effects.ensure !== null || effects.resolve);
      const unresolved = reading.length === 0 ? new Map() : await unresolvedBySubject(needs, tx, reading);
      const incidents = evaluations.flatMap((evaluation) => {
        const incident = incidentAfter(needs, evaluation, unresolved);
        return incident === null ? [] : [[evaluation.monitor._id, incident] as const];
      });
      return { unresolved, incidents: new Map(incidents) };
    },
    async record(tx, evaluations, plan) {
      await needs.timeline.record(tx, evaluations.flatMap(statusChange));
      await openMissing(needs, tx, evaluations, plan);
      await resolveRecovered(needs, tx, evaluations, plan);
      await updateOpen(needs, tx, evaluations);
    },
  };
}

/** Returns the incident for the next state; null if it does not change. */
function incidentAfter(
  needs: OutageNeeds,
  { monitor, verdict, effects }: Evaluation,
  unresolved: OutagePlan['unresolved'],
): OutageIncident | null {
  if (effects.ensure !== null) {
    const existing = unresolved.get(monitorSubject(monitor._id));
    if (existing?.kind === 'monitor') return existingIncident(existing, monitor);
    const id = needs.incidents.nextId();
    const { severity } = verdict;
    const awaits_maintenance_end = effects.ensure.silencedBy !== null;
    return { id, severity, awaits_maintenance_end, from_version: monitor.live_from_version };
  }
  const known = knownIncident(monitor);
  if (known === null || !changesIncident(effects)) return null;
  const awaits_maintenance_end = known.awaits_maintenance_end && !effects.unsilence;
  return { ...known, severity: effects.severity ?? known.severity, awaits_maintenance_end };
}

function changesIncident(effects: IncidentEffects): boolean {
  return effects.severity !== null || effects.unsilence;
}

/** Opens an incident for each outage that needs one and has none. An incident about the certificate is superseded. */
async function openMissing(
  needs: OutageNeeds,
  tx: Transaction,
  evaluations: readonly Evaluation[],
  { unresolved, incidents }: OutagePlan,
): Promise<void> {
  const openings: OpenIncident[] = [];
  const superseded: { existing: IncidentDocument; monitor: Evaluation['monitor'] }[] = [];
  for (const evaluation of evaluations) {
    const { monitor } = evaluation;
    const existing = unresolved.get(monitorSubject(monitor._id));
    const incident = incidents.get(monitor._id);
    if (evaluation.effects.ensure === null || existing?.kind === 'monitor' || incident === undefined) continue;
    if (existing !== undefined) superseded.push({ existing, monitor });
    openings.push({ ...openingOf(needs.messages, evaluation), id: incident.id });
  }
  if (superseded.length > 0) {
    await needs.incidents.supersede(
      tx,
      superseded.map(({ existing }) => existing),
    );
    await needs.store.markSuperseded(
      tx,
      superseded.map(({ existing, monitor }) => ({ monitor, wasTold: !isSilencedByWindow(existing) })),
    );
  }
  if (openings.length > 0) await needs.incidents.openNew(tx, openings);
}

/** Nobody has been told of it, so the outage must not count as the end of what they know. */
function isSilencedByWindow({ status, maintenance }: IncidentDocument): boolean {
  return status === 'silenced' && maintenance != null;
}

async function resolveRecovered(
  needs: OutageNeeds,
  tx: Transaction,
  evaluations: readonly Evaluation[],
  { unresolved }: OutagePlan,
): Promise<void> {
  const recovered = evaluations.filter(({ effects }) => effects.resolve);
  if (recovered.length === 0) return;
  const inputs = recovered.flatMap(({ monitor, verdict }) => {
    const incident = unresolved.get(monitorSubject(monitor._id));
    if (incident?.kind !== 'monitor') return [];
    const message = needs.messages.recovered({
      name: monitor.name,
      votes: verdict.votes,
      startedAtMs: outageStart(incident.started_at_ms, verdict.decision),
      nowMs: verdict.decision.evaluated_at_ms ?? 0,
    });
    const actor = needs.systemActor(monitor.workspace_id);
    return [{ incident, actor, resolution: 'recovered', message, recovery: verdict.decision }];
  });
  await needs.incidents.resolveKnown(tx, inputs);
}

/** Updates incidents that stay open. */
async function updateOpen(needs: OutageNeeds, tx: Transaction, evaluations: readonly Evaluation[]): Promise<void> {
  const changing = evaluations.flatMap((evaluation) => {
    const known = knownIncident(evaluation.monitor);
    return known === null || !changesIncident(evaluation.effects) ? [] : [{ ...evaluation, known }];
  });
  if (changing.length === 0) return;
  const raised = changing.flatMap(({ monitor, verdict, effects, known }): RaiseSeverity[] => {
    if (effects.severity === null) return [];
    const event = needs.messages.nowCritical(verdict.decision);
    const message = downMessage(needs.messages, monitor, verdict);
    return [{ workspaceId: monitor.workspace_id, id: known.id, severity: effects.severity, message, event }];
  });
  await needs.incidents.raiseSeverities(tx, raised);
  const unsilenced = changing.flatMap(({ monitor, verdict, effects, known }): Unsilence[] => {
    if (!effects.unsilence) return [];
    const message = downMessage(needs.messages, monitor, verdict);
    const event = needs.messages.maintenanceEnded();
    const decision = withOpenedTime(verdict.decision);
    return [{ workspaceId: monitor.workspace_id, id: known.id, message, event, decision }];
  });
  await needs.incidents.unsilence(tx, unsilenced);
}

async function unresolvedBySubject(
  { incidents }: OutageNeeds,
  tx: Transaction,
  evaluations: readonly Evaluation[],
): Promise<Map<string, IncidentDocument>> {
  const subjects = evaluations.map(({ monitor }) => {
    return { workspaceId: monitor.workspace_id, subject: monitorSubject(monitor._id) };
  });
  const found = await incidents.unresolvedOf(tx, subjects);
  return new Map(found.map((incident) => [incident.subject, incident]));
}
