import { realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/**
 * Locks a data directory for this process, because two nodes of the same kind would corrupt each other's spool. The
 * lock is a socket in Linux's abstract namespace, which disappears with the process however it ends. Resolves to false
 * when another process holds the lock.
 */
export function lockDirectory(kind: 'probe' | 'agent', directory: string): Promise<boolean> {
  const server: Server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    // The socket also keeps the process alive while no stream is open; the product's timers do not.
    server.listen({ path: `\0picket-${kind}:${realpathSync(directory)}` }, () => resolve(true));
  });
}
