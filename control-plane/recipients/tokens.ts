import { createHash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../kernel/random.js';
import type { SecretBox } from '../storage/secret-box.js';

const QUESTION_TOKEN_BYTES = 32;
const QUESTION_TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** Returns a new token for the link of a question: 32 random bytes in base64url. */
export function makeQuestionToken(random: Random): string {
  return random.bytes(QUESTION_TOKEN_BYTES).toString('base64url');
}

/** Returns the hash that is stored of a token; null for a text that is no token. With 256 random bits no slow hash is needed. */
export function questionTokenHash(token: string): string | null {
  return QUESTION_TOKEN_PATTERN.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}

/** The mails that a link stops. */
export interface Stopped {
  workspaceId: string;
  /** Lower case. */
  address: string;
}

/** Signs and reads the tokens of links that stop mails. A token is not encrypted: only the recipient has it. */
export interface StopTokens {
  sign(stopped: Stopped): string;
  /** Returns null for a token that this installation has not signed. */
  read(token: string): Stopped | null;
}

/** 144 bits, as a whole number of base64 groups. */
const SIGNATURE_BYTES = 18;
/** Workspace, address and signature, in base64url. */
const STOP_TOKEN_CHARS_MAX = 500;
const STOP_TOKEN_PATTERN = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{24})$/;
/** Names the format of a token, so that a later one gets another key. */
const PURPOSE = 'stop e-mails v1';

/**
 * The tokens need no database and do not expire: an old mail must still be able to stop the next one. The signature is the
 * start of an HMAC-SHA-256 with a key that is derived from the installation's key.
 */
export function createStopTokens(box: Pick<SecretBox, 'fingerprint'>): StopTokens {
  const signatureOf = (signed: string) =>
    Buffer.from(box.fingerprint(signed, PURPOSE), 'hex').subarray(0, SIGNATURE_BYTES);
  return {
    sign({ workspaceId, address }) {
      const signed = Buffer.from(`${workspaceId}/${address}`).toString('base64url');
      return `${signed}.${signatureOf(signed).toString('base64url')}`;
    },
    read(token) {
      const [, signed = '', signature = ''] =
        (token.length > STOP_TOKEN_CHARS_MAX ? null : STOP_TOKEN_PATTERN.exec(token)) ?? [];
      if (signed === '') return null;
      if (!timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(signed))) return null;
      const text = Buffer.from(signed, 'base64url').toString();
      const slash = text.indexOf('/');
      return { workspaceId: text.slice(0, slash), address: text.slice(slash + 1) };
    },
  };
}
