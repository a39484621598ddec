import { isDeepStrictEqual } from 'node:util';
import type { Clock, Timer } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { ProbeCommands } from '../nodes/nodes.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../storage/transaction.js';
import { askForChecks } from './confirm.js';
import { type Consequences, consequences, isNothing } from './consequences.js';
import type { MonitorDocument, VerdictState } from './documents.js';
import { createKeyedQueue } from './keyed-queue.js';
import type { LocationHealth } from './location-health.js';
import type { Maintenance, OutageRecorder } from './outage.js';
import { type Verdict, verdict } from './verdict.js';
import type { VerdictStore } from './verdict-store.js';

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

/** Evaluations at the same time, so that a failure of everything leaves connections for everything else. */
const EVALUATIONS_MAX = 16;

/** A state that changes under our hands this often in a row is left to the sweep. */
const TRIES_MAX = 10;

interface Judgement {
  monitor: MonitorDocument;
  verdict: Verdict;
  effects: Consequences;
  nowMs: number;
}

export function createEvaluator(deps: EvaluatorDependencies): Evaluator {
  const { clock, store, health } = deps;
  const again = new Map<string, Timer>();
  const queue = createKeyedQueue(EVALUATIONS_MAX, evaluateOne);

  function judge(monitor: MonitorDocument): Judgement {
    const nowMs = clock.now();
    const judged = verdict(monitor, settingsOf(monitor), health, nowMs);
    const isSilenced = (slotMs: number) => deps.maintenance.silences(monitor.workspace_id, monitor._id, slotMs);
    return { monitor, verdict: judged, effects: consequences(monitor, judged, isSilenced, nowMs), nowMs };
  }

  async function evaluateOne(id: string): Promise<void> {
    for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
      const monitor = await store.load(id);
      if (monitor === null || monitor.paused_at_ms !== null) return;
      const judgement = judge(monitor);
      if (await write(judgement)) return follow(judgement);
    }
    deps.logger.warn({ monitor: id }, 'evaluation gave way to others; the sweep will look again');
  }

  /** false: someone else was first, what was judged is no longer so. */
  async function write({ monitor, verdict, effects }: Judgement): Promise<boolean> {
    if (isNothing(effects)) {
      return isSame(monitor.state, verdict.next) || store.writeState(null, monitor, verdict.next, undefined);
    }
    try {
      return await deps.runTransaction((tx) => writeWithIncident(tx, monitor, verdict, effects));
    } catch (error) {
      // A rival opened an incident of the subject between our snapshot and our insert.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async function writeWithIncident(
    tx: Transaction,
    monitor: MonitorDocument,
    verdict: Verdict,
    effects: Consequences,
  ): Promise<boolean> {
    // First of all, so that rivals collide here and not halfway through an incident.
    if (!(await store.writeState(tx, monitor, verdict.next, effects.graceUntilMs))) return false;
    await deps.outages.record(tx, monitor, verdict, effects);
    return true;
  }

  function follow({ monitor, verdict, nowMs }: Judgement): void {
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
      queue.run(id).catch((error: unknown) => deps.logger.warn({ err: error, monitor: id }, 'evaluation failed'));
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
