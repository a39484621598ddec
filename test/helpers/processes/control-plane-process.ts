import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROL_PLANE_NODE_FLAGS } from '../../../supervisor/node-flags.js';
import { freePort } from '../machine/ports.js';
import { waitFor } from '../wait.js';
import { builtProcess } from './control-plane.js';
import type { ApiAnswer } from './product.js';

const READY_MS_MAX = 120_000;

/** A control plane process without a supervisor that restarts it. */
export interface ControlPlaneProcess {
  url: string;
  /** `127.0.0.1:<port>`, for probes and agents. */
  grpcAddress: string;
  /** Resolves when it is ready. Each start has the same ports and data. */
  start(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** The id of its process; 0 before the first start. */
  pid(): number;
  api(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
}

/** Control planes of one database may share a `dataDir`, like machines with the same secret key. */
export async function controlPlaneProcess(
  mongodbUri: string,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<ControlPlaneProcess> {
  const [httpPort, grpcPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${httpPort}`;
  let child: ChildProcess | null = null;
  let output = '';
  return {
    url,
    grpcAddress: `127.0.0.1:${grpcPort}`,
    async start() {
      const started = builtProcess(
        'control-plane/main.js',
        [],
        {
          PICKET_MONGODB_URI: mongodbUri,
          PICKET_DATA_DIR: dataDir,
          PICKET_HTTP_PORT: String(httpPort),
          PICKET_GRPC_PORT: String(grpcPort),
          PICKET_ALLOW_PRIVATE_TARGETS: '1',
          PICKET_RATE_LIMIT: '0',
          // Tests with a registry name their own.
          PICKET_RDAP_BOOTSTRAP: 'off',
          PICKET_LOG_LEVEL: 'warn',
          ...env,
        },
        CONTROL_PLANE_NODE_FLAGS,
      );
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream?.on('data', (chunk) => {
          output += chunk;
        });
      }
      await waitFor('a control plane', READY_MS_MAX, async () => {
        if (started.exitCode !== null) throw new Error(`it ended with ${started.exitCode}: ${output.slice(-2_000)}`);
        return (await fetch(`${url}/readyz`)).ok;
      });
    },
    async kill(signal) {
      const ending = child;
      if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
      const gone = new Promise((resolve) => ending.once('exit', resolve));
      ending.kill(signal);
      await gone;
    },
    pid: () => child?.pid ?? 0,
    async api(method, path, body) {
      const key = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')).api_key;
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text) };
    },
  };
}
