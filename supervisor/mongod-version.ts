import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { failureLine } from './failure.js';

const run = promisify(execFile);

/** Before 6.0, transactions and change streams behave differently from the versions that Picket is tested with. */
export const MAJOR_VERSION_MIN = 6;
const VERSION_TIMEOUT_MS = 20_000;

/** Returns why this mongod cannot be used, for example a missing library; null if it can. */
export async function mongodProblem(binary: string): Promise<string | null> {
  try {
    const { stdout } = await run(binary, ['--version'], { timeout: VERSION_TIMEOUT_MS });
    const version = /db version v(\d+)\.[\d.]+/.exec(stdout);
    if (Number(version?.[1]) >= MAJOR_VERSION_MIN) return null;
    return `${version?.[0] ?? 'no version'}, but version ${MAJOR_VERSION_MIN}.0 or later is required`;
  } catch (error) {
    return failureLine(error);
  }
}
