import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import type { Clock } from '../../kernel/clock.js';
import { splitAddress } from './join-token.js';

/** The name in every control plane's own certificate, whatever host it runs on. */
export const SERVER_NAME = 'picket-control-plane';

const CHAIN_CERTIFICATES_MAX = 10;
const CONNECT_DEADLINE_MS = 10_000;

/** The control plane answered, but with certificates that the join token does not vouch for. */
export class FingerprintError extends Error {}

/**
 * Asks a control plane for its certificates over plain TLS and returns (as PEM) the one with this SHA-256
 * fingerprint. Nothing is believed of the connection itself: the caller opens a new one that trusts this
 * certificate only.
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
    await secured(socket, address, clock);
    return pinned(socket.getPeerCertificate(true), fingerprint, address);
  } finally {
    socket.destroy();
  }
}

function secured(socket: TLSSocket, address: string, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(CONNECT_DEADLINE_MS, () => reject(new Error(`${address} did not answer in 10 s`)));
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

function pinned(leaf: DetailedPeerCertificate, fingerprint: string, address: string): string {
  let certificate: DetailedPeerCertificate | undefined = leaf;
  for (let depth = 0; depth < CHAIN_CERTIFICATES_MAX && certificate?.raw !== undefined; depth += 1) {
    if (createHash('sha256').update(certificate.raw).digest('hex') === fingerprint) return toPem(certificate.raw);
    if (certificate.issuerCertificate === certificate) break;
    certificate = certificate.issuerCertificate;
  }
  throw new FingerprintError(
    `${address} does not present the certificate authority named in the join token: either something stands ` +
      'between this machine and the control plane, or the token is of another one',
  );
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
