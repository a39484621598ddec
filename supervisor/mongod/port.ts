import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Random } from '../../kernel/random.js';

const PORT_RANGE_FILE = '/proc/sys/net/ipv4/ip_local_port_range';
/** The range of Linux unless it is configured, which also includes that of other systems. */
const FIRST_EPHEMERAL_DEFAULT = 32_768;
const LAST_EPHEMERAL_DEFAULT = 65_535;
/** Below are ports of well-known services. */
const FIRST_CANDIDATE = 10_000;
const RANDOM_TRIES_MAX = 50;

/** The ports that the system gives to outgoing connections, both ends included. */
export interface EphemeralPorts {
  first: number;
  last: number;
}

/** Returns the range that Linux uses (ip-sysctl, `ip_local_port_range`), or its default where that cannot be read. */
export async function ephemeralPorts(): Promise<EphemeralPorts> {
  const text = await readFile(PORT_RANGE_FILE, 'utf8').catch(() => '');
  const [first, last] = text.trim().split(/\s+/).map(Number);
  return { first: first || FIRST_EPHEMERAL_DEFAULT, last: last || LAST_EPHEMERAL_DEFAULT };
}

/**
 * Returns a free loopback port for mongod: `lastPort` if possible, otherwise a random one. Neither is an ephemeral port,
 * because a killed mongod must get its port back: while it restarts, the system could give an ephemeral port to an outgoing
 * connection. Only where all ports are ephemeral, the system chooses. `lastPort` 0: there is none.
 */
export async function chooseMongodPort(lastPort: number, ephemeral: EphemeralPorts, random: Random): Promise<number> {
  const isEphemeral = (port: number) => port >= ephemeral.first && port <= ephemeral.last;
  if (lastPort !== 0 && !isEphemeral(lastPort) && (await isFree(lastPort))) return lastPort;
  const candidates = ephemeral.first - FIRST_CANDIDATE;
  for (let tries = 0; candidates > 0 && tries < RANDOM_TRIES_MAX; tries++) {
    const port = FIRST_CANDIDATE + Math.floor(random.fraction() * candidates);
    if (await isFree(port)) return port;
  }
  const port = await tryToListen(0);
  if (port === null) throw new Error('there is no free loopback port for mongod');
  return port;
}

const isFree = async (port: number) => (await tryToListen(port)) !== null;

/** Returns the port if it is free; null otherwise. Port 0 lets the system choose one. */
async function tryToListen(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
