import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { MonitorDocument } from '../../monitors/documents.js';
import type { ProbeCommands } from '../../nodes/nodes.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { VoteRecord } from '../decision-record.js';
import type { LocationHealth } from '../locations/health.js';
import { verdict } from '../rule/verdict.js';
import type { VerdictStore } from '../store.js';
import type { Evaluator } from '../verdicts.js';
import { type Evaluation, hasNoEffects, incidentEffects } from './incident-effects.js';
import { createKeyedQueue } from './keyed-queue.js';
import type { Maintenance, OutageRecorder } from './outages.js';
import { requestChecks } from './request-checks.js';
import { createWriteEvaluations, isSameState } from './write.js';

interface EvaluatorNeeds {
  clock: Clock;
  logger: Logger;
  store: VerdictStore;
  runTransaction: RunTransaction;
  health: LocationHealth;
  commands: ProbeCommands;
  maintenance: Maintenance;
  outages: OutageRecorder;
  /** Called after the commit when a monitor has recovered. The call is lost if the process dies before it. */
  recovered(monitorId: string): void;
}

/**
 * Waiting monitors are evaluated together: one read, one write, and one transaction for their incidents. The number of
 * monitors is limited because new results of a monitor wait for its transaction; the number of runs is limited because
 * what arrives while a monitor waits is evaluated with it.
 */
const QUEUE_LIMITS = { runsMax: 2, keysMax: 50 };

/** After this many conflicts in a row, a group of monitors is split in half. */
const GROUP_TRIES_MAX = 3;

/** After this many conflicts in a row, a single monitor is left to the sweep. */
const SINGLE_TRIES_MAX = 10;

export function createEvaluator(needs: EvaluatorNeeds): Evaluator {
  const evaluateOne = createEvaluateOne(needs);
  const queue = createKeyedQueue(QUEUE_LIMITS, evaluateAll);
  const reevaluation = createReevaluation(needs, queue.run);
  const settle = createSettle(needs, evaluateOne, reevaluation.schedule);

  /** Resolves to the errors by monitor. A monitor that fails does not affect the others. */
  async function evaluateAll(ids: readonly string[]): Promise<Map<string, unknown>> {
    const isSingle = ids.length === 1;
    let left = ids;
    try {
      left = await settle(ids, isSingle ? SINGLE_TRIES_MAX : GROUP_TRIES_MAX);
    } catch (error) {
      if (isSingle) return new Map(ids.map((id) => [id, error]));
      needs.logger.warn({ err: error, monitors: ids.length }, 'evaluation of a group failed; evaluating its halves');
    }
    if (isSingle && left.length > 0) {
      needs.logger.warn({ monitor: left[0] }, 'evaluation stopped after write conflicts; the next sweep repeats it');
    }
    if (isSingle || left.length === 0) return new Map();
    const middle = Math.ceil(left.length / 2);
    const first = await evaluateAll(left.slice(0, middle));
    return left.length === 1 ? first : new Map([...first, ...(await evaluateAll(left.slice(middle)))]);
  }

  return {
    async evaluate(monitorIds) {
      const outcomes = await Promise.allSettled([...new Set(monitorIds)].map((id) => queue.run(id)));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
    isDue(monitor) {
      const evaluation = evaluateOne(monitor);
      const { next, votes } = evaluation.verdict;
      const isSpotCheckDue = next.status === 'up' && votes.some((vote) => needsSpotCheck(vote, needs.health));
      return isSpotCheckDue || !hasNoEffects(evaluation.effects) || !isSameState(monitor.state, next);
    },
    async stop() {
      reevaluation.stop();
      await queue.idle();
    },
  };
}

/** A quarantined location is known to be broken, and its canary targets or its failures tell when it works again. */
function needsSpotCheck({ doubted, location }: VoteRecord, health: Pick<LocationHealth, 'isQuarantined'>): boolean {
  return doubted === true && !health.isQuarantined(location);
}

type EvaluateOne = (monitor: MonitorDocument) => Evaluation;

/** Returns a function that evaluates a monitor in memory. */
function createEvaluateOne({
  clock,
  health,
  maintenance,
}: Pick<EvaluatorNeeds, 'clock' | 'health' | 'maintenance'>): EvaluateOne {
  return (monitor) => {
    const nowMs = clock.now();
    const current = verdict(monitor, settingsOf(monitor), health, nowMs);
    const isSilenced = (slotMs: number) => maintenance.silences(monitor.workspace_id, monitor._id, slotMs);
    return { monitor, verdict: current, effects: incidentEffects(monitor, current, isSilenced, nowMs) };
  };
}

/** Returns a function that reads, evaluates and writes monitors. It resolves to those with a conflict each time. */
function createSettle(
  needs: EvaluatorNeeds,
  evaluateOne: EvaluateOne,
  reevaluate: (monitorId: string, delayMs: number) => void,
) {
  const write = createWriteEvaluations(needs);

  /** Acts on a verdict whose state is written. */
  function follow({ monitor, verdict: { decision, next, requests, votes, reevaluateAtMs } }: Evaluation): void {
    const nowMs = decision.evaluated_at_ms ?? needs.clock.now();
    requestChecks(needs.commands, monitor._id, requests, nowMs);
    if (next.status === 'up') {
      for (const vote of votes) if (needsSpotCheck(vote, needs.health)) needs.health.spotCheck(vote.location);
    }
    if (reevaluateAtMs !== null) reevaluate(monitor._id, reevaluateAtMs - nowMs);
    if (monitor.state.status === 'down' && next.status === 'up') needs.recovered(monitor._id);
  }

  return async (ids: readonly string[], triesMax: number): Promise<readonly string[]> => {
    let left = ids;
    for (let attempt = 0; attempt < triesMax && left.length > 0; attempt++) {
      const found = await needs.store.loadMany(left);
      const evaluations = found.filter((monitor) => monitor.paused_at_ms === null).map(evaluateOne);
      const outcomes = await Promise.allSettled(write(evaluations));
      const written = new Set(outcomes.flatMap((one) => (one.status === 'fulfilled' ? [...one.value] : [])));
      for (const evaluation of evaluations) if (written.has(evaluation.monitor._id)) follow(evaluation);
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      left = evaluations.map(({ monitor }) => monitor._id).filter((id) => !written.has(id));
    }
    return left;
  };
}

/** Evaluates monitors again at the end of a wait. The sweep would do it too, up to a second later. */
function createReevaluation(
  { clock, logger }: Pick<EvaluatorNeeds, 'clock' | 'logger'>,
  run: (monitorId: string) => Promise<void>,
) {
  const timers = new Map<string, { cancel(): void }>();
  return {
    schedule(id: string, delayMs: number): void {
      if (timers.has(id)) return;
      const timer = clock.after(Math.ceil(delayMs), () => {
        timers.delete(id);
        run(id).catch((error: unknown) =>
          logger.warn({ err: error, monitor: id }, 'evaluation of a monitor failed; the next sweep repeats it'),
        );
      });
      timers.set(id, timer);
    },
    stop(): void {
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
    },
  };
}

function settingsOf(monitor: MonitorDocument) {
  return {
    assigned: monitor.locations.length,
    confirmations: monitor.confirmations,
    retries: monitor.retries,
    interval_seconds: monitor.interval_seconds,
    timeout_ms: monitor.timeout_ms,
  };
}
