import { type Actor, platformActor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { alertEvent } from './audited.js';
import { FIRING, SYSTEM } from './change.js';
import type { IncidentDocument } from './documents.js';
import type {
  OutageIncidents,
  RaiseSeverity,
  ResolveIncident,
  ResolveKnownIncident,
  RuleIncidents,
  Unsilence,
} from './incidents.js';
import type { IncidentNeeds, OpeningNeeds } from './needs.js';
import { onTimeline } from './on-timeline.js';
import { openIncidents, openNewIncidents } from './open-incidents.js';
import { heldEvent, holdsNow, silentRecord } from './silence/hold.js';
import { personalSilence } from './silence/personal-silence.js';

/**
 * Changes incidents. Each change writes its notifications and its timeline entry in the transaction of the caller, and
 * each resolution and each end of a silence its audit entry.
 */
export function createIncidents(needs: OpeningNeeds): OutageIncidents & RuleIncidents {
  const { store } = needs;
  return {
    async open(tx, input) {
      const [opened] = await openIncidents(needs, tx, [input]);
      return opened ?? null;
    },
    nextId: () => needs.ids.next('inc'),
    openAll: (tx, inputs) => openIncidents(needs, tx, inputs),
    async openNew(tx, inputs) {
      await openNewIncidents(needs, tx, inputs);
    },
    async resolveSubject(tx, actor, input) {
      const [resolved] = await resolveIncidents(needs, tx, [{ ...input, actor }]);
      return resolved ?? null;
    },
    async resolveAll(tx, inputs) {
      await resolveIncidents(needs, tx, inputs);
    },
    async resolveKnown(tx, inputs) {
      await resolveKnownIncidents(needs, tx, inputs);
    },
    unresolved: (workspaceId, subject, tx) => store.unresolved(workspaceId, subject, tx),
    unresolvedAmong: (workspaceId, subjects) => store.unresolvedOfRules(workspaceId, subjects),
    unresolvedWithPrefix: (workspaceId, prefix, tx) => store.unresolvedWithPrefix(workspaceId, prefix, tx),
    latest: (workspaceId, subject) => store.latest(workspaceId, subject),
    unresolvedOfRules: (workspaceId, tx) => store.unresolvedOfRules(workspaceId, null, tx),
    workspacesWithRuleIncidents: store.workspacesWithRuleIncidents,
    widen: (tx, incident, to) => widen(needs, tx, incident, to),
    unresolvedOf: (tx, subjects) => store.unresolvedOf(tx, subjects),
    raiseSeverities: (tx, raised) => raiseSeverities(needs, tx, raised),
    unsilence: (tx, silenced) => unsilence(needs, tx, silenced),
    supersede: (tx, incidents) => supersede(needs, tx, incidents),
  };
}

/** Resolves the unresolved incidents of the subjects. Skips subjects without one. */
async function resolveIncidents(
  needs: IncidentNeeds,
  tx: Transaction,
  inputs: readonly (ResolveIncident & { actor: Actor })[],
): Promise<IncidentDocument[]> {
  const unresolved = new Map(
    (await needs.store.unresolvedOf(tx, inputs)).map((incident) => [
      `${incident.workspace_id} ${incident.subject}`,
      incident,
    ]),
  );
  const known = inputs.flatMap(({ workspaceId, subject, ...input }) => {
    const incident = unresolved.get(`${workspaceId} ${subject}`);
    return incident === undefined ? [] : [{ ...input, incident }];
  });
  return resolveKnownIncidents(needs, tx, known);
}

async function resolveKnownIncidents(
  needs: IncidentNeeds,
  tx: Transaction,
  inputs: readonly ResolveKnownIncident[],
): Promise<IncidentDocument[]> {
  const { store, clock } = needs;
  const nowMs = clock.now();
  const resolved = await store.changeAll(
    tx,
    inputs.map(({ incident, actor, resolution, message, recovery }) => ({
      incident,
      change: { status: 'resolved', resolution, resolved_at_ms: nowMs, message, recovery },
      event: { at_ms: nowMs, type: 'resolved', message, actor: actor.email },
    })),
  );
  await needs.notifier.enqueue(tx, resolved, 'resolved');
  await onTimeline(needs, tx, resolved);
  const actors = new Map(inputs.map(({ incident, actor }) => [incident._id, actor]));
  await needs.audit.recordAll(
    tx,
    resolved.map((incident) => ({
      actor: actors.get(incident._id) ?? platformActor(incident.workspace_id),
      event: alertEvent('alert.resolved', incident),
    })),
  );
  return resolved;
}

async function raiseSeverities(needs: IncidentNeeds, tx: Transaction, raised: readonly RaiseSeverity[]): Promise<void> {
  const { store, clock } = needs;
  const found = new Map((await store.findMany(raised, tx)).map((incident) => [incident._id, incident]));
  const changes = raised.flatMap(({ id, severity, message, event }) => {
    const incident = found.get(id);
    if (incident?.open !== true) return [];
    const changed = { at_ms: clock.now(), type: 'severity_changed' as const, message: event, actor: SYSTEM };
    return [{ incident, change: { severity, message }, event: changed }];
  });
  await onTimeline(needs, tx, await store.changeAll(tx, changes));
}

type Change = Parameters<IncidentNeeds['store']['changeAll']>[1][number];

async function unsilence(needs: OpeningNeeds, tx: Transaction, silenced: readonly Unsilence[]): Promise<void> {
  const { store, clock } = needs;
  const found = new Map((await store.findMany(silenced, tx)).map((incident) => [incident._id, incident]));
  const holds = await holdsNow(needs, tx, [...found.values()], clock.now());
  const changes = silenced.flatMap(({ id, message, event, decision }): Change[] => {
    const incident = found.get(id);
    // If a person also silenced the incident, the end of the maintenance window must not unsilence it.
    if (incident?.open !== true || incident.status !== 'silenced' || personalSilence(incident) !== null) return [];
    const hold = holds.get(incident) ?? null;
    if (hold !== null) {
      const silent = { ...decision, silent: silentRecord(hold, clock.now()) };
      const change = { maintenance: null, dependency: hold, message, decision: silent };
      return [{ incident, change, event: heldEvent(hold, clock.now()) }];
    }
    const change = { ...FIRING, message, decision };
    const unsilenced = { at_ms: clock.now(), type: 'unsilenced' as const, message: event, actor: SYSTEM };
    return [{ incident, change, event: unsilenced }];
  });
  const changed = await store.changeAll(tx, changes);
  const fired = changed.filter(({ status }) => status === 'firing');
  await needs.audit.recordAll(
    tx,
    fired.map((incident) => {
      return { actor: platformActor(incident.workspace_id), event: alertEvent('alert.unsilenced', incident) };
    }),
  );
  await needs.notifier.enqueue(tx, fired, 'opened');
  await onTimeline(needs, tx, changed);
}

async function supersede(needs: IncidentNeeds, tx: Transaction, incidents: readonly IncidentDocument[]): Promise<void> {
  const nowMs = needs.clock.now();
  const message = 'Another incident replaced it.';
  const superseded = await needs.store.changeAll(
    tx,
    incidents.map((incident) => ({
      incident,
      change: { status: 'resolved', resolution: 'superseded', resolved_at_ms: nowMs },
      event: { at_ms: nowMs, type: 'superseded', message, actor: SYSTEM },
    })),
  );
  await needs.notifier.enqueue(tx, superseded, 'resolved');
  await needs.audit.recordAll(
    tx,
    superseded.map((incident) => {
      return { actor: platformActor(incident.workspace_id), event: alertEvent('alert.resolved', incident) };
    }),
  );
  await onTimeline(needs, tx, superseded);
}

async function widen(
  needs: IncidentNeeds,
  tx: Transaction,
  incident: Parameters<RuleIncidents['widen']>[1],
  { event, ...change }: Parameters<RuleIncidents['widen']>[2],
): Promise<void> {
  const historyEvent = { at_ms: needs.clock.now(), type: 'widened' as const, message: event, actor: SYSTEM };
  const target = { workspaceId: incident.workspace_id, id: incident._id };
  const widened = await needs.store.change(tx, target, change, historyEvent);
  if (widened === null) return;
  // Channels that were notified before are not notified again.
  await needs.notifier.enqueue(tx, [widened], 'opened');
  await onTimeline(needs, tx, [widened]);
}
