import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../kernel/clock.js';

/**
 * - `running`: the process is there.
 * - `waiting`: it ended and is started again after a pause.
 * - `stopping`: told to end; its exit is awaited.
 * - `stopped`: ended and not to come back.
 */
export type ChildState = 'running' | 'waiting' | 'stopping' | 'stopped';

const TRANSITIONS: Record<ChildState, readonly ChildState[]> = {
  running: ['waiting', 'stopping', 'stopped'],
  waiting: ['running', 'stopped'],
  stopping: ['stopped'],
  stopped: [],
};

const PAUSE_MS_FIRST = 250;
const PAUSE_MS_MAX = 30_000;
/** A process that lived this long has earned a fresh start of its pauses. */
const STABLE_MS = 60_000;
/** SIGTERM drains within 10 s; what is still there after this is killed. */
const STOP_MS_MAX = 12_000;

/** The pause before the n-th restart in a row (n from 0), milliseconds: doubles up to half a minute. */
export function restartPauseMs(failures: number): number {
  return Math.min(PAUSE_MS_FIRST * 2 ** failures, PAUSE_MS_MAX);
}

export interface SupervisedChild {
  readonly name: string;
  state(): ChildState;
  pid(): number | null;
  /** SIGTERM, then SIGKILL when it does not end. Resolves once it is gone. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  name: string;
  clock: Clock;
  say: (line: string) => void;
  start: () => ChildProcess;
  /** An exit code after which a restart makes no sense: wrong settings. Called once, instead of a restart. */
  fatalExitCode: number;
  onFatal: () => void;
}

/** Keeps one process alive: one that dies is started again with growing pauses. */
export function superviseChild(options: ChildOptions): SupervisedChild {
  const { name, clock, say } = options;
  let state: ChildState = 'waiting';
  let child: ChildProcess | null = null;
  let startedAt = 0;
  let failures = 0;
  let pause: AbortController | null = null;
  let whenStopped: (() => void)[] = [];

  function transition(to: ChildState): boolean {
    if (!TRANSITIONS[state].includes(to)) return false;
    state = to;
    return true;
  }

  function run(): void {
    if (!transition('running')) return;
    startedAt = clock.monotonic();
    child = options.start();
    child.once('exit', (code, signal) => ended(code, signal));
    child.once('error', (error) => ended(null, error.message));
  }

  function ended(code: number | null, reason: string | null): void {
    child = null;
    if (state === 'stopping') {
      finish();
      return;
    }
    if (code === options.fatalExitCode) {
      finish();
      options.onFatal();
      return;
    }
    if (!transition('waiting')) return;
    if (clock.monotonic() - startedAt > STABLE_MS) failures = 0;
    const pauseMs = restartPauseMs(failures++);
    say(`${name} ended (${reason ?? `code ${code}`}); starting it again in ${pauseMs / 1000} s`);
    wait(pauseMs);
  }

  /** Not a timer, which keeps no process alive: when every child waits there is nothing else to. */
  function wait(pauseMs: number): void {
    const waiting = new AbortController();
    pause = waiting;
    void clock.sleep(pauseMs, waiting.signal).then(() => {
      if (!waiting.signal.aborted) run();
    });
  }

  function finish(): void {
    transition('stopped');
    for (const resolve of whenStopped) resolve();
    whenStopped = [];
  }

  run();
  return {
    name,
    state: () => state,
    pid: () => child?.pid ?? null,
    stop() {
      pause?.abort();
      const gone = new Promise<void>((resolve) => whenStopped.push(resolve));
      if (child === null || state === 'stopped') finish();
      else if (transition('stopping')) {
        child.kill('SIGTERM');
        clock.after(STOP_MS_MAX, () => child?.kill('SIGKILL'));
      }
      return gone;
    },
  };
}

/**
 * Starts one of Picket's own programs in a process group of its own, so that Ctrl-C reaches only the supervisor,
 * which then stops them in order. The IPC channel tells the child when the supervisor itself is gone.
 */
export function startNode(
  nodeFlags: readonly string[],
  script: string,
  env: Record<string, string | undefined>,
): ChildProcess {
  return spawn(process.execPath, [...nodeFlags, script], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
}
