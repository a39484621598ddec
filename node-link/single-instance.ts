import { realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/**
 * Makes sure that one process only of its `kind` (`probe`, `agent`) uses a data directory: two would write into each
 * other's spool. The lock is a socket in Linux's abstract namespace, which goes with the process however it ends.
 * Resolves false when another process holds it.
 */
export function lockDirectory(kind: 'probe' | 'agent', directory: string): Promise<boolean> {
  const server: Server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    // It also keeps the process alive while no stream is open: timers do not.
    server.listen({ path: `\0picket-${kind}:${realpathSync(directory)}` }, () => resolve(true));
  });
}
