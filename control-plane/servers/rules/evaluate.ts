import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { ruleSubject } from '../../alert-rules/alert-rules.js';
import { matches } from '../../alert-rules/matching.js';
import type { RuleCache } from '../../alert-rules/rule-cache.js';
import type { RuleIncidents } from '../../incidents/incidents.js';
import type { AcceptedReport, MetricHistory, MetricPoint, ReportListener, ServerFacts } from '../servers.js';
import { createMemories, type Memories, type RuleMemory } from './memory.js';
import type { MetricIncidents } from './metric-incidents.js';
import { type MetricRule, metricRule } from './metric-rule.js';
import { createReportLanes } from './sample-lanes.js';
import type { ServerFactsCache } from './server-facts.js';
import { caughtUp, FRESH, isBroken, type Progress, transition } from './transition.js';

/** Holds the rules of the type `metric` against each report. */
export interface MetricEvaluator extends ReportListener {
  /** What is remembered of the server is of no use any more. */
  forget(serverId: string): void;
  start(): void;
  /** Resolves once every report that was accepted has been looked at. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** More than so many intervals between two reports, and the ones between may have gone to another control plane. */
const MISSED_INTERVALS = 1.5;
/** A report from before the last one is one that was sent again, unless the server's clock was set back. */
const CLOCK_SET_BACK_MS = 60_000;
/** An incident may be resolved by a person, or by another control plane. */
const LOOK_OPEN_MS = 60_000;
/** A series that stays away so long, while the server reports, is gone for good: an unmounted disk. */
const GONE_MS = 300_000;
const GONE_REPORTS = 3;
const PRUNE_MS = 600_000;

interface EvaluatorDependencies {
  cache: Pick<RuleCache, 'get'>;
  facts: ServerFactsCache;
  history: Pick<MetricHistory, 'raw'>;
  open: Pick<RuleIncidents, 'unresolvedAmong'>;
  incidents: MetricIncidents;
  clock: Clock;
  logger: Logger;
}

export function createMetricEvaluator(deps: EvaluatorDependencies): MetricEvaluator {
  const { clock, logger } = deps;
  const memories = createMemories(clock);
  const evaluate = createEvaluate(deps, memories);
  let timer: Timer | null = null;

  const lanes = createReportLanes(async (report) => {
    try {
      await evaluate(report);
    } catch (error) {
      // The next report finds nothing remembered, and reads what there is.
      memories.forget(report.serverId);
      logger.warn({ err: error, server: report.serverId }, 'alert rules could not be held against a report');
    }
  });

  return {
    accepted(reports) {
      for (const report of reports) {
        if (!report.late) lanes.add(report);
        else {
          const memory = memories.known(report.serverId);
          if (memory !== null) memory.doubts++;
        }
      }
    },
    forget: memories.forget,
    start() {
      timer = clock.every(PRUNE_MS, memories.prune);
    },
    idle: lanes.idle,
    async stop() {
      timer?.cancel();
      await lanes.idle();
    },
  };
}

/** Holds one report against the rules; no two of a server at the same time. */
function createEvaluate(deps: EvaluatorDependencies, memories: Memories) {
  const { cache, facts, clock } = deps;
  const catchUp = createCatchUp(deps);
  const step = createStep(deps);

  return async (report: AcceptedReport): Promise<void> => {
    const { serverId, workspaceId, atMs } = report;
    const enabled = (await cache.get(workspaceId)).filter(({ type }) => type === 'metric');
    const server = enabled.length === 0 ? null : await facts.get(workspaceId, serverId);
    if (server === null) return memories.forget(serverId);
    const memory = memories.of(serverId);
    const sinceMs = memory.lastMs === null ? null : atMs - memory.lastMs;
    if (sinceMs !== null && sinceMs <= 0 && sinceMs > -CLOCK_SET_BACK_MS) return;
    const { doubts } = memory;
    const follows = sinceMs !== null && sinceMs > 0 && sinceMs <= MISSED_INTERVALS * server.report_interval_ms;
    const rules = enabled
      .filter((rule) => matches(rule, server))
      .flatMap((rule) => metricRule(rule, server.report_interval_ms) ?? []);
    const before = follows && doubts === memory.settled ? memory.rules : new Map<string, RuleMemory>();
    const known = await catchUp(rules, before, memory.rules, server, report);
    for (const rule of rules) {
      const its = known.get(rule.rule._id);
      const after = its === undefined ? null : await step(rule, its, server, report);
      if (after === null) known.delete(rule.rule._id);
      else known.set(rule.rule._id, after);
    }
    Object.assign(memory, { rules: known, lastMs: atMs, settled: doubts, usedMs: clock.monotonic() });
  };
}

/** Where each rule stands before the report: as remembered, or as history and open incidents have it. */
function createCatchUp({ history, open, clock }: EvaluatorDependencies) {
  async function fromHistory({ rule, condition }: MetricRule, report: AcceptedReport): Promise<Progress> {
    const value = report.values.get(rule.metric);
    // Only a sample that breaks the rule can fire, and only together with those before it.
    if (value === undefined || !isBroken(value, condition) || condition.forMs === 0) return FRESH;
    const fromMs = report.atMs - condition.forMs - condition.gapMs;
    return caughtUp(await history.raw(report, rule.metric, fromMs, report.atMs - 1), condition);
  }

  return async (
    rules: readonly MetricRule[],
    remembered: ReadonlyMap<string, RuleMemory>,
    /** The same but doubtful: good for what an open incident does not say. */
    doubtful: ReadonlyMap<string, RuleMemory>,
    server: ServerFacts,
    report: AcceptedReport,
  ): Promise<Map<string, RuleMemory>> => {
    const nowMs = clock.monotonic();
    const known = new Map<string, RuleMemory>();
    const unknown: MetricRule[] = [];
    for (const metric of rules) {
      const { _id, version } = metric.rule;
      const memory = remembered.get(_id);
      const isOld = memory?.progress.phase.state === 'firing' && nowMs - memory.seenOpenMs > LOOK_OPEN_MS;
      if (memory === undefined || memory.version !== version || isOld) unknown.push(metric);
      else known.set(_id, memory);
    }
    if (unknown.length === 0) return known;
    const subjects = unknown.map(({ rule }) => ruleSubject(rule._id, server._id));
    const found = new Set((await open.unresolvedAmong(server.workspace_id, subjects)).map(({ subject }) => subject));
    for (const metric of unknown) {
      const { _id, version } = metric.rule;
      const before = doubtful.get(_id);
      if (!found.has(ruleSubject(_id, server._id))) {
        const progress = await fromHistory(metric, report);
        known.set(_id, { version, progress, missing: null, seenOpenMs: nowMs });
      } else if (before?.version === version && before.progress.phase.state === 'firing') {
        known.set(_id, { ...before, seenOpenMs: nowMs });
      } else {
        const progress: Progress = { phase: { state: 'firing', clears: [] }, lastMs: null };
        known.set(_id, { version, progress, missing: null, seenOpenMs: nowMs });
      }
    }
    return known;
  };
}

/** Takes the report's sample; null when nothing should be remembered. */
function createStep({ incidents, clock }: EvaluatorDependencies) {
  async function withoutSample(rule: MetricRule, memory: RuleMemory, server: ServerFacts, atMs: number) {
    if (memory.progress.phase.state !== 'firing') return memory;
    const missing = { sinceMs: memory.missing?.sinceMs ?? atMs, count: (memory.missing?.count ?? 0) + 1 };
    if (missing.count < GONE_REPORTS || atMs - missing.sinceMs < GONE_MS) return { ...memory, missing };
    await incidents.resolveGone(rule, server);
    return { ...memory, progress: FRESH, missing: null };
  }

  async function withSample(rule: MetricRule, memory: RuleMemory, server: ServerFacts, sample: MetricPoint) {
    const { progress, outcome } = transition(memory.progress, sample, rule.condition);
    const after = { ...memory, progress, missing: null };
    if (outcome.kind === 'resolve') await incidents.resolve(rule, server, outcome.samples);
    if (outcome.kind !== 'fire') return after;
    const opened = await incidents.open(rule, server, outcome);
    if (opened === 'open') return { ...after, seenOpenMs: clock.monotonic() };
    if (opened === 'void') return null;
    // It stays pending, and asks again with the next sample.
    const patient = { ...rule.condition, forMs: Number.POSITIVE_INFINITY };
    return { ...after, progress: transition(memory.progress, sample, patient).progress };
  }

  return (rule: MetricRule, memory: RuleMemory, server: ServerFacts, report: AcceptedReport) => {
    const value = report.values.get(rule.rule.metric);
    const { atMs } = report;
    return value === undefined
      ? withoutSample(rule, memory, server, atMs)
      : withSample(rule, memory, server, { atMs, value });
  };
}
