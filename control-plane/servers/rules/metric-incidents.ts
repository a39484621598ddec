import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { ruleSubject } from '../../alert-rules/alert-rules.js';
import { ruleRecord, sampleRecords } from '../../alert-rules/decision.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import { isInGrace } from '../../alert-rules/join.js';
import { matches } from '../../alert-rules/matching.js';
import type { MetricOfSeries } from '../../alert-rules/settings.js';
import type { AlertRuleStore } from '../../alert-rules/store.js';
import type { RuleDecisionRecord } from '../../incidents/documents.js';
import { RESOLVE_GRACE_MS, type RuleIncidents, type ServerMessages } from '../../incidents/incidents.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { MetricHistory, MetricPoint, ServerDirectory, ServerFacts } from '../servers.js';
import type { MetricRule } from './metric-rule.js';
import { type Outcome, wouldResolve } from './transition.js';

/**
 * - `open`: there is an incident, a new one or one that was there.
 * - `later`: somebody resolved it by hand, and its grace is not over.
 * - `void`: the rule or the server is not what it was when it was read.
 */
export type Opened = 'open' | 'later' | 'void';

/** What a metric rule does to the incident of one server. */
export interface MetricIncidents {
  open(rule: MetricRule, server: ServerFacts, fire: Extract<Outcome, { kind: 'fire' }>): Promise<Opened>;
  resolve(rule: MetricRule, server: ServerFacts, samples: readonly MetricPoint[]): Promise<void>;
  /** The server reports, but not this series any more. */
  resolveGone(rule: MetricRule, server: ServerFacts): Promise<void>;
}

export interface MetricIncidentDependencies {
  store: Pick<AlertRuleStore, 'find'>;
  servers: Pick<ServerDirectory, 'find'>;
  history: Pick<MetricHistory, 'raw'>;
  incidents: RuleIncidents;
  messages: ServerMessages;
  metricOfSeries: MetricOfSeries;
  runTransaction: RunTransaction;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
}

export function createMetricIncidents(deps: MetricIncidentDependencies): MetricIncidents {
  const { store, servers, incidents, messages, runTransaction, clock } = deps;
  const isMuted = createMute(deps);
  const spoken = createWords(deps);

  return {
    async open(metricRule, server, fire) {
      const { rule } = metricRule;
      const { _id: serverId } = server;
      if (await isMuted(metricRule, server)) return 'later';
      try {
        return await runTransaction(async (tx) => {
          const now = await store.find(rule.workspace_id, rule._id, tx);
          const there = await servers.find(rule.workspace_id, serverId, tx);
          const isVoid = now === null || there === null || now.version !== rule.version || !matches(rule, there);
          if (isVoid) return 'void';
          const { last, shared } = spoken(rule, fire.samples);
          await incidents.open(tx, {
            workspaceId: rule.workspace_id,
            kind: 'server',
            subject: ruleSubject(rule._id, serverId),
            monitor: null,
            resource: { type: 'server', id: serverId, name: there.name },
            severity: rule.severity,
            message: messages.breached({ server: there, ...shared, sinceMs: fire.sinceMs }),
            startedAtMs: fire.sinceMs,
            decision: fired(rule, fire, last, clock.now()),
            channels: rule.channels,
            runbookUrl: null,
            silent: false,
          });
          return 'open';
        });
      } catch (error) {
        // Another control plane was told the same and was first.
        if (isDuplicateKey(error)) return 'open';
        throw error;
      }
    },
    async resolve({ rule }, server, samples) {
      const { last, shared } = spoken(rule, samples);
      await runTransaction(async (tx) => {
        const subject = ruleSubject(rule._id, server._id);
        const open = await incidents.unresolved(rule.workspace_id, subject, tx);
        if (open === null) return;
        const there = (await servers.find(rule.workspace_id, server._id, tx)) ?? server;
        await incidents.resolveSubject(tx, deps.systemActor(rule.workspace_id), {
          workspaceId: rule.workspace_id,
          subject,
          resolution: 'recovered',
          message: messages.cleared({ server: there, ...shared, startedAtMs: open.started_at_ms }),
          recovery: recovered(rule, samples, last, { nowMs: clock.now(), sinceMs: open.started_at_ms }),
        });
      });
    },
    async resolveGone({ rule }, server) {
      await runTransaction((tx) =>
        incidents.resolveSubject(tx, deps.systemActor(rule.workspace_id), {
          workspaceId: rule.workspace_id,
          subject: ruleSubject(rule._id, server._id),
          resolution: 'gone',
          message: messages.gone({ server, series: rule.metric }),
          recovery: null,
        }),
      );
    },
  };
}

/** Whether a person resolved it a short time ago, and no samples since then would have ended it anyhow. */
function createMute({ history, incidents, clock }: MetricIncidentDependencies) {
  return async ({ rule, condition }: MetricRule, server: ServerFacts): Promise<boolean> => {
    const latest = await incidents.latest(rule.workspace_id, ruleSubject(rule._id, server._id));
    if (latest === null || !isInGrace(latest, RESOLVE_GRACE_MS, clock.now())) return false;
    const identity = { workspaceId: rule.workspace_id, serverId: server._id };
    const since = await history.raw(identity, rule.metric, latest.resolved_at_ms ?? 0, clock.now());
    return !wouldResolve(since, condition);
  };
}

/** The newest sample, and what its sentence is made of. */
function createWords({ metricOfSeries, clock }: MetricIncidentDependencies) {
  return (rule: AlertRuleDocument, samples: readonly MetricPoint[]) => {
    const last = samples.at(-1) ?? { atMs: clock.now(), value: 0 };
    const unit = metricOfSeries(rule.metric)?.unit ?? 'count';
    const said = { name: rule.name, operator: rule.operator ?? '', threshold: rule.threshold ?? 0 };
    return { last, shared: { rule: said, series: rule.metric, unit, value: last.value, atMs: last.atMs } };
  };
}

function fired(
  rule: AlertRuleDocument,
  fire: Extract<Outcome, { kind: 'fire' }>,
  last: MetricPoint,
  nowMs: number,
): RuleDecisionRecord {
  const seconds = Math.round((last.atMs - fire.sinceMs) / 1_000);
  const condition = `${rule.metric} ${rule.operator} ${rule.threshold}`;
  return {
    rule: ruleRecord(rule),
    other_rules: [],
    samples: sampleRecords(fire.samples),
    value: last.value,
    forecast: null,
    reason:
      fire.count === 1
        ? `${condition} in one sample`
        : `${condition} in each of ${fire.count} samples over ${seconds} s`,
    times: {
      breaching_since_ms: fire.sinceMs,
      evaluated_at_ms: nowMs,
      opened_at_ms: null,
      recovered_at_ms: null,
    },
  };
}

function recovered(
  rule: AlertRuleDocument,
  samples: readonly MetricPoint[],
  last: MetricPoint,
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): RuleDecisionRecord {
  return {
    rule: ruleRecord(rule),
    other_rules: [],
    samples: sampleRecords(samples),
    value: last.value,
    forecast: null,
    reason: `not ${rule.metric} ${rule.operator} ${rule.threshold} in ${samples.length} samples in a row`,
    times: {
      breaching_since_ms: sinceMs,
      evaluated_at_ms: nowMs,
      opened_at_ms: null,
      recovered_at_ms: samples[0]?.atMs ?? nowMs,
    },
  };
}
