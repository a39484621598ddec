import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
} from '../../../storage/leases/leased-periodic-task.js';
import { makeDue } from './make.js';
import type { DueNeeds } from './needs.js';
import { sendRun } from './send.js';
import { settleRun } from './settle.js';

const PERIOD_MS = 5_000;
/** If the control plane crashes, another one continues after this time. */
const LEASE_MS = 30_000;
const ROWS_MAX = 200;
const RETRY_MS = 60_000;

/** Makes the reports of schedules, sends them, and notes what became of the mails, in one control plane at a time. */
export function createScheduleJob(needs: DueNeeds & LeasedPeriodicTaskNeeds): LeasedPeriodicTask<void> {
  const { schedules, runs, clock, logger } = needs;
  return createLeasedPeriodicTask(needs, {
    name: 'client-report-schedules',
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'making the reports of schedules failed, retrying',
    failureLevel: 'error',
    async work(lease) {
      for (const schedule of await schedules.due(clock.now(), ROWS_MAX)) {
        if (!(await lease.stillHeld())) return;
        try {
          await makeDue(needs, schedule, lease.stopping);
        } catch (err) {
          if (lease.stopping.aborted) return;
          const of = { err, workspace: schedule.workspace_id, schedule: schedule._id };
          logger.error(of, 'failed to make the report of a schedule, retrying in a minute');
          // One that fails each time must not keep others waiting.
          await schedules.postpone(schedule, clock.now() + RETRY_MS);
        }
      }
      for (const [open, proceed] of [
        [await runs.open(ROWS_MAX), (run) => sendRun(needs, run)],
        [await runs.settling(ROWS_MAX), (run) => settleRun(needs, run)],
      ] satisfies Step[]) {
        for (const run of open) {
          if (!(await lease.stillHeld())) return;
          await proceed(run).catch((err: unknown) => {
            logger.error({ err, workspace: run.workspace_id, run: run._id }, 'failed to send a report, retrying');
          });
        }
      }
    },
  });
}

type Run = Awaited<ReturnType<DueNeeds['runs']['open']>>[number];
type Step = [Run[], (run: Run) => Promise<void>];
