import type { Actor } from '../../../actor.js';
import { type AlertRules, isInGrace, type MergedRules, mergeRules } from '../../../alert-rules/alert-rules.js';
import type { AlertRuleDocument } from '../../../alert-rules/documents.js';
import { type OpenIncident, RESOLVE_GRACE_MS, type RuleIncidents } from '../../../incidents/incidents.js';
import type { Transaction } from '../../../storage/transaction.js';
import type { ServerDocument } from '../../documents.js';
import { heardAtMs } from '../../live-store.js';
import type { RuleDecisionRecord } from '../incident/decision-record.js';
import { serverMessages } from '../incident/messages.js';
import { rulesRecord } from '../incident/rule-record.js';
import { appliesTo, type OfflineRule, offlineType } from '../rule-types.js';
import { offlineSubject } from '../subjects.js';

/** The incident of an offline server. */
export interface OfflineIncidents {
  /**
   * Opens it, or adds rules to it, if the server is offline for long enough at `nowMs`, the time of the database.
   * `rules` are those of its workspace.
   */
  open(tx: Transaction, server: ServerDocument, rules: readonly AlertRuleDocument[], nowMs: number): Promise<void>;
  resolve(tx: Transaction, server: ServerDocument, atMs: number): Promise<void>;
}

interface OfflineIncidentsNeeds {
  alertRules: Pick<AlertRules, 'join'>;
  incidents: RuleIncidents;
  systemActor(workspaceId: string): Actor;
}

/** Returns the rules that fire: the server has been offline for as long as they require. */
export function dueOfflineRules(
  rules: readonly AlertRuleDocument[],
  server: Pick<ServerDocument, '_id' | 'tags' | 'status' | 'status_changed_at_ms'>,
  nowMs: number,
): OfflineRule[] {
  if (server.status !== 'offline') return [];
  const offlineMs = nowMs - server.status_changed_at_ms;
  return offlineType
    .of(rules)
    .filter((rule) => rule.enabled && appliesTo(rule, server) && offlineMs >= (rule.for_seconds ?? 0) * 1_000);
}

export function createOfflineIncidents(needs: OfflineIncidentsNeeds): OfflineIncidents {
  const { alertRules, incidents, systemActor } = needs;

  /** Whether a user resolved the incident within the grace period, and the server has been offline since. */
  async function isMuted(server: ServerDocument, nowMs: number): Promise<boolean> {
    const latest = await incidents.latest(server.workspace_id, offlineSubject(server._id));
    if (!isInGrace(latest, RESOLVE_GRACE_MS, nowMs)) return false;
    return server.status_changed_at_ms <= (latest?.resolved_at_ms ?? 0);
  }

  return {
    async open(tx, server, rules, nowMs) {
      const due = mergeRules(dueOfflineRules(rules, server, nowMs));
      if (due === null) return;
      const known = await incidents.unresolved(server.workspace_id, offlineSubject(server._id), tx);
      if (known !== null) return alertRules.join(tx, known, [due.leading, ...due.others]);
      if (await isMuted(server, nowMs)) return;
      await incidents.open(tx, openingOf(due, server, nowMs));
    },
    async resolve(tx, server, atMs) {
      const { workspace_id: workspaceId } = server;
      const subject = offlineSubject(server._id);
      const known = await incidents.unresolved(workspaceId, subject, tx);
      if (known === null) return;
      const message = serverMessages.online({ server, startedAtMs: known.started_at_ms, atMs });
      const end = { workspaceId, subject, resolution: 'recovered', message, recovery: null };
      await incidents.resolveSubject(tx, systemActor(workspaceId), end);
    },
  };
}

function openingOf(due: MergedRules<OfflineRule>, server: ServerDocument, nowMs: number): OpenIncident {
  const heardMs = heardAtMs(server);
  return {
    workspaceId: server.workspace_id,
    kind: 'server',
    subject: offlineSubject(server._id),
    monitor: null,
    resource: { type: 'server', id: server._id, name: server.name },
    severity: due.severity,
    message: serverMessages.offline({ server, heardAtMs: heardMs, atMs: nowMs }),
    startedAtMs: heardMs ?? server.status_changed_at_ms,
    decision: decisionOf(due, server, nowMs),
    channels: due.channels,
    runbookUrl: null,
    tags: server.tags,
    followsParents: true,
  };
}

function decisionOf(due: MergedRules<OfflineRule>, server: ServerDocument, nowMs: number): RuleDecisionRecord {
  const silentSinceMs = heardAtMs(server) ?? server.status_changed_at_ms;
  const seconds = Math.round((nowMs - silentSinceMs) / 1_000);
  return {
    ...rulesRecord(due),
    samples: [],
    value: null,
    forecast: null,
    reason: `no sample for ${seconds} s; one is due every ${server.report_interval_ms / 1_000} s`,
    times: {
      breaching_since_ms: silentSinceMs,
      evaluated_at_ms: nowMs,
      opened_at_ms: null,
      recovered_at_ms: null,
    },
  };
}
