import type { Clock } from '../../../kernel/clock.js';
import { createKeyedSemaphore, inTurn } from '../../../kernel/concurrency/keyed-semaphore.js';
import { createSemaphore } from '../../../kernel/concurrency/semaphore.js';
import { AppError } from '../../errors.js';
import type { PlanName } from '../../plans/plans.js';

const MINUTE_MS = 60_000;

/** How much of one process a kind of work may take that costs much of the processor. */
export interface WorkLimits {
  /** Work that runs at the same time. */
  runningMax: number;
  /** Of this, work of one workspace, so that it leaves room for others. */
  runningPerWorkspaceMax: number;
  /**
   * And of all workspaces on Free, which anybody can make many of: they never keep those who pay waiting. With a single place
   * they can have it, but those who pay come before all of them that wait.
   */
  runningOfFreeMax: number;
  /** How long a request waits for its turn. */
  waitMsMax: number;
  /** Time that the work for a workspace may take in each minute; null without a limit. */
  budgetMs: Readonly<Record<PlanName, number>> | null;
  /** After this time the work is given up; null for never. */
  runMsMax: Readonly<Record<PlanName, number>> | null;
}

/** What a caller is told. */
export interface WorkWording {
  /** Others were running for longer than the request waits. */
  busy(): AppError;
  /** How a sentence on the budget begins: "Preparing the bulk changes of this workspace has taken". */
  spent: string;
  /** What they can do beside waiting: "select fewer monitors". */
  advice: string;
}

/** One piece of work. */
export interface Work {
  workspaceId: string;
  plan: PlanName;
  /** Who asked. A person has one place at a time in all their workspaces; null where nobody is known. */
  userId?: string | null;
  /** Aborted with an error when the client has gone. */
  gone: AbortSignal;
  /** What the caller is told when it takes longer than `runMsMax`. */
  tooLong(runMsMax: number): AppError;
}

/** Lets workspaces take turns at work that costs much of the processor. */
export interface WorkLimit {
  /**
   * Runs `work`, which must end soon after its signal is aborted: when the client has gone, and at the deadline. Throws
   * 429 when others run for too long, or when the work for the workspace took too long in this minute.
   */
  run<T>(of: Work, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export function createWorkLimit({ clock }: { clock: Clock }, limits: WorkLimits, wording: WorkWording): WorkLimit {
  const all = createSemaphore(limits.runningMax);
  const ofFree = createSemaphore(limits.runningOfFreeMax);
  const workspaces = createKeyedSemaphore(limits.runningPerWorkspaceMax);
  const people = createKeyedSemaphore(1);
  const budget = limits.budgetMs === null ? null : createBudget(clock, limits.budgetMs, wording);

  const ofPlan = <T>(plan: PlanName, waiting: AbortSignal, work: () => Promise<T>) =>
    plan === 'Free'
      ? inTurn(ofFree, waiting, () => inTurn(all, waiting, work))
      : inTurn(all, waiting, work, { isUrgent: true });

  return {
    async run({ workspaceId, plan, userId = null, gone, tooLong }, work) {
      budget?.require(workspaceId, plan);
      const wait = within(clock, limits.waitMsMax, wording.busy);
      const waiting = AbortSignal.any([gone, wait.signal]);
      const timed = async () => {
        wait.cancel();
        // Another request of the workspace may have used it up meanwhile.
        budget?.require(workspaceId, plan);
        const runMsMax = limits.runMsMax?.[plan] ?? null;
        const deadline = runMsMax === null ? null : within(clock, runMsMax, () => tooLong(runMsMax));
        const startedMs = clock.monotonic();
        try {
          return await work(deadline === null ? gone : AbortSignal.any([gone, deadline.signal]));
        } finally {
          deadline?.cancel();
          budget?.spend(workspaceId, clock.monotonic() - startedMs);
        }
      };
      const ofWorkspace = () => workspaces.run(workspaceId, waiting, () => ofPlan(plan, waiting, timed));
      const ofPerson = userId === null ? ofWorkspace : () => people.run(userId, waiting, ofWorkspace);
      return ofPerson().finally(wait.cancel);
    },
  };
}

/** Counts the time of work in each minute of the clock. */
function createBudget(clock: Clock, budgetMs: Readonly<Record<PlanName, number>>, { spent, advice }: WorkWording) {
  let minute = -1;
  let spentMs = new Map<string, number>();
  const current = () => {
    const now = Math.floor(clock.monotonic() / MINUTE_MS);
    if (now !== minute) spentMs = new Map();
    minute = now;
    return spentMs;
  };
  return {
    require(workspaceId: string, plan: PlanName): void {
      const allowedMs = budgetMs[plan];
      if ((current().get(workspaceId) ?? 0) < allowedMs) return;
      const waitS = Math.ceil(((minute + 1) * MINUTE_MS - clock.monotonic()) / 1_000);
      const detail = `${spent} more than ${allowedMs / 1_000} s of this minute. Try again in ${waitS} s, or ${advice}.`;
      throw new AppError('rate_limited', detail, { headers: { 'Retry-After': String(waitS) } });
    },
    spend(workspaceId: string, ms: number): void {
      const of = current();
      of.set(workspaceId, (of.get(workspaceId) ?? 0) + ms);
    },
  };
}

/** Returns a signal that is aborted with the error after a time. */
function within(clock: Clock, ms: number, error: () => AppError) {
  const over = new AbortController();
  const timer = clock.after(ms, () => over.abort(error()));
  return { signal: over.signal, cancel: () => timer.cancel() };
}
