import type { Clock } from '../kernel/clock.js';
import { createSemaphore } from '../kernel/concurrency/semaphore.js';
import type { Logger } from '../kernel/logger.js';
import { createServerTime, type ServerTime } from '../node-link/server-time.js';
import type { Assignments__Output } from '../proto/generated/picket/link/v1/Assignments.js';
import type { CheckResult } from '../proto/generated/picket/link/v1/CheckResult.js';
import type { RunNow__Output } from '../proto/generated/picket/link/v1/RunNow.js';
import { createAssignments } from './assignments/assignments.js';
import type { SavedAssignments } from './assignments/file.js';
import type { Checker } from './checks/check.js';
import { createRunner } from './runner.js';
import { createSchedule } from './schedule.js';
import { createScheduleStatus, type ScheduleStatus } from './status.js';

/** The part of a probe that runs checks: it receives assignments and delivers results. It does not use the link. */
export interface Checking {
  serverTime: ServerTime;
  status: ScheduleStatus;
  /** Returns the number of assigned monitors and the revision of the assignments. */
  assigned(): { assignments: number; assignmentsRevision: number };
  /** Must be called when a session starts, which sends a snapshot or the changes since the current revision. */
  restart(): void;
  assign(message: Assignments__Output): void;
  /** Returns what a later process needs to continue without a control plane. */
  toSave(): SavedAssignments;
  /** Checks the monitors that an earlier process saved, until a session sends a snapshot. */
  resume(saved: SavedAssignments): void;
  runNow(command: RunNow__Output): void;
  /** A drained probe starts no scheduled checks. The control plane is about to withdraw its assignments. */
  setDrained(drained: boolean): void;
  /** Waits up to `graceMs` for running checks, then cancels them. */
  stop(graceMs: number): Promise<void>;
}

/** Checks that run at the same time. With 10,000 monitors each minute it is reached if every check takes 12 s. */
const CHECKS_RUNNING_MAX = 2_000;

export function createChecking(needs: {
  checker: Checker;
  deliver(result: CheckResult, urgent: boolean): void;
  clock: Clock;
  logger: Logger;
}): Checking {
  const { clock } = needs;
  const serverTime = createServerTime(clock);
  const status = createScheduleStatus(clock);
  let drained = false;
  const runner = createRunner({
    ...needs,
    semaphore: createSemaphore(CHECKS_RUNNING_MAX),
    serverTime,
    findAssignment: (monitorId) => assignments.get(monitorId),
    events: { started: status.started, skipped: status.skipped },
  });
  const schedule = createSchedule({
    clock,
    serverTime,
    events: {
      start(assignment, slotMs) {
        if (!drained) runner.runSlot(assignment, slotMs);
      },
      due(slots) {
        if (!drained) status.due(slots);
      },
    },
  });
  const assignments = createAssignments({
    put: schedule.put,
    remove(monitorId) {
      schedule.remove(monitorId);
      runner.cancel(monitorId);
    },
  });
  return {
    serverTime,
    status,
    assigned: () => ({ assignments: schedule.size(), assignmentsRevision: assignments.revision() }),
    restart: assignments.restart,
    assign: assignments.apply,
    toSave: () => ({ assignments: assignments.all(), clockAheadMs: serverTime.aheadMs() }),
    resume(saved) {
      serverTime.assume(saved.clockAheadMs);
      assignments.restore(saved.assignments);
    },
    runNow: runner.runNow,
    setDrained(wanted) {
      drained = wanted;
    },
    stop(graceMs) {
      schedule.stop();
      return runner.stop(graceMs);
    },
  };
}
