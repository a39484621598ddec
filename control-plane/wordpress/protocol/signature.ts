import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signatures of the messages between the control plane and the plugin: HMAC-SHA-256 over lines of text, in hexadecimal. The
 * first line names what is signed, so that no signature can be used for another kind of message. The plugin has the same
 * functions; `test/helpers/wordpress/vectors.json` has examples for both.
 */
export interface SignedRequest {
  method: string;
  path: string;
  /** Seconds since the epoch, as sent. */
  timestamp: string;
  nonce: string;
  siteId: string;
  body: Buffer | string;
}

const REQUEST = 'picket-bridge-request-1';
const ANSWER = 'picket-bridge-answer-1';
const NUDGE = 'picket-bridge-nudge-1';
const UNDO = 'picket-bridge-undo-1';
const NUDGED = 'picket-bridge-nudged-1';

export function requestSignature(secret: string, request: SignedRequest): string {
  const { method, path, timestamp, nonce, siteId, body } = request;
  return signed(secret, [REQUEST, method, path, timestamp, nonce, siteId, sha256(body)]);
}

/** Of the response to the request with this nonce. */
export function answerSignature(secret: string, { nonce, payload }: { nonce: string; payload: string }): string {
  return signed(secret, [ANSWER, nonce, sha256(payload)]);
}

interface Nudge {
  siteId: string;
  /** Milliseconds since the epoch. */
  timeMs: number;
  nonce: string;
}

/** Of the request that tells a site to fetch its jobs. */
export function nudgeSignature(secret: string, { siteId, timeMs, nonce }: Nudge): string {
  return signed(secret, [NUDGE, siteId, String(timeMs), nonce]);
}

/** Of the request that tells a site to undo fixes before it loads plugins and theme. */
export function undoSignature(secret: string, { siteId, timeMs, nonce }: Nudge): string {
  return signed(secret, [UNDO, siteId, String(timeMs), nonce]);
}

/** Of the site's answer, which proves that it has the secret. */
export function nudgedSignature(secret: string, { siteId, nonce }: Pick<Nudge, 'siteId' | 'nonce'>): string {
  return signed(secret, [NUDGED, siteId, nonce]);
}

/** Compares in constant time. */
export function isSignature(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function signed(secret: string, lines: readonly string[]): string {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(lines.join('\n')).digest('hex');
}

function sha256(text: Buffer | string): string {
  return createHash('sha256').update(text).digest('hex');
}
