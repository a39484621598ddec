import type { Clock } from '../../../kernel/clock.js';
import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import type { Logger } from '../../../kernel/logger.js';
import { waitAtMost } from '../../../kernel/wait-at-most.js';
import type { Maintenance } from '../../maintenance/maintenance.js';
import type { MonitorDocument } from '../../monitors/documents.js';
import type { ProbeCommands } from '../../nodes/nodes.js';
import { isSlowness, type RunTransaction } from '../../storage/transaction.js';
import type { VoteRecord } from '../decision-record.js';
import type { LocationHealth } from '../locations/health.js';
import { verdict } from '../rule/verdict.js';
import { StatesTimeout, type VerdictStore } from '../store.js';
import type { Evaluator } from '../verdicts.js';
import { type Evaluation, hasNoEffects, incidentEffects } from './incident-effects.js';
import { createKeyedQueue } from './keyed-queue.js';
import { createLockedMonitors, isLock } from './locked-monitors.js';
import type { OutageRecorder } from './outages.js';
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

/**
 * After a failure, a group is divided into this many, three of which are written at a time: a monitor that fails is found
 * after two divisions, and keeps few others waiting.
 */
const PARTS = 7;
const PARTS_AT_A_TIME = 3;

/** After this many conflicts in a row, a single monitor is left to the sweep. */
const SINGLE_TRIES_MAX = 10;

/** What waits for a locked monitor is left to the sweeps of other control planes, or to those after the next start. */
const STOP_MS_MAX = 1_000;

export function createEvaluator(needs: EvaluatorNeeds): Evaluator {
  const evaluateOne = createEvaluateOne(needs);
  const locked = createLockedMonitors(needs, evaluateAll);
  const queue = createKeyedQueue(QUEUE_LIMITS, async (ids) => evaluateAll(locked.setApart(ids)));
  const reevaluation = createReevaluation(needs, queue.run);
  const settle = createSettle(needs, evaluateOne, reevaluation.schedule);

  /** Resolves to the errors by monitor. A monitor that fails does not affect the others. */
  async function evaluateAll(ids: readonly string[]): Promise<Map<string, unknown>> {
    const isSingle = ids.length === 1;
    let left = ids;
    let [parts, atATime] = [2, 1];
    try {
      left = await settle(ids, isSingle ? SINGLE_TRIES_MAX : GROUP_TRIES_MAX);
    } catch (error) {
      const found = isLock(error) ? await locked.among(ids) : new Set<string>();
      const errors = new Map([...found].map((id) => [id, error]));
      if (found.size > 0) {
        const others = ids.filter((id) => !found.has(id));
        return new Map([...errors, ...(await evaluateAll(others))]);
      }
      if (isSingle) return new Map(ids.map((id) => [id, error]));
      needs.logger.warn({ err: error, monitors: ids.length }, 'evaluation of a group failed; evaluating its parts');
      // Several parts at a time would make a slow database slower.
      if (!isSlowness(error)) [parts, atATime] = [PARTS, PARTS_AT_A_TIME];
    }
    if (isSingle && left.length > 0) {
      needs.logger.warn({ monitor: left[0] }, 'evaluation stopped after write conflicts; the next sweep repeats it');
    }
    if (isSingle || left.length === 0) return new Map();
    return evaluateParts(inParts(left, parts), atATime);
  }

  async function evaluateParts(parts: readonly (readonly string[])[], atATime: number): Promise<Map<string, unknown>> {
    const errors = new Map<string, unknown>();
    let slowness: unknown = null;
    await inParallel(parts, atATime, async (part) => {
      const failed = slowness === null ? await evaluateAll(part) : new Map(part.map((id) => [id, slowness]));
      for (const [id, error] of failed) errors.set(id, error);
      // Where even one monitor takes too long, so would the others.
      if (part.every((id) => isSlowness(failed.get(id)))) slowness = failed.get(part[0] ?? '');
    });
    return errors;
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
      await waitAtMost(needs.clock, STOP_MS_MAX, queue.idle().then(locked.idle));
    },
  };
}

/** Divides the ids into at most `parts` groups of about the same size. */
function inParts(ids: readonly string[], parts: number): (readonly string[])[] {
  const size = Math.ceil(ids.length / parts);
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, part) => ids.slice(part * size, (part + 1) * size));
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
    const { _id: id, workspace_id: workspaceId, tags } = monitor;
    const covering = (slotMs: number) => maintenance.covering({ workspaceId, type: 'monitor', id, tags }, slotMs);
    return { monitor, verdict: current, effects: incidentEffects(monitor, current, covering, nowMs) };
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
      const written = new Set(outcomes.flatMap((one) => [...writtenBy(one)]));
      for (const evaluation of evaluations) if (written.has(evaluation.monitor._id)) follow(evaluation);
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      left = evaluations.map(({ monitor }) => monitor._id).filter((id) => !written.has(id));
    }
    return left;
  };
}

function writtenBy(outcome: PromiseSettledResult<ReadonlySet<string>>): ReadonlySet<string> {
  if (outcome.status === 'fulfilled') return outcome.value;
  return outcome.reason instanceof StatesTimeout ? outcome.reason.written : new Set();
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
