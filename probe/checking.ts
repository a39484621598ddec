import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { createServerTime, type ServerTime } from '../node-link/server-time.js';
import type { Assignments__Output } from '../proto/generated/picket/link/v1/Assignments.js';
import type { CheckResult } from '../proto/generated/picket/link/v1/CheckResult.js';
import type { RunNow__Output } from '../proto/generated/picket/link/v1/RunNow.js';
import { createAssignments } from './assignments/assignments.js';
import type { LastKnown } from './assignments/file.js';
import type { Checker } from './checks/check.js';
import { createGate } from './gate.js';
import { createRunner } from './runner.js';
import { createSchedule } from './schedule.js';
import { createScheduleStatus, type ScheduleStatus } from './status.js';

/** The half of a probe that checks: assignments in, results out. It knows nothing of the link. */
export interface Checking {
  serverTime: ServerTime;
  status: ScheduleStatus;
  /** Monitors held, and the revision of that set. */
  held(): { assignments: number; assignmentsRevision: number };
  /** A new session begins: what follows is a snapshot or a difference to the revision held. */
  restart(): void;
  assign(message: Assignments__Output): void;
  /** What a later process has to know to go on without a control plane. */
  lastKnown(): LastKnown;
  /** Checks what an earlier process held, until a session brings a snapshot. */
  resume(known: LastKnown): void;
  runNow(command: RunNow__Output): void;
  /** The operator wants no checks of this probe; its assignments are about to be taken away. */
  setDrained(drained: boolean): void;
  /** Running checks may end within `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Sockets at the same time; at 10,000 monitors each minute it is reached when every one of them hangs for 12 s. */
const CHECKS_RUNNING_MAX = 2_000;

export function createChecking(options: {
  checker: Checker;
  report(result: CheckResult, urgent: boolean): void;
  clock: Clock;
  logger: Logger;
}): Checking {
  const { clock } = options;
  const serverTime = createServerTime(clock);
  const status = createScheduleStatus(clock);
  let drained = false;
  const runner = createRunner({
    checker: options.checker,
    gate: createGate(CHECKS_RUNNING_MAX),
    serverTime,
    held: (monitorId) => assignments.get(monitorId),
    report: options.report,
    events: { started: status.started, skipped: status.skipped },
    clock,
    logger: options.logger,
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
    held: () => ({ assignments: schedule.size(), assignmentsRevision: assignments.revision() }),
    restart: assignments.restart,
    assign: assignments.apply,
    lastKnown: () => ({ assignments: assignments.all(), clockAheadMs: serverTime.aheadMs() }),
    resume({ assignments: kept, clockAheadMs }) {
      serverTime.assume(clockAheadMs);
      assignments.restore(kept);
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
