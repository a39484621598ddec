import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Env } from './child-env.js';
import type { SupervisorConfig } from './config.js';

const run = promisify(execFile);

/** Returns join tokens by location, for the probes of this machine that have no credential yet. */
export async function probeTokens(cli: string, config: SupervisorConfig, env: Env): Promise<Map<string, string>> {
  const missing = config.locations.filter((location) => !hasJoined(join(config.dataDir, 'probes', location)));
  return missing.length === 0 ? new Map() : createTokens(cli, missing, env);
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
