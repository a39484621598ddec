import type { Actor } from '../../actor.js';
import { AppError, invalidField, notFound } from '../../errors.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { MonitorDocument, ResultDocument } from '../../monitors/documents.js';
import { createSimulation, type SimulatedOutage } from './simulation.js';

/** Stored results as a stream, in order of slot. */
export interface ResultReader {
  readRange(workspaceId: string, monitorId: string, fromMs: number, toMs: number): AsyncIterable<ResultDocument>;
}

/** Outages that really were, from the incidents slice. */
export interface PastOutages {
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
  /** undefined: the monitor's own. */
  confirmations?: number | null;
  retries?: number;
  intervalSeconds?: number;
}

export interface BacktestOutcome {
  settings: { confirmations: number | null; retries: number; interval_seconds: number };
  resultsRead: number;
  resultsUsed: number;
  wouldHaveBeen: SimulatedOutage[];
  were: IncidentDocument[];
  notes: string[];
}

export interface BacktestContext {
  monitors: { find(workspaceId: string, id: string): Promise<MonitorDocument | null> };
  results: ResultReader;
  incidents: PastOutages;
  /** Lets everything else in this process run. */
  breathe(): Promise<void>;
}

export const BACKTEST_DAYS_MAX = 31;
export const BACKTEST_RESULTS_MAX = 500_000;

/** At the same time in one process; it is work for the processor, not for the database. */
const BACKTESTS_MAX = 2;
const BACKTEST_OUTAGES_MAX = 1_000;
const RESULTS_PER_BREATH = 250;
const DAY_MS = 86_400_000;

export type Backtest = (actor: Actor, monitorId: string, request: BacktestRequest) => Promise<BacktestOutcome>;

/** The incidents that other settings would have raised on the results that are stored, beside those that were. */
export function createBacktest(context: BacktestContext): Backtest {
  let running = 0;

  async function run(monitor: MonitorDocument, request: BacktestRequest): Promise<BacktestOutcome> {
    const settings = {
      confirmations: request.confirmations === undefined ? monitor.confirmations : request.confirmations,
      retries: request.retries ?? monitor.retries,
      interval_seconds: request.intervalSeconds ?? monitor.interval_seconds,
    };
    const simulation = createSimulation(monitor, {
      ...settings,
      assigned: monitor.locations.length,
      timeout_ms: monitor.timeout_ms,
    });
    let read = 0;
    for await (const result of context.results.readRange(
      monitor.workspace_id,
      monitor._id,
      request.fromMs,
      request.toMs,
    )) {
      if (read === BACKTEST_RESULTS_MAX) {
        throw invalidField('/to', `must leave at most ${BACKTEST_RESULTS_MAX} results; ask for a shorter time`);
      }
      read += 1;
      simulation.feed(result);
      if (read % RESULTS_PER_BREATH === 0) await context.breathe();
    }
    const { workspace_id: workspaceId, _id: id } = monitor;
    return {
      settings,
      resultsRead: read,
      resultsUsed: simulation.used(),
      wouldHaveBeen: simulation.outages(),
      were: await context.incidents.during(workspaceId, id, request.fromMs, request.toMs, BACKTEST_OUTAGES_MAX),
      notes: notesOf(monitor, settings),
    };
  }

  return async (actor, monitorId, request) => {
    if (request.fromMs > request.toMs) throw invalidField('/from', 'is after `to`');
    if (request.toMs - request.fromMs > BACKTEST_DAYS_MAX * DAY_MS) {
      throw invalidField('/from', `must be at most ${BACKTEST_DAYS_MAX} days before \`to\``);
    }
    const monitor = await context.monitors.find(actor.workspaceId, monitorId);
    if (monitor === null) throw notFound('monitor');
    if (running >= BACKTESTS_MAX) {
      throw new AppError('rate_limited', 'Other backtests are running. Try again in a moment.', {
        headers: { 'Retry-After': '5' },
      });
    }
    running += 1;
    try {
      return await run(monitor, request);
    } finally {
      running -= 1;
    }
  };
}

function notesOf(monitor: MonitorDocument, settings: BacktestOutcome['settings']): string[] {
  const notes = ['Maintenance, quarantine and disconnected probes are not replayed: every stored result votes.'];
  if (settings.interval_seconds < monitor.interval_seconds) {
    notes.push('Checks that were not made cannot be replayed: a shorter interval uses the stored results as they are.');
  }
  if (settings.retries > monitor.retries) {
    notes.push("For retries that were not made, the location's next failed checks stand in.");
  }
  return notes;
}
