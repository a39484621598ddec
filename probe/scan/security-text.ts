import type { ScanSecurityText } from '../../proto/generated/picket/link/v1/ScanSecurityText.js';
import { CheckFailure } from '../checks/outcome.js';
import type { ScanClient } from './client.js';

const BYTES_MAX = 32 * 1024;

/** Reads `/.well-known/security.txt` (RFC 9116). */
export async function readSecurityText(client: ScanClient, base: URL): Promise<ScanSecurityText> {
  try {
    const { head, body } = await client.get(new URL('/.well-known/security.txt', base), BYTES_MAX);
    const text = body.toString('utf8');
    const hasContact = /^contact:\s*\S/im.test(text);
    if (head.status !== 200 || /^\s*</.test(text)) return { outcome: 'absent', hasContact: false, expiresMs: 0 };
    const expires = /^expires:\s*(\S{1,40})/im.exec(text)?.[1];
    return { outcome: 'present', hasContact, expiresMs: timeOf(expires) };
  } catch (error) {
    if (error instanceof CheckFailure) return { outcome: 'unknown', hasContact: false, expiresMs: 0 };
    throw error;
  }
}

function timeOf(text: string | undefined): number {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? 0 : ms;
}
