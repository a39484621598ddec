import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Clock } from '../../kernel/clock.js';
import { SERVER_NAME } from '../../proto/handshake.js';
import { splitAddress } from './join-token.js';

const CHAIN_CERTIFICATES_MAX = 10;
const CONNECT_DEADLINE_MS = 10_000;

/** The control plane answered, but none of its certificates has the fingerprint of the join token. */
export class FingerprintError extends Error {}

/**
 * Reads the certificate chain of a control plane over TLS and returns (as PEM) the certificate with this SHA-256
 * fingerprint. This connection itself is not trusted: the caller opens a new one that trusts only this certificate.
 */
export async function fetchAuthority(address: string, fingerprint: string, clock: Clock): Promise<string> {
  const { host, port } = splitAddress(address);
  const socket = connect({
    host,
    port,
    ...(isIP(host) === 0 ? { servername: host } : { servername: SERVER_NAME }),
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  });
  try {
    await handshake(socket, address, clock);
    return pinned(socket.getPeerX509Certificate(), fingerprint, address);
  } finally {
    socket.destroy();
  }
}

function handshake(socket: TLSSocket, address: string, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(CONNECT_DEADLINE_MS, () => reject(new Error(`${address} did not answer within 10 s`)));
    socket.once('secureConnect', () => {
      timer.cancel();
      resolve();
    });
    socket.on('error', (error) => {
      timer.cancel();
      reject(new Error(`${address} cannot be reached: ${error.message}`));
    });
  });
}

function pinned(leaf: X509Certificate | undefined, fingerprint: string, address: string): string {
  let certificate = leaf;
  for (let depth = 0; depth < CHAIN_CERTIFICATES_MAX && certificate !== undefined; depth += 1) {
    if (certificate.fingerprint256.replaceAll(':', '').toLowerCase() === fingerprint) return certificate.toString();
    certificate = certificate.issuerCertificate;
  }
  throw new FingerprintError(
    `${address} does not present the certificate authority of the join token: either another system intercepts the ` +
      'connection to the control plane, or the token is for another control plane',
  );
}
