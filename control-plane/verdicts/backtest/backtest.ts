import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { AppError, invalidField, notFound } from '../../errors.js';
import { createWorkLimit, type WorkLimits } from '../../http/limits/work-limit.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { MonitorDocument } from '../../monitors/documents.js';
import type { MonitorReader } from '../../monitors/monitors.js';
import type { ResultReader } from '../../results/results.js';
import type { SimulatedOutage } from './outage-list.js';
import { createSimulation } from './simulation.js';

/** Reads past outages. Implemented by the incidents slice. */
interface PastOutages {
  during(
    workspaceId: string,
    monitorId: string,
    fromMs: number,
    toMs: number,
    limit: number,
  ): Promise<IncidentDocument[]>;
}

export interface BacktestRequest {
  fromMs: number;
  toMs: number;
  /** undefined: the setting of the monitor. */
  confirmations?: number | null;
  retries?: number;
  intervalSeconds?: number;
}

interface BacktestOutcome {
  settings: { confirmations: number | null; retries: number; interval_seconds: number };
  resultsRead: number;
  resultsUsed: number;
  wouldHaveBeen: SimulatedOutage[];
  were: IncidentDocument[];
  notes: string[];
}

export interface BacktestNeeds {
  monitors: MonitorReader;
  results: ResultReader;
  incidents: PastOutages;
  /** Lets other work of this process run. */
  yieldToEventLoop(): Promise<void>;
  clock: Clock;
}

export const BACKTEST_DAYS_MAX = 31;
export const BACKTEST_RESULTS_MAX = 500_000;

/** They need the processor and not the database: one of 500,000 results takes seconds, in small parts. */
const BACKTESTS: WorkLimits = {
  runningMax: 2,
  runningPerWorkspaceMax: 1,
  runningOfFreeMax: 1,
  waitMsMax: 3_000,
  runMsMax: { Free: 20_000, Pro: 60_000, Enterprise: 60_000 },
  // Those who pay move the sliders of the page as they like.
  budgetMs: { Free: 20_000, Pro: Number.POSITIVE_INFINITY, Enterprise: Number.POSITIVE_INFINITY },
};
const BACKTEST_OUTAGES_MAX = 1_000;
const RESULTS_PER_YIELD = 250;
const DAY_MS = 86_400_000;

/** It rejects with the reason of `gone` soon after that is aborted, and with 429 when others run for too long. */
export type Backtest = (
  actor: Actor,
  monitorId: string,
  request: BacktestRequest,
  gone: AbortSignal,
) => Promise<BacktestOutcome>;

/** Compares the incidents that other settings would have opened on the stored results with those that were opened. */
export function createBacktest(needs: BacktestNeeds): Backtest {
  const limit = createWorkLimit(needs, BACKTESTS, {
    busy,
    spent: 'The backtests of this workspace have taken',
    advice: 'test a shorter time',
  });

  async function run(
    monitor: MonitorDocument,
    request: BacktestRequest,
    signal: AbortSignal,
  ): Promise<BacktestOutcome> {
    const { workspace_id: workspaceId, _id: id } = monitor;
    const { fromMs, toMs } = request;
    const settings = settingsOf(monitor, request);
    const { locations, timeout_ms } = monitor;
    const simulation = createSimulation(monitor, { ...settings, assigned: locations.length, timeout_ms });
    let read = 0;
    for await (const result of needs.results.readRange(workspaceId, id, fromMs, toMs)) {
      if (read === BACKTEST_RESULTS_MAX) {
        throw invalidField(
          '/to',
          `must leave at most ${BACKTEST_RESULTS_MAX} results; request a shorter time`,
          'too_large',
        );
      }
      read += 1;
      simulation.feed(result);
      if (read % RESULTS_PER_YIELD === 0) {
        await needs.yieldToEventLoop();
        signal.throwIfAborted();
      }
    }
    return {
      settings,
      resultsRead: read,
      resultsUsed: simulation.used(),
      wouldHaveBeen: simulation.outages(),
      were: await needs.incidents.during(workspaceId, id, fromMs, toMs, BACKTEST_OUTAGES_MAX),
      notes: notesOf(monitor, settings),
    };
  }

  return async (actor, monitorId, request, gone) => {
    if (request.fromMs > request.toMs) throw invalidField('/from', 'must not be after `to`', 'order');
    if (request.toMs - request.fromMs > BACKTEST_DAYS_MAX * DAY_MS) {
      throw invalidField('/from', `must be at most ${BACKTEST_DAYS_MAX} days before \`to\``, 'too_large');
    }
    const monitor = await needs.monitors.find(actor.workspaceId, monitorId);
    if (monitor === null) throw notFound('monitor');
    refuseTooManyConfirmations(monitor, request);
    const { workspaceId, plan, userId } = actor;
    // Otherwise somebody with two workspaces would have both places of all.
    return limit.run({ workspaceId, plan, userId, gone, tooLong }, (signal) => run(monitor, request, signal));
  };
}

function busy(): AppError {
  return new AppError('rate_limited', 'Other backtests are running. Try again in 5 seconds.', {
    headers: { 'Retry-After': '5' },
  });
}

function tooLong(ms: number): AppError {
  const detail = `The backtest took longer than ${ms / 1_000} s, and was given up. Test a shorter time.`;
  return new AppError('unavailable', detail, { headers: { 'Retry-After': '5' } });
}

/** No monitor could have these settings: it would never go down. */
function refuseTooManyConfirmations({ locations }: MonitorDocument, { confirmations }: BacktestRequest): void {
  if (confirmations === undefined || confirmations === null || confirmations <= locations.length) return;
  const message = `must be at most ${locations.length}, the number of locations of the monitor`;
  throw invalidField('/confirmations', message, 'more_than_locations', { max: locations.length });
}

function settingsOf(monitor: MonitorDocument, request: BacktestRequest): BacktestOutcome['settings'] {
  return {
    confirmations: request.confirmations === undefined ? monitor.confirmations : request.confirmations,
    retries: request.retries ?? monitor.retries,
    interval_seconds: request.intervalSeconds ?? monitor.interval_seconds,
  };
}

function notesOf(monitor: MonitorDocument, settings: BacktestOutcome['settings']): string[] {
  const notes = ['Maintenance, quarantine and disconnected probes are not replayed: every stored result votes.'];
  if (settings.interval_seconds < monitor.interval_seconds) {
    notes.push('A shorter interval cannot add checks that were not made; the stored results are used unchanged.');
  }
  if (settings.retries > monitor.retries) {
    notes.push('The next failed checks of the location replace retries that were not made.');
  }
  return notes;
}
