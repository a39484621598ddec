import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONTROL_PLANE_NODE_FLAGS } from '../../../supervisor/node-flags.js';
import { wholeText } from '../http/whole-text.js';
import { freePort, NO_RESOLVER } from '../machine/ports.js';
import { waitFor } from '../wait.js';
import type { ApiAnswer } from './product.js';

const BUILD = new URL('../../../build/', import.meta.url);
const READY_MS_MAX = 120_000;

/** The whole control plane as a process, with a database of the test. */
export interface ControlPlane {
  url: string;
  dataDir: string;
  /** Its environment, for commands of the same installation. */
  env: Record<string, string>;
  /** The key of the first owner, with full access. */
  apiKey: string;
  /** The id of its process. */
  pid: number;
  /** Everything that it has printed so far. */
  output(): string;
  /** Sends a string as it is, and other bodies as JSON. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number>;
  /** Sends SIGKILL, for a control plane that would wait for its database. */
  kill(): Promise<void>;
  /** Stops it if it is running, and removes its folder. */
  remove(): Promise<void>;
}

/**
 * Starts a program of build/ with only these settings and, by default, no flags of Node.js. `filesMax` is the number of files and
 * connections that it may open; null: as many as this process.
 */
export function builtProcess(
  script: string,
  args: string[],
  env: Record<string, string>,
  nodeFlags: readonly string[] = [],
  filesMax: number | null = null,
): ChildProcess {
  const limit = filesMax === null ? '' : `ulimit -n ${filesMax}; `;
  const command = [process.execPath, ...nodeFlags, fileURLToPath(new URL(script, BUILD)), ...args];
  return spawn('/bin/sh', ['-c', `${limit}exec "$@"`, 'sh', ...command], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function startControlPlane(
  mongodbUri: string,
  settings: Record<string, string> = {},
  { filesMax = null }: { filesMax?: number | null } = {},
): Promise<ControlPlane> {
  // A second control plane of the same installation has the folder of the first.
  const dataDir = settings['PICKET_DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'picket-control-plane-')));
  const httpPort = Number(settings['PICKET_HTTP_PORT'] ?? (await freePort()));
  const env = {
    PICKET_MONGODB_URI: mongodbUri,
    PICKET_DATA_DIR: dataDir,
    PICKET_HTTP_PORT: String(httpPort),
    PICKET_GRPC_PORT: String(await freePort()),
    PICKET_ALLOW_PRIVATE_TARGETS: '1',
    PICKET_RATE_LIMIT: '0',
    // Tests with a registry name their own.
    PICKET_RDAP_BOOTSTRAP: 'off',
    PICKET_DNS_SERVERS: NO_RESOLVER,
    PICKET_LOG_LEVEL: 'warn',
    ...settings,
  };
  const url = `http://127.0.0.1:${httpPort}`;
  const child = builtProcess('control-plane/main.js', [], env, CONTROL_PLANE_NODE_FLAGS, filesMax);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));

  async function stop(): Promise<number> {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? -1;
    const gone = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
    child.kill('SIGTERM');
    return gone;
  }
  async function kill(): Promise<void> {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
  async function remove(): Promise<void> {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  }

  await waitFor('the control plane', READY_MS_MAX, async () => {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    return (await fetch(`${url}/readyz`)).ok;
  }).catch(async (error: Error) => {
    await remove();
    throw new Error(`${error.message}\n${output.slice(-3000)}`);
  });
  const apiKey: string = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8')).api_key;
  return {
    url,
    dataDir,
    env,
    apiKey,
    pid: child.pid ?? 0,
    output: () => output,
    async api(method, path, body, headers = {}) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await wholeText(response);
      const json = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
      return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
    },
    stop,
    kill,
    remove,
  };
}
