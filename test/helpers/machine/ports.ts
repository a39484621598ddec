import { createServer } from 'node:net';

/** Below the ports that the system gives to connections, so that no connection takes a port before the test does. */
const PORTS = { first: 20_000, count: 12_000 };

/** Returns a loopback port that nothing listens on, and that no other test gets while this process runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if ((await isReserved(port)) && (await isFree(port))) return port;
  }
}

/**
 * Reserves the port for this process, and returns whether no other one had. Programs take seconds to start and to listen, and
 * several tests run at a time. The reservation is a socket in Linux's abstract namespace, which ends with the process.
 */
function isReserved(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ path: `\0picket-test-port-${port}` }, () => {
      server.unref();
      resolve(true);
    });
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A resolver that does not exist, so that no test looks up a name outside of this machine. */
export const NO_RESOLVER = '127.0.0.1:9';
