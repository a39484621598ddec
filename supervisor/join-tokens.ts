import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SettingError } from '../kernel/settings.js';
import type { Env } from './child-env.js';
import type { SupervisorConfig } from './config.js';
import { failureLine } from './failure.js';

const run = promisify(execFile);

/** EX_USAGE of sysexits.h: the command line refuses its arguments, which are the codes of locations. */
const EXIT_USAGE = 64;

/**
 * Returns join tokens by location, for the probes of this machine that have no credential yet. Throws SettingError for
 * a location that does not exist.
 */
export async function probeTokens(
  cli: string,
  config: Pick<SupervisorConfig, 'locations' | 'dataDir'>,
  env: Env,
): Promise<Map<string, string>> {
  const missing = config.locations.filter((location) => !hasJoined(join(config.dataDir, 'probes', location)));
  if (missing.length === 0) return new Map();
  return createTokens(cli, missing, env).catch((error: unknown) => {
    const line = failureLine(error).replace(/^picket: /, '');
    if (error instanceof Error && 'code' in error && error.code === EXIT_USAGE) {
      throw new SettingError('PICKET_LOCATIONS', `contains an ${line}`);
    }
    throw new Error(`failed to create join tokens for the probes: ${line}`, { cause: error });
  });
}

/**
 * Returns a join token for the agent of this machine; null if the agent has a credential. Throws if the plan allows no
 * further server.
 */
export async function agentToken(cli: string, agentDir: string, env: Env): Promise<string | null> {
  if (hasJoined(agentDir)) return null;
  return (await createTokens(cli, ['--server'], env)).get('server') ?? null;
}

function hasJoined(dataDir: string): boolean {
  return existsSync(join(dataDir, 'credential.json'));
}

/** Runs the command line of the control plane, which prints a line `purpose token` for each token. */
async function createTokens(cli: string, args: readonly string[], env: Env): Promise<Map<string, string>> {
  const { stdout } = await run(process.execPath, [cli, 'join-token', ...args], { env });
  return new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => {
        const [purpose = '', token = ''] = line.split(' ');
        return [purpose, token];
      }),
  );
}
