import type { Clock } from '../kernel/clock.js';
import type { Semaphore } from '../kernel/concurrency/semaphore.js';
import type { Logger } from '../kernel/logger.js';
import type { ServerTime } from '../node-link/server-time.js';
import type { CheckReason } from '../proto/check-result.js';
import type { CheckResult } from '../proto/generated/picket/link/v1/CheckResult.js';
import type { RunNow__Output } from '../proto/generated/picket/link/v1/RunNow.js';
import { toCheckResult } from './check-result.js';
import type { Checker } from './checks/check.js';
import { createCommandMemory } from './command-memory.js';
import { createRuns, type Run } from './runs.js';
import type { Assignment } from './schedule.js';

/** Runs checks for slots and commands, with retries, and delivers their results. */
export interface Runner {
  /** Starts a scheduled check. While the previous one of the monitor still runs, the slot is skipped and counted. */
  runSlot(assignment: Assignment, slotMs: number): void;
  /** Starts a check for a command. Idempotent: a repeated command has no effect. */
  runNow(command: RunNow__Output): void;
  /** Ends the checks of a monitor without a result or a retry, because the probe no longer has the monitor. */
  cancel(monitorId: string): void;
  /** Starts no more checks. Waits up to `graceMs` for the running ones, then cancels them. */
  stop(graceMs: number): Promise<void>;
}

export interface RunnerEvents {
  /** A scheduled check has started, `latenessMs` after its slot. */
  started(latenessMs: number): void;
  /** A slot is skipped, because the previous check still runs or because the check waited until the next slot. */
  skipped(): void;
}

interface RunnerNeeds {
  checker: Checker;
  semaphore: Semaphore;
  serverTime: ServerTime;
  /** Returns the current assignment of a monitor, or null. */
  findAssignment(monitorId: string): Assignment | null;
  /** Delivers a result. An `urgent` one is sent immediately. */
  deliver(result: CheckResult, urgent: boolean): void;
  events: RunnerEvents;
  clock: Clock;
  logger: Logger;
}

/** Delay between the starts of two attempts if the assignment does not set one. */
const RETRY_DELAY_MS = 5_000;

export function createRunner(needs: RunnerNeeds): Runner {
  const { semaphore, clock, logger } = needs;
  const runs = createRuns();
  const isNew = createCommandMemory();
  const attempt = createAttempt(needs);
  let stopping = false;

  function start(assignment: Assignment, slotMs: number, reason: CheckReason): void {
    const run: Run = { assignment, slotMs, reason, controller: new AbortController(), checking: false };
    runs.add(run);
    runAttempts(run)
      .catch((error) => logger.error({ err: error, monitor: assignment.monitorId }, 'check failed inside the probe'))
      .finally(() => runs.remove(run));
  }

  async function runAttempts(run: Run): Promise<void> {
    const { signal } = run.controller;
    for (let number = 0; ; number += 1) {
      if (!(await semaphore.acquire(number > 0 || run.reason !== 'schedule', signal))) return;
      const startedAt = clock.monotonic();
      const up = await attempt(run, number).finally(() => semaphore.release());
      if (up !== false || number >= run.assignment.retries || signal.aborted || stopping) return;
      const delayMs = run.assignment.retryDelayMs || RETRY_DELAY_MS;
      await clock.sleep(startedAt + delayMs - clock.monotonic(), signal);
    }
  }

  return {
    runSlot(assignment, slotMs) {
      if (stopping) return;
      if (runs.hasScheduled(assignment.monitorId)) needs.events.skipped();
      else start(assignment, slotMs, 'schedule');
    },
    runNow(command) {
      const assignment = command.assignment ?? needs.findAssignment(command.monitorId);
      if (stopping || assignment === null || !isNew(command)) return;
      start(assignment, command.slotMs, commandReason(command.reason));
    },
    cancel: runs.abort,
    async stop(graceMs) {
      stopping = true;
      runs.abortWhere((run) => !run.checking);
      if (runs.isEmpty()) return;
      await Promise.race([runs.emptied(), clock.sleep(graceMs)]);
      runs.abortWhere(() => true);
    },
  };
}

/**
 * Returns the function that makes one attempt of a run and delivers its result. It resolves to whether the target is
 * up, or to null if there is no result: the next slot is already due, the run was cancelled or the probe failed.
 */
function createAttempt(needs: RunnerNeeds) {
  const { checker, serverTime, events, deliver } = needs;
  return async (run: Run, number: number): Promise<boolean | null> => {
    const { assignment, slotMs, reason, controller } = run;
    const startedMs = serverTime.now();
    if (reason === 'schedule' && number === 0) {
      if (startedMs - slotMs >= assignment.intervalSeconds * 1000) {
        events.skipped();
        return null;
      }
      events.started(startedMs - slotMs);
    }
    run.checking = true;
    const outcome = await checker.run(assignment, controller.signal).finally(() => {
      run.checking = false;
    });
    if (controller.signal.aborted || outcome.inconclusive === true) return null;
    const final = outcome.up || number >= assignment.retries;
    const checkedMs = startedMs + (outcome.voidMs ?? 0);
    const result = toCheckResult({ assignment, slotMs, number, final, reason, startedMs: checkedMs, outcome });
    deliver(result, !outcome.up || number > 0 || reason !== 'schedule');
    return outcome.up;
  };
}

/** Returns the reason of a command. One that this probe does not know counts as `manual`. */
function commandReason(reason: string): CheckReason {
  return reason === 'confirm' || reason === 'resume' || reason === 'recovery' ? reason : 'manual';
}
