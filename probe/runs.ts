import type { CheckReason } from '../proto/check-result.js';
import type { Assignment } from './schedule.js';

/** The check of a monitor for one slot, with all its attempts. */
export interface Run {
  assignment: Assignment;
  slotMs: number;
  reason: CheckReason;
  controller: AbortController;
  /** Whether an attempt is in progress. Between attempts the run waits for the limiter or for its next attempt. */
  checking: boolean;
}

/** The runs in progress. */
export interface Runs {
  add(run: Run): void;
  remove(run: Run): void;
  /** Returns whether a scheduled run of the monitor is in progress. */
  hasScheduled(monitorId: string): boolean;
  abort(monitorId: string): void;
  /** Aborts the runs that match. */
  abortWhere(matches: (run: Run) => boolean): void;
  isEmpty(): boolean;
  /** Resolves when the last run is removed. */
  emptied(): Promise<void>;
}

export function createRuns(): Runs {
  const byMonitor = new Map<string, Set<Run>>();
  let onEmpty: (() => void) | null = null;
  return {
    add(run) {
      const { monitorId } = run.assignment;
      const runs = byMonitor.get(monitorId) ?? new Set();
      byMonitor.set(monitorId, runs.add(run));
    },
    remove(run) {
      const { monitorId } = run.assignment;
      const runs = byMonitor.get(monitorId);
      runs?.delete(run);
      if (runs?.size === 0) byMonitor.delete(monitorId);
      if (byMonitor.size === 0) onEmpty?.();
    },
    hasScheduled(monitorId) {
      for (const run of byMonitor.get(monitorId) ?? []) if (run.reason === 'schedule') return true;
      return false;
    },
    abort(monitorId) {
      for (const run of byMonitor.get(monitorId) ?? []) run.controller.abort();
    },
    abortWhere(matches) {
      const all = [...byMonitor.values()].flatMap((runs) => [...runs]);
      for (const run of all) if (matches(run)) run.controller.abort();
    },
    isEmpty: () => byMonitor.size === 0,
    emptied: () =>
      new Promise((resolve) => {
        onEmpty = resolve;
      }),
  };
}
