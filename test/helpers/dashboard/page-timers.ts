import type { BrowserContext } from 'playwright-core';
import { deadlineMs } from '../deadline.js';

/** Pages read this often, or less often, what no event has changed. */
const PERIODS_MS = { fromMs: 10_000, toMs: 2 ** 31 - 1, butMs: 15_000 };
/** A message stays this long, with and without a way back. */
const MESSAGES_MS = [6_000, 15_000];
/** Pages wait exactly this long for an answer, or for a row to appear. Backoff is random, and goes on. */
const DEADLINES_MS = { fromMs: 5_000, toMs: 5_000, butMs: null };

/**
 * Lets the pages that the window opens from now on read nothing only because time has passed: an event must have said it. Every
 * 15 seconds they still try again what failed, and everything while there is no stream.
 */
export async function withoutPeriodicReads(context: BrowserContext): Promise<void> {
  await context.addInitScript(dropTimers, { name: 'setInterval', ...PERIODS_MS } as const);
}

/**
 * Lets the pages that the window opens from now on wait for what a busy machine does for as long as it takes. With a clock of
 * the test, call it after that was installed.
 */
export async function withoutDeadlines(context: BrowserContext): Promise<void> {
  await context.addInitScript(dropTimers, { name: 'setTimeout', ...DEADLINES_MS } as const);
}

/** Lets messages stay in the pages of the window for as long as tests wait for anything: on a busy machine, a step comes late. */
export async function withLastingMessages(context: BrowserContext): Promise<void> {
  await context.addInitScript(
    stretchTimers,
    MESSAGES_MS.map((fromMs) => ({ fromMs, toMs: deadlineMs(fromMs) })),
  );
}

interface Dropped {
  name: 'setInterval' | 'setTimeout';
  fromMs: number;
  toMs: number;
  butMs: number | null;
}

/** Runs in the page: no timer of this kind and length ends. */
function dropTimers({ name, fromMs, toMs, butMs }: Dropped): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const window = globalThis as any;
  const original = window[name];
  window[name] = (run: unknown, ms = 0, ...rest: unknown[]) =>
    ms >= fromMs && ms <= toMs && ms !== butMs ? original(() => {}, 2 ** 31 - 1) : original(run, ms, ...rest);
}

/** Runs in the page: timers of these lengths end later. */
function stretchTimers(stretched: { fromMs: number; toMs: number }[]): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const window = globalThis as any;
  const original = window.setTimeout;
  window.setTimeout = (run: unknown, ms = 0, ...rest: unknown[]) =>
    original(run, stretched.find(({ fromMs }) => fromMs === ms)?.toMs ?? ms, ...rest);
}
