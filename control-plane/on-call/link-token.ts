import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../storage/secret-box.js';
import { idOfUlidBytes, ULID_BYTES, ulidBytes } from './ulid-bytes.js';

/** How long a link works after the event that its notification is about. */
export const LINK_VALID_MS = 24 * 3_600_000;

/** What a link is for: one incident, for those whom one channel notifies. */
export interface OnCallLink {
  workspaceId: string;
  incidentId: string;
  channelId: string;
  /** Time of the event of the notification. */
  issuedAtMs: number;
}

/** Signs and reads the tokens of links. A token is not encrypted: the ids and the time in it are not secret. */
export interface LinkTokens {
  /** Returns 96 characters of base64url. */
  sign(link: OnCallLink): string;
  /** Returns null for a token that this installation has not signed. Does not tell whether the link still works. */
  read(token: string): OnCallLink | null;
}

const TIME_BYTES = 6;
const SIGNED_BYTES = 3 * ULID_BYTES + TIME_BYTES;
/** 144 bits. With it a token is a whole number of base64 groups, so that no two texts mean the same token. */
const SIGNATURE_BYTES = 18;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{96}$/;
/** Names the format of a token, so that a later one gets another key. */
const PURPOSE = 'on-call link v1';

/**
 * The signature is the start of an HMAC-SHA-256 with a key that is derived from the installation's key. The token has the
 * time at which it expires, so that it needs no database.
 */
export function createLinkTokens(box: Pick<SecretBox, 'fingerprint'>): LinkTokens {
  const signatureOf = (signed: Buffer) =>
    Buffer.from(box.fingerprint(signed.toString('base64url'), PURPOSE), 'hex').subarray(0, SIGNATURE_BYTES);
  return {
    sign({ workspaceId, incidentId, channelId, issuedAtMs }) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(Math.max(0, Math.floor(issuedAtMs)) + LINK_VALID_MS, 0, TIME_BYTES);
      const signed = Buffer.concat([ulidBytes(workspaceId), ulidBytes(incidentId), ulidBytes(channelId), time]);
      return Buffer.concat([signed, signatureOf(signed)]).toString('base64url');
    },
    read(token) {
      if (!TOKEN_PATTERN.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const signed = bytes.subarray(0, SIGNED_BYTES);
      if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), signatureOf(signed))) return null;
      const id = (prefix: string, index: number) =>
        idOfUlidBytes(prefix, signed.subarray(index * ULID_BYTES, (index + 1) * ULID_BYTES));
      const expiresAtMs = signed.readUIntBE(3 * ULID_BYTES, TIME_BYTES);
      return {
        ...{ workspaceId: id('ws', 0), incidentId: id('inc', 1), channelId: id('chn', 2) },
        issuedAtMs: expiresAtMs - LINK_VALID_MS,
      };
    },
  };
}
