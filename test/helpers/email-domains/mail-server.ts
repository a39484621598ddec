import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { IssuedCertificate } from '../probe/targets-tls.js';

/** A mail server that receives nothing: Picket only asks it for STARTTLS. */
export interface StarttlsServer {
  port: number;
  stop(): Promise<void>;
}

/** Starts a real SMTP server at an address of loopback. Without a certificate it does not offer STARTTLS. */
export async function startStarttlsServer(
  certificate: IssuedCertificate | null,
  { address = '127.0.0.2', port = 0 } = {},
): Promise<StarttlsServer> {
  const server = new SMTPServer({
    disabledCommands: certificate === null ? ['STARTTLS', 'AUTH'] : ['AUTH'],
    ...(certificate === null ? {} : { cert: certificate.cert, key: certificate.key }),
    closeTimeout: 50,
  });
  // A client that ends the connection in the middle is none of its problems.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
