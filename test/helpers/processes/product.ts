import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, NO_RESOLVER } from '../machine/ports.js';
import { waitFor } from '../wait.js';

const SUPERVISOR = fileURLToPath(new URL('../../../build/supervisor/main.js', import.meta.url));

export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text of any other media type. */
  body: ReturnType<typeof JSON.parse>;
}

/** All of Picket as `scripts/start` runs it, with its own folder and ports. */
export interface Product {
  url: string;
  dataDir: string;
  httpPort: number;
  grpcPort: number;
  apiKey: string;
  /** Everything that the processes have printed so far. */
  output(): string;
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
  /** The current process ID of `mongod`, `control-plane`, `probe-fra` or `agent`. */
  pid(name: string): Promise<number>;
  kill(name: string, signal?: NodeJS.Signals): Promise<void>;
  /** Kills the supervisor itself with SIGKILL, but not its processes. */
  killSupervisor(): Promise<void>;
  /** Sends SIGTERM to the supervisor. Resolves with its exit code. */
  stop(): Promise<number>;
  /** Starts it again with the same data and these additional settings. */
  restart(settings?: Record<string, string>): Promise<void>;
  /** Stops it if it is running, and removes the folder. */
  remove(): Promise<void>;
}

const READY_MS_MAX = 120_000;

export async function startProduct(env: Record<string, string> = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'picket-product-'));
  const httpPort = Number(env['PICKET_HTTP_PORT'] ?? (await freePort()));
  const grpcPort = Number(env['PICKET_GRPC_PORT'] ?? (await freePort()));
  const url = `http://127.0.0.1:${httpPort}`;
  const locations = env['PICKET_LOCATIONS'] ?? 'fra,nyc,sin,lon,sfo';
  let supervisor: ChildProcess;
  let output = '';
  let apiKey = '';

  async function start(settings: Record<string, string> = {}): Promise<void> {
    supervisor = spawn(process.execPath, [SUPERVISOR], {
      env: {
        ...process.env,
        PICKET_LOCAL_AGENT: '0',
        PICKET_LOG_LEVEL: 'warn',
        PICKET_RATE_LIMIT: '0',
        // Tests with a registry name their own.
        PICKET_RDAP_BOOTSTRAP: 'off',
        PICKET_DNS_SERVERS: NO_RESOLVER,
        ...env,
        ...settings,
        PICKET_DATA_DIR: dataDir,
        PICKET_HTTP_PORT: String(httpPort),
        PICKET_GRPC_PORT: String(grpcPort),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    supervisor.stdout?.on('data', (chunk) => (output += chunk));
    supervisor.stderr?.on('data', (chunk) => (output += chunk));
    const probes = locations.split(',').filter((code) => code !== '').length;
    await waitFor('Picket ready', READY_MS_MAX, async () => {
      if (supervisor.exitCode !== null) throw new Error(`ended with ${supervisor.exitCode}:\n${output.slice(-3000)}`);
      return (await fetch(`${url}/readyz?probes=${probes}`)).ok;
    }).catch(async (error: Error) => {
      await product.stop();
      throw new Error(`${error.message}\n${output.slice(-3000)}`);
    });
    const firstRun = await waitFor('first-run.json', READY_MS_MAX, () =>
      readFile(join(dataDir, 'first-run.json'), 'utf8'),
    );
    apiKey = JSON.parse(firstRun).api_key;
  }

  const product: Product = {
    url,
    dataDir,
    httpPort,
    grpcPort,
    get apiKey() {
      return apiKey;
    },
    output: () => output,
    async api(method, path, body, headers = {}) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const json = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
      return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
    },
    async pid(name) {
      return JSON.parse(await readFile(join(dataDir, 'run', `${name}.pid`), 'utf8')).pid;
    },
    async kill(name, signal = 'SIGKILL') {
      process.kill(await product.pid(name), signal);
    },
    async killSupervisor() {
      const gone = new Promise((resolve) => supervisor.once('exit', resolve));
      supervisor.kill('SIGKILL');
      await gone;
    },
    async stop() {
      if (supervisor.exitCode !== null || supervisor.signalCode !== null) return supervisor.exitCode ?? -1;
      const gone = new Promise<number>((resolve) => supervisor.once('exit', (code) => resolve(code ?? -1)));
      supervisor.kill('SIGTERM');
      return gone;
    },
    restart: start,
    async remove() {
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  await start();
  return product;
}
