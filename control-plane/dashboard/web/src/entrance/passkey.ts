import { call } from '../api/client.ts';
import type { One } from '../api/types.ts';

/** Passkeys belong to a host name over https, and to localhost. An address as host has none. */
export function canUsePasskeys(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname);
}

/** Resolves to the answer of the authenticator; null when the person cancelled. Throws ApiProblem. */
export async function askPasskey(purpose: 'login' | 'second_factor'): Promise<object | null> {
  const { data } = await call<One<never>>('POST', '/v1/auth/passkeys/challenge', { for: purpose });
  const { startAuthentication } = await import('@simplewebauthn/browser');
  try {
    return await startAuthentication({ optionsJSON: data });
  } catch {
    return null;
  }
}
