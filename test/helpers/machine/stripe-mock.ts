import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cacheDirectory } from '../../../supervisor/config.js';

/** Read by `scripts/test-tools/install-stripe-mock`, which installs it. */
const VERSION = '0.203.0';
const FOLDER = join(cacheDirectory(process.env), `stripe-mock-${VERSION}`);

export interface StripeMock {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts stripe-mock, which accepts what Stripe's own description of its API allows, and refuses anything else with 400 or
 * 404. Its answers have the shape of Stripe's and fixed values; it keeps no state.
 */
export async function startStripeMock(): Promise<StripeMock> {
  // Without an address for HTTPS, it would take a fixed port for it.
  const addresses = ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'];
  const options = [...addresses, '-spec', join(FOLDER, 'description.json')];
  const server = spawn(join(FOLDER, 'stripe-mock'), options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const [gone, lines] = [once(server, 'exit'), createInterface(server.stdout)];
  let port = '';
  for await (const line of lines) {
    port = /^Listening for HTTP at address: 127\.0\.0\.1:(\d+)$/.exec(line)?.[1] ?? port;
    if (!line.startsWith('Listening for HTTPS')) continue;
    // What it prints from now on is not read, and must not block it.
    server.stdout.resume();
    return {
      url: `http://127.0.0.1:${port}`,
      async stop() {
        server.kill();
        await gone;
      },
    };
  }
  throw new Error('stripe-mock did not start');
}
