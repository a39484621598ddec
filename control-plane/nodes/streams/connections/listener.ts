import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { whenHelloArrived } from './client-hello.js';
import type { Connections } from './connections.js';

/** The open gRPC port. */
export interface Listener {
  /** With port 0 the system chooses it. */
  port: number;
  /** Accepts no further connections. */
  stop(): void;
}

/**
 * Opens the port and passes its connections on. This is our own listener because grpc-js knows a connection only once
 * its HTTP/2 session is up, and limits neither how many there are nor how long one takes to get there.
 */
export async function listenFor(needs: {
  host: string;
  port: number;
  connections: Connections;
  /** Starts TLS and HTTP/2 on a connection. Called when the first record of the client has arrived. */
  serve(socket: Socket): void;
}): Promise<Listener> {
  const server = createServer({ noDelay: true }, (socket) => {
    // What ended the connection does not matter here, and an error without a listener would end the process.
    socket.on('error', () => {});
    if (!needs.connections.opened(socket)) return;
    // Only then, because TLS allocates a buffer for its first read: as large as what has arrived if something has, and
    // 64 KiB otherwise, for as long as the connection lasts.
    whenHelloArrived(socket, () => {
      if (needs.connections.began(socket)) needs.serve(socket);
    });
  });
  await listening(server, needs.host, needs.port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : needs.port,
    stop: () => void server.close(),
  };
}

function listening(server: NetServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
