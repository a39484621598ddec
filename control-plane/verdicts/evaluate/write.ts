import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../kernel/clock.js';
import { waitAtMost } from '../../../kernel/wait-at-most.js';
import type { VerdictState } from '../../monitors/documents.js';
import { SILENCE_MS } from '../../storage/deadlines.js';
import { endOfTransaction, isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { StateWrite, VerdictStore } from '../store.js';
import { type Evaluation, hasNoEffects } from './incident-effects.js';
import type { OutagePlan, OutageRecorder } from './outages.js';

/** Aborts a transaction because a concurrent evaluation wrote one of the states. */
class StateConflict extends Error {}

/**
 * Writes evaluations, in groups that succeed independently. Each promise resolves to the monitors whose state is
 * written; the other monitors of its group changed since they were read.
 */
export type WriteEvaluations = (evaluations: readonly Evaluation[]) => Promise<ReadonlySet<string>>[];

/** A transaction that took too long ends with its statement, or after its commit. */
const END_MS_MAX = SILENCE_MS;

interface WriteNeeds {
  clock: Pick<Clock, 'sleep'>;
  store: Pick<VerdictStore, 'writeStates'>;
  runTransaction: RunTransaction;
  outages: OutageRecorder;
}

/** Returns a writer: states alone in one bulk write, and states with incidents in one transaction. */
export function createWriteEvaluations({ clock, store, runTransaction, outages }: WriteNeeds): WriteEvaluations {
  /** Writes all or none: each state with its incident, its outbox rows and its line on the timeline. */
  async function writeWithIncidents(evaluations: readonly Evaluation[]): Promise<ReadonlySet<string>> {
    if (evaluations.length === 0) return new Set();
    try {
      return await runTransaction(async (tx) => {
        const plan = await outages.plan(tx, evaluations);
        // The states are written first, so that concurrent transactions conflict before they write incidents.
        const writes = evaluations.map((evaluation) => writeOf(evaluation, plan.incidents));
        const written = await store.writeStates(tx, writes);
        if (written.size < evaluations.length) throw new StateConflict();
        await outages.record(tx, evaluations, plan);
        return written;
      });
    } catch (error) {
      // A duplicate key means that a concurrent transaction opened an incident of the same subject.
      if (error instanceof StateConflict || isDuplicateKey(error)) return new Set();
      // What is left of it keeps these monitors locked, and would look like the transaction of a dead process.
      await waitAtMost(clock, END_MS_MAX, endOfTransaction(error));
      throw error;
    }
  }

  return (evaluations) => {
    const unchanged = new Set<string>();
    const changed: StateWrite[] = [];
    const withIncidents: Evaluation[] = [];
    for (const evaluation of evaluations) {
      const { monitor, verdict, effects } = evaluation;
      if (!hasNoEffects(effects)) withIncidents.push(evaluation);
      else if (isSameState(monitor.state, verdict.next)) unchanged.add(monitor._id);
      else changed.push(writeOf(evaluation));
    }
    return [Promise.resolve(unchanged), store.writeStates(null, changed), writeWithIncidents(withIncidents)];
  };
}

function writeOf({ monitor, verdict, effects }: Evaluation, incidents?: OutagePlan['incidents']): StateWrite {
  const incident = incidents?.get(monitor._id);
  const next = incident === undefined ? verdict.next : { ...verdict.next, incident };
  return { monitor, next, graceUntilMs: effects.graceUntilMs };
}

/** Whether a write would change nothing. An absent field equals an empty one. */
export function isSameState(a: VerdictState, b: VerdictState): boolean {
  return isDeepStrictEqual(complete(a), complete(b));
}

function complete(state: VerdictState): VerdictState {
  return { failing: {}, recovery_mark_ms: null, recheck_at_ms: null, confirm: null, incident: null, ...state };
}
