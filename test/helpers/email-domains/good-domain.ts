import { generateKeyPairSync } from 'node:crypto';
import type { Zone } from './zone.js';

/** Returns a DKIM record with a new RSA key. */
export function dkimRecord(bits: number): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return `v=DKIM1; k=rsa; p=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`;
}

/** Returns the zone of a domain whose settings are all as they should be, with one mail server on loopback. */
export function goodZone(name: string, address = '127.0.0.2'): Zone {
  const host = `mx.${name}`;
  return new Map([
    [name, { mx: [`10 ${host}`], txt: ['unrelated', 'v=spf1 mx -all'] }],
    [host, { a: [address] }],
    [`s1._domainkey.${name}`, { txt: [dkimRecord(2_048)] }],
    [`_dmarc.${name}`, { txt: [`v=DMARC1; p=reject; rua=mailto:dmarc@${name}`] }],
    [`_mta-sts.${name}`, { txt: ['v=STSv1; id=20260131'] }],
    [`_smtp._tls.${name}`, { txt: [`v=TLSRPTv1; rua=mailto:tls@${name}`] }],
    [`${address.split('.').reverse().join('.')}.in-addr.arpa`, { ptr: [host] }],
  ]);
}
