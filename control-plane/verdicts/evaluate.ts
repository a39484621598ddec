import { isDeepStrictEqual } from 'node:util';
import type { Clock, Timer } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { MonitorDocument, VerdictState } from '../monitors/documents.js';
import type { ProbeCommands } from '../nodes/nodes.js';
import { isDuplicateKey, type RunTransaction } from '../storage/transaction.js';
import { askForChecks } from './confirm.js';
import { consequences, isNothing, type Judgement } from './consequences.js';
import { createKeyedQueue } from './keyed-queue.js';
import type { LocationHealth } from './locations/health.js';
import type { Maintenance, OutagePlan, OutageRecorder } from './outage.js';
import type { StateWrite, VerdictStore } from './store.js';
import { verdict } from './verdict.js';

/** Brings monitors' states and incidents in line with their newest results. */
export interface Evaluator {
  /** Each of them is judged on what is stored now; throws when one of them could not be. */
  evaluate(monitorIds: readonly string[]): Promise<void>;
  /** Whether a monitor as it was just read needs `evaluate`. Decides nothing. */
  isDue(monitor: MonitorDocument): boolean;
  /** Ends its timers and resolves when nothing is being judged. */
  stop(): Promise<void>;
}

export interface EvaluatorDependencies {
  clock: Clock;
  logger: Logger;
  store: VerdictStore;
  runTransaction: RunTransaction;
  health: LocationHealth;
  commands: ProbeCommands;
  maintenance: Maintenance;
  outages: OutageRecorder;
  /** The monitor came up; called after the commit, and lost when the process dies then. */
  recovered(monitorId: string): void;
}

/**
 * Monitors that wait are judged together: read at once, written at once, their incidents in one transaction. Not
 * more of them, because results of monitors that a transaction holds have to wait for it; not more runs, because
 * what comes while a monitor waits is judged with it.
 */
const QUEUE_LIMITS = { runsMax: 2, keysMax: 50 };

/** Monitors that others change under our hands so often in a row are judged in smaller groups. */
const TOGETHER_TRIES_MAX = 3;

/** A state that changes under our hands this often in a row is left to the sweep. */
const TRIES_MAX = 10;

export function createEvaluator(deps: EvaluatorDependencies): Evaluator {
  const { clock, logger, health } = deps;
  const write = createJudgementWriter(deps);
  const again = new Map<string, Timer>();
  const queue = createKeyedQueue(QUEUE_LIMITS, judgeAll);

  function judge(monitor: MonitorDocument): Judgement {
    const nowMs = clock.now();
    const judged = verdict(monitor, settingsOf(monitor), health, nowMs);
    const isSilenced = (slotMs: number) => deps.maintenance.silences(monitor.workspace_id, monitor._id, slotMs);
    return { monitor, verdict: judged, effects: consequences(monitor, judged, isSilenced, nowMs) };
  }

  /** Resolves what went wrong, by monitor. One that cannot be judged keeps none of the others from it. */
  async function judgeAll(ids: readonly string[]): Promise<Map<string, unknown>> {
    const alone = ids.length === 1;
    let left = ids;
    try {
      left = await settle(ids, alone ? TRIES_MAX : TOGETHER_TRIES_MAX);
    } catch (error) {
      if (alone) return new Map(ids.map((id) => [id, error]));
      logger.warn({ err: error, monitors: ids.length }, 'monitors could not be judged together; now in halves');
    }
    if (alone && left.length > 0) {
      logger.warn({ monitor: left[0] }, 'evaluation gave way to others; the sweep will look again');
    }
    if (alone || left.length === 0) return new Map();
    const middle = Math.ceil(left.length / 2);
    const first = await judgeAll(left.slice(0, middle));
    return left.length === 1 ? first : new Map([...first, ...(await judgeAll(left.slice(middle)))]);
  }

  /** Reads, judges and writes; resolves those that others were quicker with each time. */
  async function settle(ids: readonly string[], triesMax: number): Promise<readonly string[]> {
    let left = ids;
    for (let attempt = 0; attempt < triesMax && left.length > 0; attempt++) {
      const found = await deps.store.loadMany(left);
      const judgements = found.filter((monitor) => monitor.paused_at_ms === null).map(judge);
      const outcomes = await Promise.allSettled(write(judgements));
      const stands = new Set(outcomes.flatMap((one) => (one.status === 'fulfilled' ? [...one.value] : [])));
      for (const judgement of judgements) if (stands.has(judgement.monitor._id)) follow(judgement);
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      left = judgements.map(({ monitor }) => monitor._id).filter((id) => !stands.has(id));
    }
    return left;
  }

  function follow({ monitor, verdict }: Judgement): void {
    const nowMs = verdict.decision.evaluated_at_ms ?? clock.now();
    askForChecks(deps.commands, monitor._id, verdict.wants, nowMs);
    if (verdict.next.status === 'up') {
      for (const vote of verdict.votes) if (vote.doubted === true) health.sound(vote.location);
    }
    if (verdict.wants.againAtMs !== null) lookAgain(monitor._id, verdict.wants.againAtMs - nowMs);
    if (monitor.state.status === 'down' && verdict.next.status === 'up') deps.recovered(monitor._id);
  }

  /** The sweep would see it too, up to a second later. */
  function lookAgain(id: string, delayMs: number): void {
    if (again.has(id)) return;
    const timer = clock.after(Math.ceil(delayMs), () => {
      again.delete(id);
      queue.run(id).catch((error: unknown) => logger.warn({ err: error, monitor: id }, 'evaluation failed'));
    });
    again.set(id, timer);
  }

  return {
    async evaluate(monitorIds) {
      const outcomes = await Promise.allSettled([...new Set(monitorIds)].map((id) => queue.run(id)));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
    isDue(monitor) {
      const judgement = judge(monitor);
      const doubted = judgement.verdict.next.status === 'up' && judgement.verdict.votes.some((vote) => vote.doubted);
      return doubted || !isNothing(judgement.effects) || !isSame(monitor.state, judgement.verdict.next);
    },
    async stop() {
      for (const timer of again.values()) timer.cancel();
      again.clear();
      await queue.idle();
    },
  };
}

/** Ends a transaction: a rival wrote one of the states. */
class Overtaken extends Error {}

/** Each resolves monitors whose judgement stands now; of those in none of them what was judged is no longer so. */
type WriteJudgements = (judgements: readonly Judgement[]) => Promise<ReadonlySet<string>>[];

function createJudgementWriter({
  store,
  runTransaction,
  outages,
}: Pick<EvaluatorDependencies, 'store' | 'runTransaction' | 'outages'>): WriteJudgements {
  /** All of them or none: each state with its incident, its outbox rows and its line on the timeline. */
  async function writeWithIncidents(judgements: readonly Judgement[]): Promise<ReadonlySet<string>> {
    if (judgements.length === 0) return new Set();
    try {
      return await runTransaction(async (tx) => {
        const plan = await outages.plan(tx, judgements);
        // Before anything else is written, so that rivals collide here and not halfway through an incident.
        const writes = judgements.map((judgement) => writeOf(judgement, plan.memories));
        const written = await store.writeStates(tx, writes);
        if (written.size < judgements.length) throw new Overtaken();
        await outages.record(tx, judgements, plan);
        return written;
      });
    } catch (error) {
      // Or a rival opened an incident of a subject between our snapshot and our insert.
      if (error instanceof Overtaken || isDuplicateKey(error)) return new Set();
      throw error;
    }
  }

  return (judgements) => {
    const same = new Set<string>();
    const moved: StateWrite[] = [];
    const grave: Judgement[] = [];
    for (const judgement of judgements) {
      const { monitor, verdict, effects } = judgement;
      if (!isNothing(effects)) grave.push(judgement);
      else if (isSame(monitor.state, verdict.next)) same.add(monitor._id);
      else moved.push(writeOf(judgement));
    }
    return [Promise.resolve(same), store.writeStates(null, moved), writeWithIncidents(grave)];
  };
}

function writeOf({ monitor, verdict, effects }: Judgement, memories?: OutagePlan['memories']): StateWrite {
  const incident = memories?.get(monitor._id);
  const next = incident === undefined ? verdict.next : { ...verdict.next, incident };
  return { monitor, next, graceUntilMs: effects.graceUntilMs };
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

/** Whether a write would change nothing. A member that is absent is as good as empty. */
function isSame(a: VerdictState, b: VerdictState): boolean {
  return isDeepStrictEqual(complete(a), complete(b));
}

function complete(state: VerdictState): VerdictState {
  return { failing: {}, recovery_mark_ms: null, recheck_at_ms: null, confirm: null, incident: null, ...state };
}
