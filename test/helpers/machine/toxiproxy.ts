import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cacheDirectory } from '../../../supervisor/config.js';
import { waitFor } from '../wait.js';
import { freePort } from './ports.js';

/** Installed by `scripts/test-tools/install-toxiproxy`. */
const BINARY = join(cacheDirectory(process.env), 'toxiproxy-server');

export interface Toxiproxy {
  /** The port to connect to instead of the upstream. */
  port: number;
  /** Drops everything in both directions, without closing connections, until `heal`. */
  blackHole(): Promise<void>;
  heal(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real toxiproxy in front of an upstream port of this machine. */
export async function toxiproxy(upstreamPort: number): Promise<Toxiproxy> {
  const apiPort = await freePort();
  const port = await freePort();
  const server = spawn(BINARY, ['-host', '127.0.0.1', '-port', String(apiPort)], { stdio: 'ignore' });
  const api = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${apiPort}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`toxiproxy ${method} ${path}: ${response.status} ${await response.text()}`);
  };
  await waitFor('toxiproxy', 60_000, async () => (await fetch(`http://127.0.0.1:${apiPort}/version`)).ok);
  await api('POST', '/proxies', {
    name: 'link',
    listen: `127.0.0.1:${port}`,
    upstream: `127.0.0.1:${upstreamPort}`,
    enabled: true,
  });
  return {
    port,
    async blackHole() {
      for (const stream of ['upstream', 'downstream']) {
        // With a timeout of 0, the connection is never closed and no data pass.
        await api('POST', '/proxies/link/toxics', {
          name: `hole_${stream}`,
          type: 'timeout',
          stream,
          attributes: { timeout: 0 },
        });
      }
    },
    async heal() {
      for (const stream of ['upstream', 'downstream']) await api('DELETE', `/proxies/link/toxics/hole_${stream}`);
    },
    async stop() {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await gone;
    },
  };
}
