import { createHash } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { canonicalJson } from '../../storage/canonical-json.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../../storage/transaction.js';
import type { Answer } from '../answer.js';
import type { IdempotencyDocument, IdempotencyStore } from './store.js';

const KEPT_MS = 24 * 3_600_000;
/** Longer than any request takes. A process killed in the middle of one leaves its key taken for so long. */
const CLAIM_MS = 60_000;
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

interface Outcome {
  answer: Answer;
  replayed: boolean;
}

export interface Idempotency {
  /**
   * Runs `work` in a transaction, once per key: the answer is stored in the same transaction as what `work`
   * changes, so a process killed between commit and answer still has it for the repeat.
   */
  run(request: IdempotentRequest, work: (tx: Transaction) => Promise<Answer>): Promise<Outcome>;
  /**
   * For work that acts outside of the database, which no transaction could take back and which none may repeat:
   * takes the key first, then acts, then keeps the answer. A repeat meanwhile is a 409; only when the process died
   * in between may a later one act again.
   */
  runOutside(request: IdempotentRequest, work: () => Promise<Answer>): Promise<Outcome>;
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

  /** The answer that a key has already; null when the key is free. */
  async function earlier({ _id, workspace_id, fingerprint }: IdempotencyDocument): Promise<Answer | null> {
    const found = await store.find(workspace_id, _id);
    if (found === null) return null;
    if (found.expires_at.getTime() <= clock.now()) {
      await store.removeExpired(workspace_id, _id, clock.now());
      return null;
    }
    if (found.fingerprint !== fingerprint) {
      throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with another request.');
    }
    if (found.answer === null) throw underWay();
    return JSON.parse(secretBox.open(found.answer));
  }

  const seal = (answer: Answer) => secretBox.seal(JSON.stringify(answer));
  const until = (keptMs: number) => new Date(clock.now() + keptMs);

  return {
    async run(request, work) {
      const taken = entryOf(request, until(KEPT_MS));
      const known = await earlier(taken);
      if (known !== null) return { answer: known, replayed: true };
      try {
        const answer = await runTransaction(async (tx) => {
          // Two at once meet at this insert: the second is told at once, not after the first has finished.
          await store.insert(tx, { ...taken, expires_at: until(KEPT_MS) }).catch(refuseInFlight);
          const made = keepable(await work(tx), request.path);
          await store.setAnswer(tx, taken.workspace_id, taken._id, seal(made));
          return made;
        });
        return { answer, replayed: false };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // Committed by another request between our look and our insert.
        const winner = await earlier(taken);
        if (winner === null) throw error;
        return { answer: winner, replayed: true };
      }
    },

    async runOutside(request, work) {
      const claim = entryOf(request, until(CLAIM_MS));
      const known = await earlier(claim);
      if (known !== null) return { answer: known, replayed: true };
      if (!(await store.claim(claim))) {
        // Somebody took it between our look and our claim, and may even have ended.
        const winner = await earlier(claim);
        if (winner === null) throw underWay();
        return { answer: winner, replayed: true };
      }
      let answer: Answer;
      try {
        answer = keepable(await work(), request.path);
      } catch (error) {
        // What it failed with is the answer, also when the key cannot be freed: then the claim lapses by itself.
        await store.release(claim).catch(() => undefined);
        throw error;
      }
      await store.settle(claim, seal(answer), until(KEPT_MS));
      return { answer, replayed: false };
    },
  };
}

function entryOf({ actor, path, key, content }: IdempotentRequest, expires_at: Date): IdempotencyDocument {
  const caller = actor.key?.id ?? actor.userId;
  return {
    _id: sha256(canonicalJson([actor.workspaceId, caller, path, key])),
    workspace_id: actor.workspaceId,
    fingerprint: sha256(canonicalJson(content)),
    answer: null,
    expires_at,
  };
}

function keepable(answer: Answer, path: string): Answer {
  if (answer.body === null || typeof answer.body === 'string') return answer;
  throw new Error(`An answer of ${path} cannot be kept for its Idempotency-Key.`);
}

/** A write conflict at the insert is another transaction that has inserted the same key and has not ended. */
function refuseInFlight(error: unknown): never {
  throw error instanceof Error && 'code' in error && error.code === WRITE_CONFLICT ? underWay(error) : error;
}

function underWay(cause?: unknown): AppError {
  return new AppError('conflict', 'A request with this Idempotency-Key is still under way.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
