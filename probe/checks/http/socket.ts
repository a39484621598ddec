import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';

/** The TLS settings of a connection. `servername` is null for an address, because SNI contains only names. */
export interface TlsSettings {
  context: SecureContext;
  servername: string | null;
}

export interface SocketEvents {
  connected(): void;
  secured(socket: TLSSocket): void;
  data(bytes: Buffer): void;
  /** The target has ended the connection, or the connection is closed. */
  ended(): void;
  failed(error: Error): void;
}

/** Opens a connection and attaches all listeners, so that no socket error is unhandled. */
export function openSocket(address: string, port: number, tls: TlsSettings | null, events: SocketEvents): Socket {
  const socket = tls === null ? connectTcp({ host: address, port }) : openTls(address, port, tls, events);
  socket.on('connect', events.connected);
  socket.on('data', events.data);
  socket.on('end', events.ended);
  // A socket that was reset may close without an `error` or `end` event.
  socket.on('close', events.ended);
  socket.on('error', events.failed);
  return socket;
}

function openTls(host: string, port: number, tls: TlsSettings, events: SocketEvents): TLSSocket {
  const socket = connectTls({
    host,
    port,
    secureContext: tls.context,
    ALPNProtocols: ['http/1.1'],
    // OpenSSL still verifies the chain, but `secured` decides about the certificate, which a failed check delivers too.
    rejectUnauthorized: false,
    ...(tls.servername === null ? {} : { servername: tls.servername }),
  });
  // Node compares the names unless the session is resumed. That takes a third of the cost of a check, because it parses
  // the whole chain each time. `secured` compares the names itself and caches the result by fingerprint.
  socket.isSessionReused = alwaysTrue;
  socket.on('secureConnect', () => events.secured(socket));
  return socket;
}

function alwaysTrue(): boolean {
  return true;
}
