import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';

/** How TLS is spoken on a connection. `servername` is null for an address, which SNI does not know. */
export interface TlsUse {
  context: SecureContext;
  servername: string | null;
}

export interface SocketEvents {
  connected(): void;
  secured(socket: TLSSocket): void;
  data(bytes: Buffer): void;
  /** The other side has ended the connection, or it is closed. */
  ended(): void;
  failed(error: Error): void;
}

/** Opens a connection with its listeners in place, so that no error of a socket is ever without one. */
export function openSocket(address: string, port: number, tls: TlsUse | null, events: SocketEvents): Socket {
  const socket = tls === null ? connectTcp({ host: address, port }) : openTls(address, port, tls, events);
  socket.on('connect', events.connected);
  socket.on('data', events.data);
  socket.on('end', events.ended);
  // A socket that was reset may close without an error or an end of its own.
  socket.on('close', events.ended);
  socket.on('error', events.failed);
  return socket;
}

function openTls(host: string, port: number, tls: TlsUse, events: SocketEvents): TLSSocket {
  const socket = connectTls({
    host,
    port,
    secureContext: tls.context,
    ALPNProtocols: ['http/1.1'],
    // A bad certificate is judged by `secured`, which also reports it; OpenSSL verifies the chain all the same.
    rejectUnauthorized: false,
    ...(tls.servername === null ? {} : { servername: tls.servername }),
  });
  // Node compares the names unless the session is an old one, parsing the whole chain each time for a third of the
  // cost of a check. `secured` compares them too, and remembers the answer by fingerprint.
  socket.isSessionReused = sayResumed;
  socket.on('secureConnect', () => events.secured(socket));
  return socket;
}

function sayResumed(): boolean {
  return true;
}
