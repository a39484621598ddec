import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { diskSubject } from '../../alert-rules/alert-rules.js';
import { otherRules, ruleRecord, sampleRecords } from '../../alert-rules/decision.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import { isInGrace, joinIncident } from '../../alert-rules/join.js';
import { type Merged, matches, merged } from '../../alert-rules/matching.js';
import type { AlertRuleStore } from '../../alert-rules/store.js';
import type { RuleDecisionRecord } from '../../incidents/documents.js';
import { RESOLVE_GRACE_MS, type RuleIncidents, type ServerMessages } from '../../incidents/incidents.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { ServerDirectory, ServerFacts } from '../servers.js';
import type { Trend } from './trend.js';

/** One file system of one server. */
export interface Disk {
  server: ServerFacts;
  mount: string;
}

/** What rules of the type `disk_full` do to the incident of a disk. */
export interface DiskIncidents {
  /** Opens it, or puts rules on it; `rules` are those whose time has come. */
  open(disk: Disk, rules: readonly AlertRuleDocument[], trend: Trend): Promise<void>;
  /** `trend` null: the disk is no longer reported. */
  resolve(disk: Disk, trend: Trend | null): Promise<void>;
}

export function createDiskIncidents(deps: {
  store: Pick<AlertRuleStore, 'enabled'>;
  servers: Pick<ServerDirectory, 'find'>;
  incidents: RuleIncidents;
  messages: ServerMessages;
  runTransaction: RunTransaction;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
}): DiskIncidents {
  const { store, servers, incidents, messages, runTransaction, clock } = deps;

  return {
    async open({ server, mount }, rules, trend) {
      const { workspace_id: workspaceId, _id: serverId } = server;
      const subject = diskSubject(serverId, mount);
      if (isInGrace(await incidents.latest(workspaceId, subject), RESOLVE_GRACE_MS, clock.now())) return;
      const wanted = new Map(rules.map((rule) => [rule._id, rule.version]));
      try {
        await runTransaction(async (tx) => {
          const there = await servers.find(workspaceId, serverId, tx);
          if (there === null) return;
          const now = (await store.enabled(workspaceId, tx)).filter(
            (rule) => wanted.get(rule._id) === rule.version && matches(rule, there),
          );
          const due = merged(now);
          if (due === null) return;
          const known = await incidents.unresolved(workspaceId, subject, tx);
          if (known !== null) return joinIncident(deps, tx, known, now);
          const { percent, growth } = trend;
          const nowMs = clock.now();
          await incidents.open(tx, {
            workspaceId,
            kind: 'server',
            subject,
            monitor: null,
            resource: { type: 'server', id: serverId, name: there.name },
            severity: due.severity,
            message: messages.diskFull({
              ...{ server: there, mount, percent },
              hoursLeft: trend.isFull ? null : (growth?.hoursLeft ?? null),
              pointsPerHour: growth?.pointsPerHour ?? 0,
            }),
            startedAtMs: nowMs,
            decision: decisionOf(due, mount, trend, nowMs),
            channels: due.channels,
            runbookUrl: null,
            silent: false,
          });
        });
      } catch (error) {
        // Whoever had the lease before was about to do the same.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async resolve({ server, mount }, trend) {
      await runTransaction((tx) =>
        incidents.resolveSubject(tx, deps.systemActor(server.workspace_id), {
          workspaceId: server.workspace_id,
          subject: diskSubject(server._id, mount),
          resolution: trend === null ? 'gone' : 'recovered',
          message: messages.diskRelieved({ server, mount, percent: trend?.percent ?? null }),
          recovery: null,
        }),
      );
    },
  };
}

function decisionOf(due: Merged, mount: string, trend: Trend, nowMs: number): RuleDecisionRecord {
  const { percent, growth, isFull, observedHours, bins } = trend;
  const rule = ruleRecord(due.leading);
  const round = (value: number) => Math.round(value * 100) / 100;
  const forecast =
    growth === null
      ? null
      : {
          full_at_ms: Math.round(nowMs + growth.hoursLeft * 3_600_000),
          points_per_hour: round(growth.pointsPerHour),
          observed_hours: round(observedHours),
        };
  const rate = `${round(growth?.pointsPerHour ?? 0)} points an hour over ${round(observedHours)} h`;
  return {
    rule: { ...rule, metric: `${rule.metric}:${mount}` },
    other_rules: otherRules(due),
    samples: sampleRecords(bins.map(({ atMs, value }) => ({ atMs, value: round(value) }))),
    value: round(percent),
    forecast,
    reason: isFull ? `${round(percent)} % full` : `${round(percent)} % full and rising by ${rate}`,
    times: {
      breaching_since_ms: null,
      evaluated_at_ms: nowMs,
      opened_at_ms: null,
      recovered_at_ms: null,
    },
  };
}
