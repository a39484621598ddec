import { timingSafeEqual } from 'node:crypto';
import type { Random } from '../../../kernel/random.js';
import type { SecretBox } from '../../storage/secret-box.js';

/** How long a person has from the options to the answer of the authenticator. */
export const CHALLENGE_MS = 300_000;
const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 16;
const CHALLENGE_BYTES = NONCE_BYTES + TIME_BYTES + MAC_BYTES;

/** What a challenge is for. One for a registration works only in the session that asked for it. */
export type ChallengeFor = 'sign-in' | `registration in ${string}`;

/**
 * Makes challenges that carry their expiry and a keyed hash, so that an unused one takes no space. Anybody can ask for
 * a challenge without a credential; if each were stored, a flood would fill the database or push out the challenges of
 * people who are logging in. The store keeps only used challenges.
 */
export interface Challenges {
  /** Returns a new challenge of 38 bytes, 128 bits of them random, in base64url. */
  make(purpose: ChallengeFor): string;
  /** Returns when the challenge expires, in Unix milliseconds; null if it is not ours, for another purpose, or expired. */
  expiryOf(challenge: string, purpose: ChallengeFor): number | null;
}

export function createChallenges(needs: {
  box: Pick<SecretBox, 'fingerprint'>;
  random: Random;
  now: () => number;
}): Challenges {
  const { box, random, now } = needs;

  function macOf(body: Buffer, purpose: ChallengeFor): Buffer {
    const hash = box.fingerprint(`${purpose}/${body.toString('base64url')}`, 'passkey_challenge');
    return Buffer.from(hash, 'hex').subarray(0, MAC_BYTES);
  }

  return {
    make(purpose) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(now() + CHALLENGE_MS, 0, TIME_BYTES);
      const body = Buffer.concat([random.bytes(NONCE_BYTES), time]);
      return Buffer.concat([body, macOf(body, purpose)]).toString('base64url');
    },
    expiryOf(challenge, purpose) {
      const bytes = Buffer.from(challenge, 'base64url');
      // Another spelling of the same bytes would be another entry among the used challenges.
      if (bytes.length !== CHALLENGE_BYTES || bytes.toString('base64url') !== challenge) return null;
      const body = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
      if (!timingSafeEqual(bytes.subarray(body.length), macOf(body, purpose))) return null;
      const expiresAtMs = body.readUIntBE(NONCE_BYTES, TIME_BYTES);
      return expiresAtMs > now() ? expiresAtMs : null;
    },
  };
}
