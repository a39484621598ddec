import { createHash } from 'node:crypto';
import type { Random } from '../../../kernel/random.js';
import { SealBroken, type SecretBox } from '../../storage/secret-box.js';
import type { AuthorizationChecks } from './provider-client.js';

/** From the start of a log-in to the answer of the provider. */
export const FLOW_MS = 600_000;
const SECRET_BYTES = 32;
const SEALED_CHARS_MAX = 3_500;
const SEALED_FOR = { purpose: 'single_sign_on_flow', id: 'browser' };

/** A log-in that has begun. The browser keeps it, encrypted, so that no other browser can finish it. */
export interface Flow extends AuthorizationChecks {
  /** The workspace of the provider, or `installation`. */
  provider: string;
  /** Fingerprint of the issuer and the client id. When they change meanwhile, the log-in cannot be finished. */
  settings: string;
  next: string;
  expiresAtMs: number;
}

/** Returns random values for a new log-in. Each is used once. */
export function newChecks(random: Random): Pick<AuthorizationChecks, 'state' | 'nonce' | 'codeVerifier'> {
  const secret = () => random.bytes(SECRET_BYTES).toString('base64url');
  return { state: secret(), nonce: secret(), codeVerifier: secret() };
}

export function settingsFingerprint({ issuer, clientId }: { issuer: string; clientId: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, clientId]))
    .digest('base64url');
}

/** The same for a state and for nothing else; it marks the state as used. */
export function stateHash(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}

export function sealFlow(flow: Flow, box: SecretBox): string {
  return box.seal(JSON.stringify(flow), SEALED_FOR);
}

/** Returns the flow in a cookie; null when Picket did not write it. The caller checks when it expires. */
export function openFlow(sealed: string | null, box: SecretBox): Flow | null {
  if (sealed === null || sealed.length > SEALED_CHARS_MAX || !sealed.startsWith('v2.')) return null;
  try {
    return JSON.parse(box.open(sealed, SEALED_FOR)) as Flow;
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
