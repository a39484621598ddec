import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { failureLine } from '../failure.js';

const run = promisify(execFile);

/** Before 6.0, transactions and change streams behave differently from the versions that Picket is tested with. */
export const MAJOR_VERSION_MIN = 6;
const VERSION_TIMEOUT_MS = 20_000;

/**
 * The first versions with the fix of CVE-2025-14847, by release series. Series after the last one have it from their
 * start, and series that are missing here never got it. Source: https://jira.mongodb.org/browse/SERVER-115508.
 */
const FIXED: readonly (readonly [major: number, minor: number, patch: number])[] = [
  [6, 0, 27],
  [7, 0, 28],
  [8, 0, 17],
  [8, 2, 3],
];

/** A mongod that can be used, or why it cannot: for example, a library is missing. */
export type MongodCheck = { version: string; warning: string | null } | { problem: string };

/** Runs `mongod --version`. `warning` is one sentence if the version has a known vulnerability. */
export async function checkMongod(binary: string): Promise<MongodCheck> {
  let stdout: string;
  try {
    ({ stdout } = await run(binary, ['--version'], { timeout: VERSION_TIMEOUT_MS }));
  } catch (error) {
    return { problem: failureLine(error) };
  }
  const [found, version = ''] = /db version v(\d+\.\d+\.\d+)/.exec(stdout) ?? [];
  if (Number.parseInt(version, 10) >= MAJOR_VERSION_MIN) return { version, warning: vulnerability(version) };
  return { problem: `${found ?? 'no version'}, but version ${MAJOR_VERSION_MIN}.0 or later is required` };
}

/** Returns a sentence about the vulnerability of a version; null if it has the fix. */
function vulnerability(version: string): string | null {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const series = FIXED.find((fixed) => fixed[0] === major && fixed[1] === minor);
  const [lastMajor = 0, lastMinor = 0] = FIXED.at(-1) ?? [];
  const isNewer = major > lastMajor || (major === lastMajor && minor > lastMinor);
  if (series === undefined ? isNewer : patch >= series[2]) return null;
  const update = series === undefined ? 'a supported series' : `${series.join('.')} or later`;
  return `MongoDB ${version} has a known vulnerability (CVE-2025-14847); Picket disables the zlib compression that it needs, but update to ${update}`;
}
