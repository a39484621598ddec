import { type ChildProcess, spawn } from 'node:child_process';
import { backoffMs } from '../kernel/backoff.js';
import type { Clock } from '../kernel/clock.js';

/**
 * - `running`: the process runs.
 * - `waiting`: it ended and restarts after a delay.
 * - `stopping`: it got a signal to end and has not ended yet.
 * - `stopped`: it ended and does not restart.
 */
export type ChildState = 'running' | 'waiting' | 'stopping' | 'stopped';

const TRANSITIONS: Record<ChildState, readonly ChildState[]> = {
  running: ['waiting', 'stopping', 'stopped'],
  waiting: ['running', 'stopped'],
  stopping: ['stopped'],
  stopped: [],
};

/** The delay before a restart doubles with each failure in a row. */
const RESTART_BACKOFF = { firstMs: 250, maxMs: 30_000, jitter: 'none' } as const;
/** After a process has run this long, its earlier failures no longer count. */
const STABLE_MS = 60_000;
/** After SIGTERM a process drains within 10 s. A process that still runs after this time is killed. */
const STOP_MS_MAX = 12_000;

export interface SupervisedChild {
  readonly name: string;
  state(): ChildState;
  pid(): number | null;
  /** Sends SIGTERM, later SIGKILL if the process still runs. Resolves when it has ended. */
  stop(): Promise<void>;
}

export interface ChildNeeds {
  name: string;
  clock: Clock;
  say: (line: string) => void;
  start: () => ChildProcess;
  /** Returns what may have ended a process that ends by itself; null if nothing is known. */
  explain: () => string | null;
  /** With this exit code a restart would fail in the same way, because settings are wrong. */
  fatalExitCode: number;
  /** Called instead of a restart, once. */
  onFatal: () => void;
}

/** Starts a process, and restarts it with a backoff when it ends. */
export function superviseChild(needs: ChildNeeds): SupervisedChild {
  const { name, clock, say } = needs;
  let state: ChildState = 'waiting';
  let child: ChildProcess | null = null;
  let delay: AbortController | null = null;
  let resolveStopped = () => {};
  const whenStopped = new Promise<void>((resolve) => {
    resolveStopped = resolve;
  });
  const delays = createRestartDelays(clock);

  function transition(to: ChildState): boolean {
    if (!TRANSITIONS[state].includes(to)) return false;
    state = to;
    return true;
  }

  function run(): void {
    if (!transition('running')) return;
    delays.started();
    child = needs.start();
    child.once('exit', (code, signal) => ended(code, signal));
    child.once('error', (error) => ended(null, error.message));
  }

  function ended(code: number | null, reason: string | null): void {
    child = null;
    const fatal = state !== 'stopping' && code === needs.fatalExitCode;
    if (state === 'stopping' || fatal) {
      finish();
      if (fatal) needs.onFatal();
      return;
    }
    if (!transition('waiting')) return;
    const delayMs = delays.next();
    const cause = needs.explain();
    const ending = `${name} ended (${reason ?? `code ${code}`})`;
    say(`${ending}${cause === null ? '' : `: ${cause}`}, restarting it in ${delayMs / 1000} s`);
    restartAfter(delayMs);
  }

  /** Sleeps instead of using a timer, which would not keep this process alive while every child waits. */
  function restartAfter(delayMs: number): void {
    const waiting = new AbortController();
    delay = waiting;
    void clock.sleep(delayMs, waiting.signal).then(() => {
      if (!waiting.signal.aborted) run();
    });
  }

  function finish(): void {
    transition('stopped');
    resolveStopped();
  }

  run();
  return {
    name,
    state: () => state,
    pid: () => child?.pid ?? null,
    stop() {
      delay?.abort();
      if (child === null || state === 'stopped') finish();
      else if (transition('stopping')) {
        child.kill('SIGTERM');
        clock.after(STOP_MS_MAX, () => child?.kill('SIGKILL'));
      }
      return whenStopped;
    },
  };
}

/** Returns the delays before restarts. They start from the shortest again after a stable run. */
function createRestartDelays(clock: Clock): { started(): void; next(): number } {
  let startedAt = 0;
  let failures = 0;
  return {
    started() {
      startedAt = clock.monotonic();
    },
    next() {
      if (clock.monotonic() - startedAt > STABLE_MS) failures = 0;
      failures += 1;
      return backoffMs(failures, 0, RESTART_BACKOFF);
    },
  };
}

/**
 * Starts one of Picket's own programs with its own process group, so that Ctrl-C reaches only the supervisor, which
 * then stops the programs in order. The child notices the end of the supervisor when the IPC channel closes. Its log
 * goes to `log`, a file descriptor or the output of the supervisor; what it prints before it has a log is always shown.
 */
export function spawnProgram(
  nodeFlags: readonly string[],
  script: string,
  env: Record<string, string | undefined>,
  log: number | 'inherit',
): ChildProcess {
  return spawn(process.execPath, [...nodeFlags, script], {
    env,
    stdio: ['ignore', log, 'inherit', 'ipc'],
    detached: true,
  });
}
