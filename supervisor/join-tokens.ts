import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SupervisorConfig } from './config.js';

const run = promisify(execFile);

type Env = Record<string, string | undefined>;

/** Join tokens by location, for the probes of this machine that have no credential yet. */
export async function probeTokens(cli: string, config: SupervisorConfig, env: Env): Promise<Map<string, string>> {
  const missing = config.locations.filter((location) => !hasJoined(join(config.dataDir, 'probes', location)));
  return missing.length === 0 ? new Map() : askForTokens(cli, missing, env);
}

/** A join token for the agent of this machine; null when it has a credential. Throws when the plan has no place for it. */
export async function agentToken(cli: string, agentDir: string, env: Env): Promise<string | null> {
  if (hasJoined(agentDir)) return null;
  return (await askForTokens(cli, ['--server'], env)).get('server') ?? null;
}

function hasJoined(dataDir: string): boolean {
  return existsSync(join(dataDir, 'credential.json'));
}

/** Each line of the answer is what a token is for, and the token. */
async function askForTokens(cli: string, wanted: readonly string[], env: Env): Promise<Map<string, string>> {
  const { stdout } = await run(process.execPath, [cli, 'join-token', ...wanted], { env });
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
