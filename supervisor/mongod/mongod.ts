import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mongodEnv } from '../child-env.js';
import { type MongodHome, REPLICA_SET } from './home.js';

const CACHE_GIB = 0.5;
/**
 * Each result overwrites the document of its monitor, so most dirty pages are overwritten again before eviction writes
 * them. With MongoDB's defaults (5 % of the cache, five minutes of snapshot history, which Picket never reads),
 * eviction and the history store took a third of its time at 10,000 monitors (docs/decisions/0007).
 */
const ENGINE =
  'eviction_dirty_target=40,eviction_dirty_trigger=60,eviction_updates_target=30,eviction_updates_trigger=50';

/**
 * Not zlib, which mongod has in its defaults: before the versions in `version.ts`, a zlib-compressed message
 * makes mongod send parts of its memory to a client that has no password (CVE-2025-14847).
 */
const COMPRESSORS = 'snappy,zstd';

/**
 * The transaction of a process that was killed keeps its documents locked until mongod ends it, by default after 60 to 90
 * seconds. No transaction of Picket takes longer than 30 s.
 */
const TRANSACTION_S_MAX = 35;

/**
 * Starts mongod on loopback with authentication, so that other users of this machine cannot read the data. It is not
 * ready yet when this returns: see `whenPrimary`.
 */
export function spawnMongod(binary: string, home: MongodHome): ChildProcess {
  const args = [
    ...['--dbpath', home.dbPath, '--port', String(home.port), '--bind_ip', '127.0.0.1'],
    ...['--replSet', REPLICA_SET, '--keyFile', home.keyFile, '--noscripting'],
    ...['--networkMessageCompressors', COMPRESSORS],
    ...['--wiredTigerCacheSizeGB', String(CACHE_GIB), '--logpath', logFile(home), '--logappend', '--quiet'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ...['--setParameter', `transactionLifetimeLimitSeconds=${TRANSACTION_S_MAX}`],
    ...['--setParameter', 'minSnapshotHistoryWindowInSeconds=0', '--wiredTigerEngineConfigString', ENGINE],
  ];
  // With setpriv, the kernel ends mongod when the supervisor is killed.
  const setpriv = '/usr/bin/setpriv';
  const [command, full] = existsSync(setpriv)
    ? [setpriv, ['--pdeathsig', 'TERM', '--', binary, ...args]]
    : [binary, args];
  // With its own process group, Ctrl-C in the terminal does not stop the database before the processes that use it.
  return spawn(command, full, { stdio: 'ignore', detached: true, env: mongodEnv(process.env) });
}

export function logFile(home: MongodHome): string {
  return join(home.dbPath, 'mongod.log');
}
