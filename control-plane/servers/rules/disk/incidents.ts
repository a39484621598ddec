import type { Clock } from '../../../../kernel/clock.js';
import type { Actor } from '../../../actor.js';
import { type AlertRules, isInGrace, type MergedRules, mergeRules } from '../../../alert-rules/alert-rules.js';
import { type OpenIncident, RESOLVE_GRACE_MS, type RuleIncidents } from '../../../incidents/incidents.js';
import { isDuplicateKey, type RunTransaction } from '../../../storage/transaction.js';
import type { ServerDirectory, ServerFacts } from '../../servers.js';
import type { RuleDecisionRecord } from '../incident/decision-record.js';
import { serverMessages } from '../incident/messages.js';
import { rulesRecord, sampleRecords } from '../incident/rule-record.js';
import { appliesTo, type DiskFullRule, diskFullType } from '../rule-types.js';
import { diskSubject } from '../subjects.js';
import type { Trend } from './trend.js';

/** One file system of one server. */
export interface Disk {
  server: ServerFacts;
  mount: string;
}

/** The incident of a disk that fills up. */
export interface DiskIncidents {
  /** Opens it, or adds rules to it; `rules` are those that fire. */
  open(disk: Disk, rules: readonly DiskFullRule[], trend: Trend): Promise<void>;
  /** With `trend` null, the server no longer sends samples of the disk. */
  resolve(disk: Disk, trend: Trend | null): Promise<void>;
}

interface DiskIncidentsNeeds {
  alertRules: Pick<AlertRules, 'enabled' | 'join'>;
  servers: Pick<ServerDirectory, 'find'>;
  incidents: RuleIncidents;
  runTransaction: RunTransaction;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
}

export function createDiskIncidents(needs: DiskIncidentsNeeds): DiskIncidents {
  const { alertRules, servers, incidents, runTransaction, clock } = needs;
  return {
    async open({ server, mount }, rules, trend) {
      const { workspace_id: workspaceId, _id: serverId } = server;
      const subject = diskSubject(serverId, mount);
      if (isInGrace(await incidents.latest(workspaceId, subject), RESOLVE_GRACE_MS, clock.now())) return;
      const firing = new Map(rules.map((rule) => [rule._id, rule.version]));
      try {
        await runTransaction(async (tx) => {
          const present = await servers.find(workspaceId, serverId, tx);
          if (present === null) return;
          const unchanged = diskFullType
            .of(await alertRules.enabled(workspaceId, tx))
            .filter((rule) => firing.get(rule._id) === rule.version && appliesTo(rule, present));
          const due = mergeRules(unchanged);
          if (due === null) return;
          const known = await incidents.unresolved(workspaceId, subject, tx);
          if (known !== null) return alertRules.join(tx, known, unchanged);
          await incidents.open(tx, openingOf(due, { server: present, mount }, trend, clock.now()));
        });
      } catch (error) {
        // The previous owner of the lease opened the incident at the same time.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async resolve({ server, mount }, trend) {
      const { workspace_id: workspaceId } = server;
      const subject = diskSubject(server._id, mount);
      const message = serverMessages.diskRelieved({ server, mount, percent: trend?.percent ?? null });
      const resolution = trend === null ? 'gone' : 'recovered';
      const end = { workspaceId, subject, resolution, message, recovery: null };
      await runTransaction((tx) => incidents.resolveSubject(tx, needs.systemActor(workspaceId), end));
    },
  };
}

function openingOf(due: MergedRules<DiskFullRule>, { server, mount }: Disk, trend: Trend, nowMs: number): OpenIncident {
  const { percent, growth, isFull } = trend;
  return {
    workspaceId: server.workspace_id,
    kind: 'server',
    subject: diskSubject(server._id, mount),
    monitor: null,
    resource: { type: 'server', id: server._id, name: server.name },
    severity: due.severity,
    message: serverMessages.diskFull({
      ...{ server, mount, percent },
      hoursLeft: isFull ? null : (growth?.hoursLeft ?? null),
      pointsPerHour: growth?.pointsPerHour ?? 0,
    }),
    startedAtMs: nowMs,
    decision: decisionOf(due, mount, trend, nowMs),
    channels: due.channels,
    runbookUrl: null,
    tags: server.tags,
  };
}

function decisionOf(due: MergedRules<DiskFullRule>, mount: string, trend: Trend, nowMs: number): RuleDecisionRecord {
  const { percent, growth, isFull, observedHours, bins } = trend;
  const { rule, other_rules } = rulesRecord(due);
  const round = (value: number) => Math.round(value * 100) / 100;
  const forecast =
    growth === null
      ? null
      : {
          full_at_ms: Math.round(nowMs + growth.hoursLeft * 3_600_000),
          points_per_hour: round(growth.pointsPerHour),
          observed_hours: round(observedHours),
        };
  const rate = `${round(growth?.pointsPerHour ?? 0)} percentage points per hour over ${round(observedHours)} h`;
  return {
    rule: { ...rule, metric: `${rule.metric}:${mount}` },
    other_rules,
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
