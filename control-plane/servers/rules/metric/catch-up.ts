import type { Clock } from '../../../../kernel/clock.js';
import type { RuleIncidents } from '../../../incidents/incidents.js';
import type { AcceptedSample, MetricHistory, ServerFacts } from '../../servers.js';
import { metricSubject } from '../subjects.js';
import type { MetricRule } from './metric-rule.js';
import type { RuleProgress } from './rule-progress.js';
import { caughtUp, FRESH, meetsCondition, type Progress } from './transition.js';

/** A user or another control plane may resolve an incident, so an open one is read again after this time. */
const OPEN_KEPT_MS = 60_000;

export interface CatchUpNeeds {
  history: Pick<MetricHistory, 'raw'>;
  incidents: Pick<RuleIncidents, 'unresolvedAmong'>;
  clock: Clock;
}

/** The progress in memory. */
interface KnownProgress {
  /** Whether it includes all samples before the present one. Else only open incidents are taken from it. */
  isComplete: boolean;
  rules: ReadonlyMap<string, RuleProgress>;
}

/** Returns a function that returns the progress of each rule before a sample: from memory, or from history and incidents. */
export function createCatchUp({ history, incidents, clock }: CatchUpNeeds) {
  async function fromHistory({ rule, condition }: MetricRule, sample: AcceptedSample): Promise<Progress> {
    const value = sample.values.get(rule.metric);
    // Only a sample that meets the condition can fire the rule, and only together with those before it.
    if (value === undefined || !meetsCondition(value, condition) || condition.forMs === 0) return FRESH;
    const fromMs = sample.atMs - condition.forMs - condition.gapMs;
    return caughtUp(await history.raw(sample, rule.metric, fromMs, sample.atMs - 1), condition);
  }

  return async (
    rules: readonly MetricRule[],
    known: KnownProgress,
    server: ServerFacts,
    sample: AcceptedSample,
  ): Promise<Map<string, RuleProgress>> => {
    const nowMs = clock.monotonic();
    const progress = new Map<string, RuleProgress>();
    const unknown: MetricRule[] = [];
    for (const metric of rules) {
      const { _id, version } = metric.rule;
      const own = known.isComplete ? known.rules.get(_id) : undefined;
      const isOld = own?.progress.phase.state === 'firing' && nowMs - own.seenOpenMs > OPEN_KEPT_MS;
      if (own === undefined || own.version !== version || isOld) unknown.push(metric);
      else progress.set(_id, own);
    }
    if (unknown.length === 0) return progress;
    const subjects = unknown.map(({ rule }) => metricSubject(rule._id, server._id));
    const open = await incidents.unresolvedAmong(server.workspace_id, subjects);
    const openSubjects = new Set(open.map(({ subject }) => subject));
    for (const metric of unknown) {
      const { _id, version } = metric.rule;
      const own = known.rules.get(_id);
      const fresh = { version, missing: null, seenOpenMs: nowMs };
      if (!openSubjects.has(metricSubject(_id, server._id))) {
        progress.set(_id, { ...fresh, progress: await fromHistory(metric, sample) });
      } else if (own !== undefined && own.version === version && own.progress.phase.state === 'firing') {
        progress.set(_id, { ...own, seenOpenMs: nowMs });
      } else {
        progress.set(_id, { ...fresh, progress: { phase: { state: 'firing', clears: [] }, lastMs: null } });
      }
    }
    return progress;
  };
}
