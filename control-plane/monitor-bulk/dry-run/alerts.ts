import { toIso } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { BacktestMonitor, BulkNeeds } from '../needs.js';
import type { BulkPlan } from '../plan.js';
import type { BulkOrder } from '../request.js';
import type { BulkAlerts } from '../schema.js';

const DAY_MS = 86_400_000;
/** What a preview says of alerts is about this time. */
const PAST_MS = 7 * DAY_MS;
/** Monitors that one preview tests. Their results are read one monitor after the other. */
const TESTED_MAX = 500;

type Basis = BulkAlerts['basis'];

/** Fields that a backtest can replay, and how it names them. */
const REPLAYED = ['confirmations', 'retries', 'interval_seconds'];
/** Fields that do not affect which alerts there are. */
const WITHOUT_EFFECT = ['tags', 'channels', 'runbook_url'];

/** Returns from what the alerts can be computed. Pure. */
function basisOf(order: BulkOrder): Basis {
  if (order.type === 'add') return 'unknown';
  const { operation } = order;
  if (operation.type === 'pause' || operation.type === 'delete') return 'stopped';
  if (operation.type === 'resume') return 'unknown';
  if (operation.type !== 'set') return 'same';
  const fields = Object.keys(operation.fields);
  if (fields.some((field) => ![...REPLAYED, ...WITHOUT_EFFECT].includes(field))) return 'unknown';
  return fields.some((field) => REPLAYED.includes(field)) ? 'replayed' : 'same';
}

/**
 * Returns what alerts of the last seven days the plan would have changed. It stops when `budgetMs` is over, and says so,
 * and throws the reason of `signal` soon after that is aborted. Monitors with the most alerts are tested first.
 */
export async function alertsOf(
  needs: Pick<BulkNeeds, 'countOutages' | 'backtest' | 'clock'>,
  actor: Actor,
  order: BulkOrder,
  plan: BulkPlan,
  { budgetMs, signal }: { budgetMs: number; signal: AbortSignal },
): Promise<BulkAlerts> {
  const basis = basisOf(order);
  const toMs = needs.clock.now();
  const fromMs = toMs - PAST_MS;
  const ids = plan.changed.flatMap(({ monitor }) => (monitor === null ? [] : [monitor._id]));
  const had = ids.length === 0 ? new Map() : await needs.countOutages(actor.workspaceId, ids, fromMs, toMs);
  const were = ids.reduce((sum, id) => sum + (had.get(id) ?? 0), 0);
  const all = { from: toIso(fromMs), to: toIso(toMs), were };
  const tested = { tested_were: were, monitors_tested: ids.length, complete: true };
  if (basis === 'unknown')
    return { basis, ...all, ...tested, tested_were: 0, tested_would_have_been: null, monitors_tested: 0 };
  if (basis === 'stopped') return { basis, ...all, ...tested, tested_would_have_been: 0 };
  if (basis === 'same' || order.type === 'add') return { basis, ...all, ...tested, tested_would_have_been: were };
  const ordered = [...ids].sort((a, b) => (had.get(b) ?? 0) - (had.get(a) ?? 0)).slice(0, TESTED_MAX);
  const done = await replay(needs, actor, ordered, { fromMs, toMs, ...settingsOf(order) }, budgetMs, signal);
  return {
    ...{ basis, ...all },
    tested_were: done.ids.reduce((sum, id) => sum + (had.get(id) ?? 0), 0),
    tested_would_have_been: done.alerts,
    monitors_tested: done.ids.length,
    complete: done.ids.length === ids.length,
  };
}

type Request = Parameters<BacktestMonitor>[2];

function settingsOf(order: BulkOrder): Omit<Request, 'fromMs' | 'toMs'> {
  if (order.type === 'add' || order.operation.type !== 'set') return {};
  const { confirmations, retries, interval_seconds: intervalSeconds } = order.operation.fields;
  return {
    ...(confirmations === undefined ? {} : { confirmations }),
    ...(retries === undefined ? {} : { retries }),
    ...(intervalSeconds === undefined ? {} : { intervalSeconds }),
  };
}

async function replay(
  { backtest, clock }: Pick<BulkNeeds, 'backtest' | 'clock'>,
  actor: Actor,
  ids: readonly string[],
  request: Request,
  budgetMs: number,
  signal: AbortSignal,
): Promise<{ ids: string[]; alerts: number }> {
  const over = new AbortController();
  const timer = clock.after(budgetMs, () => over.abort());
  const done = { ids: [] as string[], alerts: 0 };
  try {
    for (const id of ids) {
      if (over.signal.aborted) break;
      const { wouldHaveBeen } = await backtest(actor, id, request, AbortSignal.any([over.signal, signal]));
      done.ids.push(id);
      done.alerts += wouldHaveBeen.length;
    }
  } catch (error) {
    signal.throwIfAborted();
    // Other backtests are running, or the monitor has more results than one backtest reads: the rest is not tested.
    if (!over.signal.aborted && !(error instanceof AppError)) throw error;
  } finally {
    timer.cancel();
  }
  return done;
}
