import type { Clock } from '../../kernel/clock.js';
import { AppError } from '../errors.js';
import { createWorkLimit, type Work, type WorkLimits } from '../http/limits/work-limit.js';

/** Each change that is planned reads and validates up to 10,000 monitors. */
const PLANNING: WorkLimits = {
  runningMax: 2,
  runningPerWorkspaceMax: 1,
  runningOfFreeMax: 1,
  // Together with `runMsMax` this is less than the transaction of a request may take. The rest is for writing the plan.
  waitMsMax: 1_000,
  runMsMax: { Free: 4_000, Pro: 4_000, Enterprise: 4_000 },
  budgetMs: { Free: 5_000, Pro: 15_000, Enterprise: 30_000 },
};

interface Planning extends Omit<Work, 'tooLong'> {
  isDryRun: boolean;
}

/** Limits how much of the processor the planning of bulk changes takes. */
export interface PlanningLimit {
  /** See `WorkLimit`. */
  run<T>(planning: Planning, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export function createPlanningLimit(needs: { clock: Clock }): PlanningLimit {
  const limit = createWorkLimit(needs, PLANNING, {
    busy,
    spent: 'Preparing the bulk changes of this workspace has taken',
    advice: 'select fewer monitors',
  });
  return {
    run: ({ isDryRun, ...of }, work) => limit.run({ ...of, tooLong: (ms) => tooLong(isDryRun, ms) }, work),
  };
}

function busy(): AppError {
  return new AppError('rate_limited', 'Other bulk changes are being prepared. Try again in 2 seconds.', {
    headers: { 'Retry-After': '2' },
  });
}

function tooLong(isDryRun: boolean, ms: number): AppError {
  const what = isDryRun ? 'The dry run' : 'Preparing the change';
  const nothing = isDryRun ? '' : ' Nothing was changed.';
  const detail = `${what} took longer than ${ms / 1_000} s, and was given up.${nothing} Select fewer monitors, or try again when less is going on.`;
  return new AppError('unavailable', detail, { headers: { 'Retry-After': '5' } });
}
