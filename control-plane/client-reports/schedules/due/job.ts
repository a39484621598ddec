import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../../storage/leases/leased-periodic-task.js';
import { makeDue } from './make.js';
import type { DueNeeds } from './needs.js';
import { sendRun } from './send.js';
import { settleRun } from './settle.js';

const PERIOD_MS = 5_000;
/** If the control plane crashes, another one continues after this time. */
const LEASE_MS = 30_000;
const WORKSPACES_PER_QUERY_MAX = 200;
const RETRY_MS = 60_000;

/** One of the three things that a schedule needs, for whatever waits for it. */
interface Step<Row extends { workspace_id: string }> {
  /** Returns what waits longest of each workspace, by workspace, behind `afterWorkspace`. */
  due(nowMs: number, afterWorkspace: string, workspacesMax: number): Promise<Row[]>;
  /** Ends that `row` is due. */
  proceed(row: Row, lease: TaskLease): Promise<void>;
  /** One that fails each time must not keep others waiting. */
  postpone(row: Row, untilMs: number): Promise<void>;
  failure: string;
}

/** Makes the reports of schedules, sends them, and notes what became of the mails, in one control plane at a time. */
export function createScheduleJob(needs: DueNeeds & LeasedPeriodicTaskNeeds): LeasedPeriodicTask<void> {
  const { schedules, runs } = needs;
  const rounds = [
    roundOf(needs, {
      due: schedules.due,
      proceed: (schedule, lease) => makeDue(needs, schedule, lease.stopping),
      postpone: schedules.postpone,
      failure: 'failed to make the report of a schedule, retrying in a minute',
    }),
    roundOf(needs, {
      due: (...args) => runs.due('open', ...args),
      proceed: (run) => sendRun(needs, run),
      postpone: runs.postpone,
      failure: 'failed to send a report, retrying in a minute',
    }),
    roundOf(needs, {
      due: (...args) => runs.due('settling', ...args),
      proceed: (run) => settleRun(needs, run),
      postpone: runs.postpone,
      failure: 'failed to note what became of the e-mails of a report, retrying in a minute',
    }),
  ];
  return createLeasedPeriodicTask(needs, {
    name: 'client-report-schedules',
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'making the reports of schedules failed, retrying',
    failureLevel: 'error',
    async work(lease) {
      // All three in turn, too: what one workspace makes must not keep the finished reports of others.
      for (let some = true; some; ) {
        some = false;
        for (const round of rounds) if (await round(lease)) some = true;
        if (!(await lease.stillHeld())) return;
      }
    },
  });
}

/** Returns a round of a step: one row of each workspace, so that nobody waits for all of somebody else. It resolves to whether there was any. */
function roundOf<Row extends { _id: string; workspace_id: string }>(
  { clock, logger }: Pick<DueNeeds, 'clock' | 'logger'>,
  { due, proceed, postpone, failure }: Step<Row>,
) {
  return async (lease: TaskLease): Promise<boolean> => {
    let some = false;
    for (let after = ''; ; ) {
      const rows = await due(clock.now(), after, WORKSPACES_PER_QUERY_MAX);
      for (const row of rows) {
        if (!(await lease.stillHeld())) return false;
        some = true;
        after = row.workspace_id;
        try {
          await proceed(row, lease);
        } catch (err) {
          if (lease.stopping.aborted) return false;
          logger.error({ err, workspace: row.workspace_id, of: row._id }, failure);
          await postpone(row, clock.now() + RETRY_MS);
        }
      }
      if (rows.length < WORKSPACES_PER_QUERY_MAX) return some;
    }
  };
}
