import { connect as openTcp } from 'node:net';
import { inParallel } from '../../kernel/concurrency/in-parallel.js';
import type { ScanPort } from '../../proto/generated/picket/link/v1/ScanPort.js';
import type { ConnectAttempt } from '../checks/connect-any.js';
import type { Deadline } from '../checks/deadline.js';
import { CheckFailure } from '../checks/outcome.js';
import type { ScanClient } from './client.js';

/** FTP, SSH, Telnet, SMTP, MySQL, PostgreSQL, Redis, Elasticsearch, memcached and MongoDB. */
const PORTS = [21, 22, 23, 25, 3306, 5432, 6379, 9200, 11211, 27017] as const;
const CONNECT_MS_MAX = 3_000;
const PARALLEL = 5;
/** Errors that the network answered with. Others, such as EMFILE and ENETUNREACH, say something about the probe. */
const CLOSED_CODES: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH']);

/** Connects to the ports of services that should not be public, and closes each connection at once. */
export async function findOpenPorts(client: ScanClient, ports: readonly number[] = PORTS): Promise<ScanPort[]> {
  const found: (ScanPort & { port: number })[] = [];
  await inParallel([...ports], PARALLEL, async (port) => {
    found.push({ port, state: await stateOf(client, port) });
  });
  return found.sort((a, b) => a.port - b.port);
}

async function stateOf(client: ScanClient, port: number): Promise<'open' | 'closed' | 'unknown'> {
  try {
    return await client.connect(port, CONNECT_MS_MAX, connects);
  } catch (error) {
    if (error instanceof CheckFailure) return 'unknown';
    throw error;
  }
}

/**
 * A port that does not answer for the whole time is closed to the world as well: a firewall drops the packets. When the scan
 * had less time left than that, nothing is known about the port.
 */
function connects(target: ConnectAttempt, deadline: Deadline): Promise<'open' | 'closed' | 'unknown'> {
  return new Promise((resolve, reject) => {
    const socket = openTcp({ host: target.address, port: target.port });
    const finish = (state: 'open' | 'closed' | 'unknown' | CheckFailure) => {
      deadline.onStop(null);
      socket.destroy();
      if (state instanceof CheckFailure) reject(state);
      else resolve(state);
    };
    socket.on('connect', () => finish(target.checkReached(socket.remoteAddress ?? '') ?? 'open'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => finish(CLOSED_CODES.has(code) ? 'closed' : 'unknown'));
    deadline.onStop((stop) => {
      if (stop === 'aborted') finish(new CheckFailure('unreachable', 'the probe cancelled the scan'));
      else finish(deadline.timeoutMs >= CONNECT_MS_MAX ? 'closed' : 'unknown');
    });
  });
}
