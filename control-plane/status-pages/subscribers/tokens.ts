import { timingSafeEqual } from 'node:crypto';
import { idPattern } from '../../storage/ids.js';
import type { SecretBox } from '../../storage/secret-box.js';

/** 144 bits, as a whole number of base64 groups. */
const SIGNATURE_BYTES = 18;
const TOKEN = new RegExp(`^(${idPattern('sub').slice(1, -1)})\\.([A-Za-z0-9_-]{24})$`);
/** Names the format of a token, so that a later one gets another key. */
const PURPOSE = 'stop status page updates v1';

/** Signs and reads the tokens of links that end a subscription. They need no database and do not expire. */
export interface UnsubscribeTokens {
  sign(subscriberId: string): string;
  /** Returns the id of the subscriber; null for a token that this installation has not signed. */
  read(token: string): string | null;
}

/** The signature is the start of an HMAC-SHA-256 with a key that is derived from the installation's key. */
export function createUnsubscribeTokens(box: Pick<SecretBox, 'fingerprint'>): UnsubscribeTokens {
  const signatureOf = (id: string) => Buffer.from(box.fingerprint(id, PURPOSE), 'hex').subarray(0, SIGNATURE_BYTES);
  return {
    sign: (id) => `${id}.${signatureOf(id).toString('base64url')}`,
    read(token) {
      const [, id = '', signature = ''] = TOKEN.exec(token) ?? [];
      if (id === '') return null;
      return timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(id)) ? id : null;
    },
  };
}
