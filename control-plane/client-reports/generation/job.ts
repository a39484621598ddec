import type { StandingOf } from '../../plans/cache.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../storage/leases/leased-periodic-task.js';
import type { WaitingReport } from '../store.js';
import { type GenerateNeeds, generateReport } from './generate.js';

const PERIOD_MS = 1_000;
/** If the control plane crashes, another one begins again after this time. */
const LEASE_MS = 10_000;
const RENEWAL_MS = 3_000;
/** Each is a process that keeps a core busy. */
const GENERATED_AT_ONCE = 2;
const WORKSPACES_MAX = 100;
const STOPPED_RETRY_MS = 60_000;

interface ReportJobNeeds extends GenerateNeeds, LeasedPeriodicTaskNeeds {
  standingOf: StandingOf;
}

/** Generates the reports that wait, in one control plane at a time. Each run resolves to how many it finished. */
export function createReportJob(needs: ReportJobNeeds): LeasedPeriodicTask<number> {
  const { store, standingOf, clock } = needs;
  let running: Promise<number> | null = null;

  async function generateIfAllowed(report: WaitingReport, signal: AbortSignal): Promise<boolean> {
    // The reports of a stopped workspace wait. Those of a deleted one are deleted with it.
    const standing = await standingOf(report.workspace_id);
    if (standing === null || standing.stopped) {
      // They would otherwise be the oldest ones of every round, and take the places of others.
      await store.postpone(report, clock.now() + STOPPED_RETRY_MS);
      return false;
    }
    return generateReport(needs, report, signal);
  }

  /** Generates the oldest report of each workspace, so that nobody waits for all reports of somebody else. */
  async function round(lost: AbortSignal): Promise<number> {
    const waiting = (await store.due(clock.now(), WORKSPACES_MAX))[Symbol.iterator]();
    let finished = 0;
    const worker = async () => {
      for (const report of waiting) {
        if (lost.aborted) return;
        if (await generateIfAllowed(report, lost)) finished++;
      }
    };
    await Promise.all(Array.from({ length: GENERATED_AT_ONCE }, worker));
    return finished;
  }

  async function work(lease: TaskLease): Promise<number> {
    const lost = new AbortController();
    const end = () => lost.abort(new Error('the generation of reports stops here'));
    lease.stopping.addEventListener('abort', end);
    // A report can take longer than the lease.
    const renewal = clock.every(RENEWAL_MS, () => {
      void lease.stillHeld().then(
        (held) => held || end(),
        () => {},
      );
    });
    try {
      let finished = 0;
      while (await lease.stillHeld()) {
        const some = await round(lost.signal);
        finished += some;
        // What is left waits: for a workspace that is stopped, or for its next attempt.
        if (some === 0) break;
      }
      return finished;
    } finally {
      renewal.cancel();
      lease.stopping.removeEventListener('abort', end);
    }
  }

  return createLeasedPeriodicTask(needs, {
    name: 'client-reports',
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'generating reports failed, retrying',
    failureLevel: 'error',
    work(lease) {
      // A request wakes the task beside its ticks, and two runs would generate the same reports.
      running ??= work(lease).finally(() => {
        running = null;
      });
      return running;
    },
  });
}
