import { createHash } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { canonicalJson } from '../../storage/canonical-json.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../../storage/transaction.js';
import type { HttpResponse } from '../response.js';
import type { IdempotencyDocument, IdempotencyStore } from './store.js';
import { packedResponse, type TextResponse, unpackedResponse } from './stored-response.js';

const KEPT_MS = 24 * 3_600_000;
/** Longer than any request takes. After a crash during a request, its key stays claimed for this long. */
const CLAIM_MS = 60_000;
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
/** MongoDB's error number for a write that conflicts with another transaction. */
const WRITE_CONFLICT = 112;

export interface IdempotentRequest {
  actor: Actor;
  /** The path under `/v1`, so that both prefixes mean the same request. */
  path: string;
  key: string;
  /** Everything else that identifies the request. Another content with the same key is refused. */
  content: unknown;
}

interface Outcome {
  response: HttpResponse;
  replayed: boolean;
}

export interface Idempotency {
  /**
   * Runs `work` in a transaction, once for each key. The response is stored in the same transaction, so a repeat gets
   * it even if the process is killed between the commit and the response.
   */
  run(request: IdempotentRequest, work: (tx: Transaction) => Promise<HttpResponse>): Promise<Outcome>;
  /**
   * Runs `work` that acts outside the database, once for each key: no transaction can roll it back, and no repeat may
   * do it again. It claims the key, acts, and stores the response. A concurrent repeat gets 409. Only after a crash in
   * between can a later repeat act again.
   */
  runOutside(request: IdempotentRequest, work: () => Promise<HttpResponse>): Promise<Outcome>;
}

interface IdempotencyNeeds {
  store: IdempotencyStore;
  runTransaction: RunTransaction;
  /**
   * Encrypts the stored responses, because a response can contain a new API key, and makes the fingerprints of the
   * requests, because a request can contain a password that is easy to guess.
   */
  secretBox: SecretBox;
  clock: Clock;
}

/** Returns the key of a request; null without the header. */
export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && VISIBLE_ASCII.test(header)) return header;
  throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
}

export function createIdempotency(needs: IdempotencyNeeds): Idempotency {
  const { store, runTransaction, secretBox, clock } = needs;
  const seal = (response: TextResponse, id: string) => secretBox.seal(packedResponse(response), sealedFor(id));
  const until = (keptMs: number) => new Date(clock.now() + keptMs);

  return {
    async run(request, work) {
      const entry = entryOf(request, secretBox, until(KEPT_MS));
      const known = await storedResponse(needs, entry);
      if (known !== null) return { response: known, replayed: true };
      try {
        const response = await runTransaction(async (tx) => {
          // Concurrent requests conflict at this insert, so the second is refused at once and not after the first ends.
          await store.insert(tx, { ...entry, expires_at: until(KEPT_MS) }).catch(refuseConcurrent);
          const response = await work(tx);
          const stored = storable(response, request.path);
          await store.setAnswer(tx, entry.workspace_id, entry._id, seal(stored, entry._id));
          return response;
        });
        return { response, replayed: false };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // Another request has committed between the lookup and the insert.
        const winner = await storedResponse(needs, entry);
        if (winner === null) throw error;
        return { response: winner, replayed: true };
      }
    },

    async runOutside(request, work) {
      const claim = entryOf(request, secretBox, until(CLAIM_MS));
      const known = await storedResponse(needs, claim);
      if (known !== null) return { response: known, replayed: true };
      if (!(await store.claim(claim))) {
        // Another request has claimed the key since the lookup, and may have ended already.
        const winner = await storedResponse(needs, claim);
        if (winner === null) throw inProgress();
        return { response: winner, replayed: true };
      }
      const { response, stored } = await workOrRelease(store, claim, async () => {
        const done = await work();
        return { response: done, stored: storable(done, request.path) };
      });
      await store.settle(claim, seal(stored, claim._id), until(KEPT_MS));
      return { response, replayed: false };
    },
  };
}

const sealedFor = (id: string) => ({ purpose: 'idempotent_response', id });

/** Resolves to the stored response of a key; null when the key is free. Throws while the first request runs. */
async function storedResponse(
  { store, secretBox, clock }: IdempotencyNeeds,
  { _id, workspace_id, fingerprint }: IdempotencyDocument,
): Promise<HttpResponse | null> {
  const found = await store.find(workspace_id, _id);
  if (found === null) return null;
  if (found.expires_at.getTime() <= clock.now()) {
    await store.removeExpired(workspace_id, _id, clock.now());
    return null;
  }
  if (found.fingerprint !== fingerprint) {
    throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with another request.');
  }
  if (found.answer === null) throw inProgress();
  return unpackedResponse(secretBox.open(found.answer, sealedFor(_id)));
}

async function workOrRelease<T>(
  store: IdempotencyStore,
  claim: IdempotencyDocument,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The client needs this error even if the key cannot be released; the claim then expires by itself.
    await store.release(claim).catch(() => undefined);
    throw error;
  }
}

function entryOf(
  { actor, path, key, content }: IdempotentRequest,
  secretBox: SecretBox,
  expires_at: Date,
): IdempotencyDocument {
  const caller = actor.key?.id ?? actor.userId;
  return {
    _id: sha256(canonicalJson([actor.workspaceId, caller, path, key])),
    workspace_id: actor.workspaceId,
    fingerprint: secretBox.fingerprint(canonicalJson(content), 'idempotent_request'),
    answer: null,
    expires_at,
  };
}

/** Leaves out the cookies: a stored session would sign in whoever repeats the request. */
function storable({ status, headers, body }: HttpResponse, path: string): TextResponse {
  if (body === null || typeof body === 'string') return { status, headers, body };
  throw new Error(`The response of ${path} cannot be stored for its Idempotency-Key.`);
}

/** A write conflict at the insert means that another transaction has inserted the same key and has not ended. */
function refuseConcurrent(error: unknown): never {
  throw error instanceof Error && 'code' in error && error.code === WRITE_CONFLICT ? inProgress(error) : error;
}

function inProgress(cause?: unknown): AppError {
  return new AppError('conflict', 'The first request with this Idempotency-Key is still in progress.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
