import type { Clock } from '../../../../kernel/clock.js';
import type { Actor } from '../../../actor.js';
import { isInGrace, type RuleReader } from '../../../alert-rules/alert-rules.js';
import { type OpenIncident, RESOLVE_GRACE_MS, type RuleIncidents } from '../../../incidents/incidents.js';
import { isDuplicateKey, type RunTransaction } from '../../../storage/transaction.js';
import { metricOfSeries } from '../../samples/metrics.js';
import type { MetricHistory, MetricPoint, ServerDirectory, ServerFacts } from '../../servers.js';
import { operatorSymbol } from '../fields.js';
import { type MetricCondition, serverMessages } from '../incident/messages.js';
import { appliesTo, type MetricRuleDocument } from '../rule-types.js';
import { metricSubject } from '../subjects.js';
import { firedDecision, recoveredDecision } from './decision.js';
import type { MetricRule } from './metric-rule.js';
import { type Outcome, wouldResolve } from './transition.js';

/**
 * - `open`: the incident is open, as a new one or as one that was open already.
 * - `later`: a user resolved the incident, and its grace period has not ended.
 * - `obsolete`: the rule or the server has changed since it was read.
 */
export type Opened = 'open' | 'later' | 'obsolete';

type Fire = Extract<Outcome, { kind: 'fire' }>;

/** The incident of a metric rule and a server. */
export interface MetricIncidents {
  open(rule: MetricRule, server: ServerFacts, fire: Fire): Promise<Opened>;
  resolve(rule: MetricRule, server: ServerFacts, samples: readonly MetricPoint[]): Promise<void>;
  /** Resolves it because the server no longer sends samples of the series. */
  resolveGone(rule: MetricRule, server: ServerFacts): Promise<void>;
}

interface MetricIncidentsNeeds {
  rules: Pick<RuleReader, 'find'>;
  servers: Pick<ServerDirectory, 'find'>;
  history: Pick<MetricHistory, 'raw'>;
  incidents: RuleIncidents;
  runTransaction: RunTransaction;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
}

export function createMetricIncidents(needs: MetricIncidentsNeeds): MetricIncidents {
  return {
    open: (rule, server, fire) => open(needs, rule, server, fire),
    resolve: (rule, server, samples) => resolve(needs, rule, server, samples),
    async resolveGone({ rule }, server) {
      const { workspace_id: workspaceId, metric: series } = rule;
      const subject = metricSubject(rule._id, server._id);
      const message = serverMessages.gone({ server, series });
      const end = { workspaceId, subject, resolution: 'gone', message, recovery: null };
      await needs.runTransaction((tx) => needs.incidents.resolveSubject(tx, needs.systemActor(workspaceId), end));
    },
  };
}

async function open(
  needs: MetricIncidentsNeeds,
  metricRule: MetricRule,
  server: ServerFacts,
  fire: Fire,
): Promise<Opened> {
  const { rules, servers, incidents, clock } = needs;
  const { rule } = metricRule;
  if (await isMuted(needs, metricRule, server)) return 'later';
  try {
    return await needs.runTransaction(async (tx) => {
      const stored = await rules.find(rule.workspace_id, rule._id, tx);
      const present = await servers.find(rule.workspace_id, server._id, tx);
      const isObsolete =
        stored === null || present === null || stored.version !== rule.version || !appliesTo(rule, present);
      if (isObsolete) return 'obsolete';
      await incidents.open(tx, openingOf(rule, present, fire, clock.now()));
      return 'open';
    });
  } catch (error) {
    // Another control plane evaluated a sample of the server and opened the incident first.
    if (isDuplicateKey(error)) return 'open';
    throw error;
  }
}

function openingOf(
  rule: MetricRuleDocument,
  server: Pick<ServerFacts, '_id' | 'name' | 'tags'>,
  fire: Fire,
  nowMs: number,
): OpenIncident {
  const last = lastOf(fire.samples, nowMs);
  const { sinceMs } = fire;
  const condition = conditionOf(rule, last.value);
  return {
    workspaceId: rule.workspace_id,
    kind: 'server',
    subject: metricSubject(rule._id, server._id),
    monitor: null,
    resource: { type: 'server', id: server._id, name: server.name },
    severity: rule.severity,
    message: serverMessages.breached({ server, rule: rule.name, condition, sinceMs, atMs: last.atMs }),
    startedAtMs: sinceMs,
    decision: firedDecision(rule, fire, last, nowMs),
    channels: rule.channels,
    runbookUrl: null,
    tags: server.tags,
  };
}

async function resolve(
  { servers, incidents, runTransaction, systemActor, clock }: MetricIncidentsNeeds,
  { rule }: MetricRule,
  server: ServerFacts,
  samples: readonly MetricPoint[],
): Promise<void> {
  const { workspace_id: workspaceId } = rule;
  await runTransaction(async (tx) => {
    const subject = metricSubject(rule._id, server._id);
    const known = await incidents.unresolved(workspaceId, subject, tx);
    if (known === null) return;
    const nowMs = clock.now();
    const last = lastOf(samples, nowMs);
    const startedAtMs = known.started_at_ms;
    const present = (await servers.find(workspaceId, server._id, tx)) ?? server;
    await incidents.resolveSubject(tx, systemActor(workspaceId), {
      ...{ workspaceId, subject },
      resolution: 'recovered',
      message: serverMessages.cleared({
        server: present,
        condition: conditionOf(rule, last.value),
        ...{ startedAtMs, atMs: last.atMs },
      }),
      recovery: recoveredDecision(rule, samples, last, { nowMs, sinceMs: startedAtMs }),
    });
  });
}

/** Whether a user resolved the incident within the grace period, and no samples since then would have resolved it. */
async function isMuted(
  { incidents, history, clock }: MetricIncidentsNeeds,
  { rule, condition }: MetricRule,
  server: ServerFacts,
): Promise<boolean> {
  const latest = await incidents.latest(rule.workspace_id, metricSubject(rule._id, server._id));
  if (latest === null || !isInGrace(latest, RESOLVE_GRACE_MS, clock.now())) return false;
  const identity = { workspaceId: rule.workspace_id, serverId: server._id };
  const since = await history.raw(identity, rule.metric, latest.resolved_at_ms ?? 0, clock.now());
  return !wouldResolve(since, condition);
}

function lastOf(samples: readonly MetricPoint[], nowMs: number): MetricPoint {
  return samples.at(-1) ?? { atMs: nowMs, value: 0 };
}

function conditionOf({ metric, operator, threshold }: MetricRuleDocument, value: number): MetricCondition {
  const unit = metricOfSeries(metric)?.unit ?? 'count';
  return { series: metric, unit, operator: operatorSymbol(operator) ?? '', threshold: threshold ?? 0, value };
}
