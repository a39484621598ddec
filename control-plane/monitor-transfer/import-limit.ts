import type { Clock } from '../../kernel/clock.js';
import { AppError } from '../errors.js';
import { createWorkLimit, type Work, type WorkLimit, type WorkLimits } from '../http/limits/work-limit.js';

/** Each import reads, validates, matches and writes up to 2,000 monitors. */
const IMPORTS: WorkLimits = {
  runningMax: 2,
  runningPerWorkspaceMax: 1,
  runningOfFreeMax: 1,
  // Together with `runMsMax` this is less than the transaction of a request may take. The rest is for the last part and the commit.
  waitMsMax: 800,
  runMsMax: { Free: 4_800, Pro: 4_800, Enterprise: 4_800 },
  budgetMs: { Free: 5_000, Pro: 15_000, Enterprise: 30_000 },
};

/** Returns the limit of how much of the processor imports take. */
export function createImportLimit(needs: { clock: Clock }): WorkLimit {
  return createWorkLimit(needs, IMPORTS, {
    busy,
    spent: 'The imports of this workspace have taken',
    advice: 'import fewer monitors',
  });
}

function busy(): AppError {
  return new AppError('rate_limited', 'Other files are being imported. Try again in 2 seconds.', {
    headers: { 'Retry-After': '2' },
  });
}

/** What a caller is told whose import takes too long. */
export function tooLong(isDryRun: boolean): Work['tooLong'] {
  const what = isDryRun ? 'The dry run' : 'The import';
  const nothing = isDryRun ? '' : ' Nothing was imported.';
  return (ms) => {
    const detail = `${what} took longer than ${ms / 1_000} s, and was given up.${nothing} Split the file, or try again when less is going on.`;
    return new AppError('unavailable', detail, { headers: { 'Retry-After': '5' } });
  };
}
