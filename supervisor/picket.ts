import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { readSupervisorConfig } from './config.js';
import { lastMongodUri } from './mongod/home.js';
import { NODE_FLAGS } from './node-flags.js';

const CLI = fileURLToPath(new URL('../control-plane/cli.js', import.meta.url));

/** `scripts/picket`: runs the control plane's command line with the database that `scripts/start` runs. */
async function main(args: string[]): Promise<number> {
  const { dataDir, mongodbUri } = readSupervisorConfig(process.env);
  const uri = mongodbUri ?? (await lastMongodUri(dataDir));
  const database = uri === null ? {} : { PICKET_MONGODB_URI: uri };
  const env = { ...process.env, ...database, PICKET_DATA_DIR: dataDir };
  return spawnSync(process.execPath, [...NODE_FLAGS, CLI, ...args], { env, stdio: 'inherit' }).status ?? 1;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`picket: ${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof SettingError ? EXIT_CONFIG : 1;
});
