import type { AcceptedReport } from '../servers.js';

/** Reports wait here until they are evaluated: those of one server in order, one at a time. */
export interface ReportLanes {
  add(report: AcceptedReport): void;
  /** Resolves once nothing waits or runs. */
  idle(): Promise<void>;
}

/** Of one server; when evaluation lags further behind, the oldest are left to what history says of them. */
const WAITING_MAX = 30;
const RUNS_MAX = 8;

/** `evaluate` must not reject. */
export function createReportLanes(evaluate: (report: AcceptedReport) => Promise<void>): ReportLanes {
  const waiting = new Map<string, AcceptedReport[]>();
  const busy = new Set<string>();
  const idlers: (() => void)[] = [];

  function start(): void {
    for (const serverId of waiting.keys()) {
      if (busy.size >= RUNS_MAX) return;
      if (!busy.has(serverId)) void run(serverId);
    }
  }

  async function run(serverId: string): Promise<void> {
    busy.add(serverId);
    for (;;) {
      const report = waiting.get(serverId)?.shift();
      if (report === undefined) break;
      await evaluate(report);
    }
    waiting.delete(serverId);
    busy.delete(serverId);
    start();
    if (waiting.size === 0) for (const wake of idlers.splice(0)) wake();
  }

  return {
    add(report) {
      const lane = waiting.get(report.serverId);
      if (lane === undefined) waiting.set(report.serverId, [report]);
      else {
        lane.push(report);
        if (lane.length > WAITING_MAX) lane.shift();
      }
      start();
    },
    async idle() {
      if (waiting.size > 0) await new Promise<void>((resolve) => idlers.push(resolve));
    },
  };
}
