import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { offlineSubject } from '../../alert-rules/alert-rules.js';
import { otherRules, ruleRecord } from '../../alert-rules/decision.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import { isInGrace, joinIncident } from '../../alert-rules/join.js';
import { type Merged, matches, merged } from '../../alert-rules/matching.js';
import type { RuleDecisionRecord } from '../../incidents/documents.js';
import { RESOLVE_GRACE_MS, type RuleIncidents, type ServerMessages } from '../../incidents/incidents.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ServerDocument } from '../documents.js';

/** What rules of the type `server_offline` do to the incident of a server. */
export interface OfflineIncidents {
  /** Opens it, or puts rules on it, for a server that is offline; `rules` are those of its workspace. */
  open(tx: Transaction, server: ServerDocument, rules: readonly AlertRuleDocument[]): Promise<void>;
  resolve(tx: Transaction, server: ServerDocument, atMs: number): Promise<void>;
}

/** Rules for which a server that is offline has been so for long enough. Pure. */
export function dueOfflineRules(
  rules: readonly AlertRuleDocument[],
  server: Pick<ServerDocument, '_id' | 'tags' | 'status' | 'status_changed_at_ms'>,
  nowMs: number,
): AlertRuleDocument[] {
  if (server.status !== 'offline') return [];
  const offlineMs = nowMs - server.status_changed_at_ms;
  return rules.filter(
    (rule) =>
      rule.type === 'server_offline' &&
      rule.enabled &&
      matches(rule, server) &&
      offlineMs >= (rule.for_seconds ?? 0) * 1_000,
  );
}

export function createOfflineIncidents(deps: {
  incidents: RuleIncidents;
  messages: ServerMessages;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
}): OfflineIncidents {
  const { incidents, messages, clock } = deps;

  /** Somebody resolved it by hand, and the server has not been back since. */
  async function isMuted(server: ServerDocument): Promise<boolean> {
    const latest = await incidents.latest(server.workspace_id, offlineSubject(server._id));
    if (!isInGrace(latest, RESOLVE_GRACE_MS, clock.now())) return false;
    return server.status_changed_at_ms <= (latest?.resolved_at_ms ?? 0);
  }

  return {
    async open(tx, server, rules) {
      const due = merged(dueOfflineRules(rules, server, clock.now()));
      if (due === null) return;
      const subject = offlineSubject(server._id);
      const known = await incidents.unresolved(server.workspace_id, subject, tx);
      if (known !== null) return joinIncident(deps, tx, known, [due.leading, ...due.others]);
      if (await isMuted(server)) return;
      const heardAtMs = server.live?.received_at_ms ?? null;
      await incidents.open(tx, {
        workspaceId: server.workspace_id,
        kind: 'server',
        subject,
        monitor: null,
        resource: { type: 'server', id: server._id, name: server.name },
        severity: due.severity,
        message: messages.offline({ server, heardAtMs, atMs: clock.now() }),
        startedAtMs: heardAtMs ?? server.status_changed_at_ms,
        decision: decisionOf(due, server, clock.now()),
        channels: due.channels,
        runbookUrl: null,
        silent: false,
      });
    },
    async resolve(tx, server, atMs) {
      const subject = offlineSubject(server._id);
      const known = await incidents.unresolved(server.workspace_id, subject, tx);
      if (known === null) return;
      await incidents.resolveSubject(tx, deps.systemActor(server.workspace_id), {
        workspaceId: server.workspace_id,
        subject,
        resolution: 'recovered',
        message: messages.online({ server, startedAtMs: known.started_at_ms, atMs }),
        recovery: null,
      });
    },
  };
}

function decisionOf(due: Merged, server: ServerDocument, nowMs: number): RuleDecisionRecord {
  const heardAtMs = server.live?.received_at_ms ?? null;
  const seconds = Math.round((nowMs - (heardAtMs ?? server.status_changed_at_ms)) / 1_000);
  return {
    rule: ruleRecord(due.leading),
    other_rules: otherRules(due),
    samples: [],
    value: null,
    forecast: null,
    reason: `no report for ${seconds} s, one is due each ${server.report_interval_ms / 1_000} s`,
    times: {
      breaching_since_ms: heardAtMs ?? server.status_changed_at_ms,
      evaluated_at_ms: nowMs,
      opened_at_ms: null,
      recovered_at_ms: null,
    },
  };
}
