import type { Clock, Timer } from '../../../../kernel/clock.js';
import type { Logger } from '../../../../kernel/logger.js';
import type { RuleReader } from '../../../alert-rules/alert-rules.js';
import type { AcceptedSample, MetricPoint, SampleListener, ServerFacts } from '../../servers.js';
import { appliesTo, metricType } from '../rule-types.js';
import { type CatchUpNeeds, createCatchUp } from './catch-up.js';
import type { MetricIncidents } from './incidents.js';
import { type MetricRule, metricRule } from './metric-rule.js';
import { createProgressCache, type ProgressCache, type RuleProgress } from './rule-progress.js';
import { createSampleQueues } from './sample-queues.js';
import type { ServerFactsCache } from './server-facts.js';
import { FRESH, transition } from './transition.js';

/** Evaluates metric rules for each sample. */
export interface MetricEvaluator extends SampleListener {
  /** Removes what is kept in memory of a server. */
  invalidate(serverId: string): void;
  start(): void;
  /** Resolves once every accepted sample is evaluated. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** With more intervals than this between two samples, another control plane may have received samples between them. */
const MISSED_INTERVALS = 1.5;
/** A sample that is older than the last one was sent twice, unless the server's clock was set back by more than this. */
const CLOCK_SET_BACK_MS = 60_000;
/** A series that is missing for this time while the server sends samples is gone: an unmounted disk. */
const GONE_MS = 300_000;
const GONE_SAMPLES = 3;
const PRUNE_MS = 600_000;

interface EvaluatorNeeds extends CatchUpNeeds {
  rules: Pick<RuleReader, 'cached'>;
  facts: ServerFactsCache;
  metricIncidents: MetricIncidents;
  clock: Clock;
  logger: Logger;
}

export function createMetricEvaluator(needs: EvaluatorNeeds): MetricEvaluator {
  const { clock, logger } = needs;
  const progress = createProgressCache(clock);
  const evaluate = createEvaluate(needs, progress);
  let timer: Timer | null = null;

  const queues = createSampleQueues(async (sample) => {
    try {
      await evaluate(sample);
    } catch (error) {
      // The next sample finds no progress and reads it from the history.
      progress.invalidate(sample.serverId);
      logger.warn(
        { err: error, server: sample.serverId },
        'failed to evaluate alert rules for a sample; the next sample evaluates them again',
      );
    }
  });

  return {
    accepted(samples) {
      for (const sample of samples) {
        if (!sample.late) queues.add(sample);
        else {
          const known = progress.known(sample.serverId);
          if (known !== null) known.lateSamples++;
        }
      }
    },
    invalidate: progress.invalidate,
    start() {
      timer = clock.every(PRUNE_MS, progress.prune);
    },
    idle: queues.idle,
    async stop() {
      timer?.cancel();
      await queues.idle();
    },
  };
}

/** Returns a function that evaluates one sample. It must not run twice at a time for the same server. */
function createEvaluate(needs: EvaluatorNeeds, cache: ProgressCache) {
  const { rules: reader, facts, clock } = needs;
  const catchUp = createCatchUp(needs);
  const step = createStep(needs);

  return async (sample: AcceptedSample): Promise<void> => {
    const { serverId, workspaceId, atMs } = sample;
    const enabled = metricType.of(await reader.cached(workspaceId));
    const server = enabled.length === 0 ? null : await facts.get(workspaceId, serverId);
    if (server === null) return cache.invalidate(serverId);
    const known = cache.of(serverId);
    const sinceMs = known.lastMs === null ? null : atMs - known.lastMs;
    if (sinceMs !== null && sinceMs <= 0 && sinceMs > -CLOCK_SET_BACK_MS) return;
    const { lateSamples } = known;
    const follows = sinceMs !== null && sinceMs > 0 && sinceMs <= MISSED_INTERVALS * server.report_interval_ms;
    const rules = enabled
      .filter((rule) => appliesTo(rule, server))
      .flatMap((rule) => metricRule(rule, server.report_interval_ms) ?? []);
    const isComplete = follows && lateSamples === known.includedLateSamples;
    const progress = await catchUp(rules, { isComplete, rules: known.rules }, server, sample);
    for (const rule of rules) {
      const before = progress.get(rule.rule._id);
      const after = before === undefined ? null : await step(rule, before, server, sample);
      if (after === null) progress.delete(rule.rule._id);
      else progress.set(rule.rule._id, after);
    }
    Object.assign(known, {
      rules: progress,
      lastMs: atMs,
      includedLateSamples: lateSamples,
      usedMs: clock.monotonic(),
    });
  };
}

/** Returns a function that returns a rule's progress after a sample; null when the progress must not be kept. */
function createStep({ metricIncidents: incidents, clock }: EvaluatorNeeds) {
  async function withoutValue(rule: MetricRule, known: RuleProgress, server: ServerFacts, atMs: number) {
    if (known.progress.phase.state !== 'firing') return known;
    const missing = { sinceMs: known.missing?.sinceMs ?? atMs, count: (known.missing?.count ?? 0) + 1 };
    if (missing.count < GONE_SAMPLES || atMs - missing.sinceMs < GONE_MS) return { ...known, missing };
    await incidents.resolveGone(rule, server);
    return { ...known, progress: FRESH, missing: null };
  }

  async function withValue(rule: MetricRule, known: RuleProgress, server: ServerFacts, point: MetricPoint) {
    const { progress, outcome } = transition(known.progress, point, rule.condition);
    const after = { ...known, progress, missing: null };
    if (outcome.kind === 'resolve') await incidents.resolve(rule, server, outcome.samples);
    if (outcome.kind !== 'fire') return after;
    const opened = await incidents.open(rule, server, outcome);
    if (opened === 'open') return { ...after, seenOpenMs: clock.monotonic() };
    if (opened === 'obsolete') return null;
    // The rule stays pending, so that the next sample tries to open the incident again.
    const pending = { ...rule.condition, forMs: Number.POSITIVE_INFINITY };
    return { ...after, progress: transition(known.progress, point, pending).progress };
  }

  return (rule: MetricRule, known: RuleProgress, server: ServerFacts, sample: AcceptedSample) => {
    const value = sample.values.get(rule.rule.metric);
    const { atMs } = sample;
    return value === undefined
      ? withoutValue(rule, known, server, atMs)
      : withValue(rule, known, server, { atMs, value });
  };
}
