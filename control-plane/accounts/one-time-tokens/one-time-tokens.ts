import { createHash } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Transaction } from '../../storage/transaction.js';
import type { OneTimeTokensStore } from './store.js';

const TOKEN_BYTES = 32;
/** The base64url of 32 bytes. Nothing else is looked up. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** What a token was issued for. */
export interface RedeemedToken {
  userId: string | null;
  data: Record<string, string>;
}

/** Secrets that work once and for a limited time, for links in mails and for log-ins that lead through another site. */
export interface OneTimeTokens {
  /** Resolves to the token: 32 random bytes in base64url. Only its hash is stored. */
  issue(
    tx: Transaction,
    input: { purpose: string; userId: string | null; data?: Record<string, string>; ttlMs: number },
  ): Promise<string>;
  /**
   * Marks the token as used. Resolves to null when it is unknown, of another purpose, used or expired. Of two concurrent
   * calls one gets null.
   */
  redeem(tx: Transaction, purpose: string, token: string): Promise<RedeemedToken | null>;
  /** Resolves to the user of a token that `redeem` would accept, and leaves it usable; null without one. */
  userOf(purpose: string, token: string): Promise<string | null>;
  /** Ends the unused tokens of a user for a purpose, before a new one is issued. */
  revoke(tx: Transaction, purpose: string, userId: string): Promise<void>;
}

export function createOneTimeTokens(needs: { store: OneTimeTokensStore; clock: Clock; random: Random }): OneTimeTokens {
  const { store, clock, random } = needs;
  return {
    async issue(tx, { purpose, userId, data = {}, ttlMs }) {
      const token = random.bytes(TOKEN_BYTES).toString('base64url');
      const nowMs = clock.now();
      await store.insert(tx, {
        ...{ _id: hashOf(token), purpose, user_id: userId, data, created_at_ms: nowMs },
        ...{ expires_at_ms: nowMs + ttlMs, expires_at: new Date(nowMs + ttlMs), used_at_ms: null },
      });
      return token;
    },
    async redeem(tx, purpose, token) {
      if (!TOKEN_PATTERN.test(token)) return null;
      const used = await store.use(tx, hashOf(token), purpose, clock.now());
      return used === null ? null : { userId: used.user_id, data: used.data };
    },
    async userOf(purpose, token) {
      if (!TOKEN_PATTERN.test(token)) return null;
      return (await store.find(hashOf(token), purpose, clock.now()))?.user_id ?? null;
    },
    revoke: (tx, purpose, userId) => store.removeOf(tx, userId, purpose),
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
