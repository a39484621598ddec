import type { Actor } from '../actor.js';
import type { IncidentDocument } from '../incidents/documents.js';
import type { IncidentMessages, OutageIncidents, Timeline } from '../incidents/incidents.js';
import type { Transaction } from '../storage/transaction.js';
import { type Consequences, rememberedIncident } from './consequences.js';
import type { MonitorDocument, OutageMemory } from './documents.js';
import { monitorSubject } from './monitors.js';
import type { Verdict } from './verdict.js';
import type { VerdictStore } from './verdict-store.js';

/** Whether maintenance covers a check of the monitor that was due at `atMs`. */
export interface Maintenance {
  silences(workspaceId: string, monitorId: string, atMs: number): boolean;
}

/** Writes what a verdict does to the incident, in the transaction that holds the state. */
export interface OutageRecorder {
  record(tx: Transaction, monitor: MonitorDocument, verdict: Verdict, effects: Consequences): Promise<void>;
}

export function createOutageRecorder(deps: {
  store: Pick<VerdictStore, 'rememberIncident' | 'supersedeTold'>;
  incidents: OutageIncidents;
  messages: IncidentMessages;
  timeline: Timeline;
  /** Picket itself in that workspace. */
  systemActor(workspaceId: string): Actor;
}): OutageRecorder {
  const { store, incidents, messages } = deps;

  async function ensure(
    tx: Transaction,
    monitor: MonitorDocument,
    verdict: Verdict,
    how: { silent: boolean; afterGrace: boolean },
  ): Promise<void> {
    const subject = monitorSubject(monitor._id);
    const known = await incidents.unresolved(monitor.workspace_id, subject, tx);
    if (known !== null && known.kind === 'monitor') {
      return store.rememberIncident(tx, monitor, memoryOf(known, monitor));
    }
    if (known !== null) {
      await incidents.supersede(tx, monitor.workspace_id, subject, 'monitor');
      await store.supersedeTold(tx, monitor);
    }
    const nowMs = verdict.decision.evaluated_at_ms ?? 0;
    const firstFailedAtMs = verdict.decision.times.first_failed_at_ms ?? nowMs;
    const opened = await incidents.open(tx, {
      workspaceId: monitor.workspace_id,
      kind: 'monitor',
      subject,
      monitor: { id: monitor._id, name: monitor.name },
      resource: { type: 'monitor', id: monitor._id, name: monitor.name },
      severity: verdict.severity,
      message: messages[how.afterGrace ? 'stillDown' : 'down']({
        name: monitor.name,
        votes: verdict.votes,
        firstFailedAtMs,
      }),
      // The time before belongs to the incident that was resolved by hand.
      startedAtMs: how.afterGrace ? nowMs : firstFailedAtMs,
      decision: verdict.decision,
      channels: monitor.channels,
      runbookUrl: monitor.runbook_url,
      silent: how.silent,
    });
    if (opened !== null) await store.rememberIncident(tx, monitor, memoryOf(opened, monitor));
  }

  async function resolve(tx: Transaction, monitor: MonitorDocument, verdict: Verdict): Promise<void> {
    const subject = monitorSubject(monitor._id);
    const known = await incidents.unresolved(monitor.workspace_id, subject, tx);
    if (known === null || known.kind !== 'monitor') return;
    const nowMs = verdict.decision.evaluated_at_ms ?? 0;
    await incidents.resolveSubject(tx, deps.systemActor(monitor.workspace_id), {
      workspaceId: monitor.workspace_id,
      subject,
      resolution: 'recovered',
      message: messages.recovered({
        name: monitor.name,
        votes: verdict.votes,
        startedAtMs: known.started_at_ms,
        nowMs,
      }),
      recovery: verdict.decision,
    });
  }

  async function update(
    tx: Transaction,
    monitor: MonitorDocument,
    verdict: Verdict,
    effects: Consequences,
    memory: OutageMemory,
  ): Promise<void> {
    const target = { workspaceId: monitor.workspace_id, id: memory.id };
    const next = { ...memory };
    const firstFailedAtMs = verdict.decision.times.first_failed_at_ms ?? 0;
    const message = messages.down({ name: monitor.name, votes: verdict.votes, firstFailedAtMs });
    if (effects.severity !== null) {
      next.severity = effects.severity;
      const event = messages.nowCritical(verdict.votes);
      await incidents.changeSeverity(tx, target, { severity: effects.severity, message, event });
    }
    if (effects.unsilence) {
      next.awaits_maintenance_end = false;
      const event = messages.maintenanceEnded();
      const decision = withOpened(verdict.decision);
      await incidents.unsilence(tx, target, { message, event, decision });
    }
    await store.rememberIncident(tx, monitor, next);
  }

  async function noteStatus(tx: Transaction, monitor: MonitorDocument, verdict: Verdict): Promise<void> {
    const { status } = verdict.next;
    if (status === monitor.state.status) return;
    await deps.timeline.record(tx, {
      workspaceId: monitor.workspace_id,
      atMs: verdict.next.changed_at_ms,
      type: 'monitor.status_changed',
      resource: { type: 'monitor', id: monitor._id, name: monitor.name },
      message: `${monitor.name} is ${status}: ${verdict.decision.reason}.`,
      actor: 'system',
      metadata: { from: monitor.state.status, to: status },
    });
  }

  return {
    async record(tx, monitor, verdict, effects) {
      await noteStatus(tx, monitor, verdict);
      if (effects.ensure !== null) await ensure(tx, monitor, verdict, effects.ensure);
      if (effects.resolve) await resolve(tx, monitor, verdict);
      const memory = rememberedIncident(monitor);
      if (memory !== null && (effects.severity !== null || effects.unsilence)) {
        await update(tx, monitor, verdict, effects, memory);
      }
    },
  };
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
