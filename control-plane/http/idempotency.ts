import { createHash } from 'node:crypto';
import type { Clock } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import { canonicalJson } from '../storage/canonical-json.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../storage/transaction.js';
import type { Answer } from './answer.js';
import type { IdempotencyStore } from './idempotency-store.js';

const KEPT_MS = 24 * 3_600_000;
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
/** MongoDB's error number of a write that met another transaction's. */
const WRITE_CONFLICT = 112;

/** Seals what is stored, since an answer may hold a new key. */
export interface SecretBox {
  seal(text: string): string;
  open(sealed: string): string;
}

export interface IdempotentRequest {
  actor: Actor;
  /** The documented form of the path, so that both prefixes are one. */
  path: string;
  key: string;
  /** Everything that makes the request what it is; another one under the same key is refused. */
  content: unknown;
}

export interface Idempotency {
  /**
   * Runs `work` in a transaction, once per key: the answer is stored in the same transaction as what `work`
   * changes, so a process killed between commit and answer still has it for the repeat.
   */
  run(
    request: IdempotentRequest,
    work: (tx: Transaction) => Promise<Answer>,
  ): Promise<{ answer: Answer; replayed: boolean }>;
}

/** The key of a request; null without one. */
export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && VISIBLE_ASCII.test(header)) return header;
  throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
}

export function createIdempotency(parts: {
  store: IdempotencyStore;
  runTransaction: RunTransaction;
  secretBox: SecretBox;
  clock: Clock;
}): Idempotency {
  const { store, runTransaction, secretBox, clock } = parts;

  async function stored(id: string, workspaceId: string, fingerprint: string): Promise<Answer | null> {
    const found = await store.find(workspaceId, id);
    if (found === null || found.answer === null) return null;
    if (found.expires_at.getTime() <= clock.now()) {
      await store.removeExpired(workspaceId, id, clock.now());
      return null;
    }
    if (found.fingerprint !== fingerprint) {
      throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with another request.');
    }
    return JSON.parse(secretBox.open(found.answer));
  }

  return {
    async run(request, work) {
      const workspaceId = request.actor.workspaceId;
      const caller = request.actor.key?.id ?? request.actor.userId;
      const id = sha256(canonicalJson([workspaceId, caller, request.path, request.key]));
      const fingerprint = sha256(canonicalJson(request.content));
      const earlier = await stored(id, workspaceId, fingerprint);
      if (earlier !== null) return { answer: earlier, replayed: true };
      try {
        const answer = await runTransaction(async (tx) => {
          const expires_at = new Date(clock.now() + KEPT_MS);
          // Two at once meet at this insert: the second is told at once, not after the first has finished.
          await store
            .insert(tx, { _id: id, workspace_id: workspaceId, fingerprint, answer: null, expires_at })
            .catch(refuseInFlight);
          const made = await work(tx);
          if (made.body !== null && typeof made.body !== 'string') {
            throw new Error(`An answer of ${request.path} cannot be kept for its Idempotency-Key.`);
          }
          await store.setAnswer(tx, workspaceId, id, secretBox.seal(JSON.stringify(made)));
          return made;
        });
        return { answer, replayed: false };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // Committed by another request between our look and our insert.
        const winner = await stored(id, workspaceId, fingerprint);
        if (winner === null) throw error;
        return { answer: winner, replayed: true };
      }
    },
  };
}

/** A write conflict at the insert is another transaction that has inserted the same key and has not ended. */
function refuseInFlight(error: unknown): never {
  if (!(error instanceof Error && 'code' in error && error.code === WRITE_CONFLICT)) throw error;
  throw new AppError('conflict', 'A request with this Idempotency-Key is still under way.', {
    headers: { 'Retry-After': '1' },
    cause: error,
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
