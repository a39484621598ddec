import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { ServerTime } from '../node-link/server-time.js';
import type { CheckResult } from '../proto/generated/picket/link/v1/CheckResult.js';
import type { RunNow__Output } from '../proto/generated/picket/link/v1/RunNow.js';
import type { Checker } from './checks/check.js';
import type { Gate } from './gate.js';
import { type RunReason, toCheckResult } from './record.js';
import type { Assignment } from './schedule.js';

/** Turns slots and commands into results. */
export interface Runner {
  /** A scheduled check. While the one before still runs, the slot is left out and counted. */
  runSlot(assignment: Assignment, slotMs: number): void;
  /** A check by command; the same command a second time does nothing. */
  runNow(command: RunNow__Output): void;
  /** The monitor is no longer this probe's: its checks end without a result, and nothing is retried. */
  cancel(monitorId: string): void;
  /** Nothing new begins; what runs may end within `graceMs`, and is cancelled then. */
  stop(graceMs: number): Promise<void>;
}

export interface RunnerEvents {
  /** A scheduled check began, so long after its slot. */
  started(latenessMs: number): void;
  /** A slot was left out: the check before still ran, or it stood in line until the next slot. */
  skipped(): void;
}

export interface RunnerOptions {
  checker: Checker;
  gate: Gate;
  serverTime: ServerTime;
  /** The assignment held under this id, if any. */
  held(monitorId: string): Assignment | null;
  /** Takes a finished result. `urgent`: somebody may be waiting for it. */
  report(result: CheckResult, urgent: boolean): void;
  events: RunnerEvents;
  clock: Clock;
  logger: Logger;
}

interface Run {
  assignment: Assignment;
  slotMs: number;
  reason: RunReason;
  controller: AbortController;
  /** A check is on its way, as opposed to waiting for its turn or for a retry. */
  checking: boolean;
}

/** Pause between tries where the assignment names none. */
const RETRY_DELAY_MS = 5_000;
/** So many commands are remembered, to know a repeated one; older ones are not repeated any more. */
const COMMANDS_REMEMBERED_MAX = 10_000;

export function createRunner(options: RunnerOptions): Runner {
  const { gate, serverTime, clock, logger } = options;
  const runs = new Map<string, Set<Run>>();
  const isNew = createCommandMemory();
  let stopping = false;
  let allDone: (() => void) | null = null;

  function begin(assignment: Assignment, slotMs: number, reason: RunReason): void {
    const run: Run = { assignment, slotMs, reason, controller: new AbortController(), checking: false };
    const ofMonitor = runs.get(assignment.monitorId) ?? new Set();
    runs.set(assignment.monitorId, ofMonitor.add(run));
    perform(run)
      .catch((error) => logger.error({ err: error, monitor: assignment.monitorId }, 'a check broke off'))
      .finally(() => end(run));
  }

  function end(run: Run): void {
    const ofMonitor = runs.get(run.assignment.monitorId);
    ofMonitor?.delete(run);
    if (ofMonitor?.size === 0) runs.delete(run.assignment.monitorId);
    if (runs.size === 0) allDone?.();
  }

  /** All tries of one slot. */
  async function perform(run: Run): Promise<void> {
    const { signal } = run.controller;
    for (let number = 0; ; number += 1) {
      if (!(await gate.enter(number > 0 || run.reason !== 'schedule', signal))) return;
      const startedAt = clock.monotonic();
      const up = await attempt(run, number).finally(() => gate.leave());
      if (up !== false || number >= run.assignment.retries || signal.aborted || stopping) return;
      const delayMs = run.assignment.retryDelayMs || RETRY_DELAY_MS;
      await clock.sleep(startedAt + delayMs - clock.monotonic(), signal);
    }
  }

  /** One try. null: there is no result, because its time has passed or nobody wants it any more. */
  async function attempt(run: Run, number: number): Promise<boolean | null> {
    const { assignment, slotMs, reason, controller } = run;
    const startedMs = serverTime.now();
    if (reason === 'schedule' && number === 0) {
      if (startedMs - slotMs >= assignment.intervalSeconds * 1000) {
        options.events.skipped();
        return null;
      }
      options.events.started(startedMs - slotMs);
    }
    run.checking = true;
    const outcome = await options.checker.run(assignment, controller.signal).finally(() => {
      run.checking = false;
    });
    if (controller.signal.aborted || outcome.inconclusive === true) return null;
    const final = outcome.up || number >= assignment.retries;
    const result = toCheckResult({ assignment, slotMs, number, final, reason, startedMs, outcome });
    options.report(result, !outcome.up || number > 0 || reason !== 'schedule');
    return outcome.up;
  }

  function isScheduledRunning(monitorId: string): boolean {
    for (const run of runs.get(monitorId) ?? []) if (run.reason === 'schedule') return true;
    return false;
  }

  return {
    runSlot(assignment, slotMs) {
      if (stopping) return;
      if (isScheduledRunning(assignment.monitorId)) options.events.skipped();
      else begin(assignment, slotMs, 'schedule');
    },
    runNow(command) {
      const assignment = command.assignment ?? options.held(command.monitorId);
      if (stopping || assignment === null || !isNew(command)) return;
      begin(assignment, command.slotMs, reasonOf(command.reason));
    },
    cancel(monitorId) {
      for (const run of runs.get(monitorId) ?? []) run.controller.abort();
    },
    async stop(graceMs) {
      stopping = true;
      const all = () => [...runs.values()].flatMap((ofMonitor) => [...ofMonitor]);
      for (const run of all()) if (!run.checking) run.controller.abort();
      if (runs.size === 0) return;
      const done = new Promise<void>((resolve) => {
        allDone = resolve;
      });
      await Promise.race([done, clock.sleep(graceMs)]);
      for (const run of all()) run.controller.abort();
    },
  };
}

/** Remembers commands; false for one that was seen before. */
function createCommandMemory(): (command: RunNow__Output) => boolean {
  const commands = new Set<string>();
  return (command) => {
    const key = `${command.monitorId} ${command.slotMs}`;
    if (commands.has(key)) return false;
    commands.add(key);
    if (commands.size > COMMANDS_REMEMBERED_MAX) {
      for (const oldest of commands) {
        commands.delete(oldest);
        break;
      }
    }
    return true;
  };
}

function reasonOf(reason: string): RunReason {
  return reason === 'confirm' || reason === 'resume' || reason === 'recovery' ? reason : 'manual';
}
