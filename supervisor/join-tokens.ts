import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SupervisorConfig } from './config.js';

const run = promisify(execFile);

/** Join tokens by location, for the probes of this machine that have no credential yet. */
export async function joinTokens(
  cli: string,
  config: SupervisorConfig,
  env: Record<string, string | undefined>,
): Promise<Map<string, string>> {
  const missing = config.locations.filter(
    (location) => !existsSync(join(config.dataDir, 'probes', location, 'credential.json')),
  );
  if (missing.length === 0) return new Map();
  const { stdout } = await run(process.execPath, [cli, 'join-token', ...missing], { env });
  return new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => {
        const [location = '', token = ''] = line.split(' ');
        return [location, token];
      }),
  );
}
