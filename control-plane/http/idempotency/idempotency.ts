import { createHash } from 'node:crypto';
import type { BucketRate } from '../../../kernel/buckets/token-bucket.js';
import { createTokenBuckets } from '../../../kernel/buckets/token-buckets.js';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { PlanName } from '../../plans/plans.js';
import { canonicalJson } from '../../storage/canonical-json.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../../storage/transaction.js';
import type { HttpResponse } from '../response.js';
import type { IdempotencyDocument, IdempotencyStore } from './store.js';
import { omittedResponse, packedResponse, type TextResponse, unpackedResponse } from './stored-response.js';

const KEPT_MS = 24 * 3_600_000;
/** Longer than any request takes. After a crash during a request, its key stays claimed for this long. */
const CLAIM_MS = 60_000;
/** After a crash, the database keeps the transaction of a request up to 90 s, and nothing says when that began. */
const TRANSACTION_RETRY_S = 10;
/** Tries to store the response of work that no transaction can roll back. */
const SETTLE_TRIES = 4;
const SETTLE_PAUSE_MS = 250;
/** After this time no further try begins: the client waits for the response. */
const SETTLE_MS_MAX = 5_000;
const KIB = 1_024;
const MIB = 1_024 * KIB;
/** Bytes of responses that one process stores for a workspace. A client can have a long one stored with each request. */
const STORED_BYTES: Record<PlanName, BucketRate> = {
  Free: { burst: 4 * MIB, perSecond: KIB },
  Pro: { burst: 16 * MIB, perSecond: 8 * KIB },
  Enterprise: { burst: 64 * MIB, perSecond: 32 * KIB },
};
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
   * do it again. It claims the key, acts, and stores the response. A concurrent repeat gets 409. Work that is refused with
   * an `AppError` gives the key back. After any other error the work may have acted, so the key stays claimed. Only when the
   * response cannot be stored, after a crash or without a database, can a repeat act again, once the claim has expired.
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
  logger: Logger;
}

/** Returns the key of a request; null without the header. */
export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && VISIBLE_ASCII.test(header)) return header;
  throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
}

export function createIdempotency(needs: IdempotencyNeeds): Idempotency {
  const { store, runTransaction, secretBox, clock } = needs;
  const sealing = sealedAnswers(needs);
  const until = (keptMs: number) => new Date(clock.now() + keptMs);

  return {
    async run(request, work) {
      const entry = entryOf(request, secretBox, until(KEPT_MS));
      const known = await storedResponse(needs, entry);
      if (known !== null) return { response: known, replayed: true };
      const sealed = sealing(request.actor);
      try {
        const response = await runTransaction(async (tx) => {
          // Concurrent requests conflict at this insert, so the second is refused at once and not after the first ends.
          await store.insert(tx, { ...entry, expires_at: until(KEPT_MS) }).catch(refuseConcurrent);
          const response = await work(tx);
          const stored = storable(response, request.path);
          await store.setAnswer(tx, entry.workspace_id, entry._id, sealed(stored, entry._id));
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
        if (winner === null) throw stillClaimed(claim.expires_at, clock.now());
        return { response: winner, replayed: true };
      }
      const response = await workOrRelease(store, claim, work);
      // From here on the work was carried out: nothing may free the key or hide the response from the client.
      const answer = sealing(request.actor)(storable(response, request.path), claim._id);
      await settle(needs, claim, answer, until(KEPT_MS));
      return { response, replayed: false };
    },
  };
}

/**
 * Returns how the responses of one request are stored: without their body once its workspace has stored too much. A transaction
 * that begins again has another response, which uses up no more of the budget.
 */
function sealedAnswers({ secretBox, clock }: Pick<IdempotencyNeeds, 'secretBox' | 'clock'>) {
  const stored = {
    Free: createTokenBuckets(STORED_BYTES.Free, clock),
    Pro: createTokenBuckets(STORED_BYTES.Pro, clock),
    Enterprise: createTokenBuckets(STORED_BYTES.Enterprise, clock),
  };
  return ({ workspaceId, plan }: Actor) => {
    let fits: boolean | null = null;
    return (response: TextResponse, id: string): string => {
      const answer = secretBox.seal(packedResponse(response), sealedFor(id));
      fits ??= stored[plan].tryTake(workspaceId, answer.length) === 0;
      return fits ? answer : secretBox.seal(omittedResponse(response), sealedFor(id));
    };
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
  if (found.answer === null) throw stillClaimed(found.expires_at, clock.now());
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
    if (error instanceof AppError) await store.release(claim).catch(() => undefined);
    throw error;
  }
}

/** Stores the response. A connection that breaks just then must not make a repeat act again. */
async function settle(
  { store, clock, logger }: IdempotencyNeeds,
  claim: IdempotencyDocument,
  answer: string,
  expiresAt: Date,
): Promise<void> {
  const startedMs = clock.monotonic();
  for (let tries = 1; ; tries++) {
    try {
      return await store.settle(claim, answer, expiresAt);
    } catch (err) {
      if (tries === SETTLE_TRIES || clock.monotonic() - startedMs >= SETTLE_MS_MAX) {
        logger.warn({ err, tries }, 'the response of a request with an Idempotency-Key could not be stored');
        return;
      }
    }
    await clock.sleep(SETTLE_PAUSE_MS);
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

/** Leaves out the cookies: a stored session would log in whoever repeats the request. */
function storable({ status, headers, body }: HttpResponse, path: string): TextResponse {
  if (body === null || typeof body === 'string') return { status, headers, body };
  throw new Error(`The response of ${path} cannot be stored for its Idempotency-Key.`);
}

/** A write conflict at the insert means that another transaction has inserted the same key and has not ended. */
function refuseConcurrent(error: unknown): never {
  throw error instanceof Error && 'code' in error && error.code === WRITE_CONFLICT
    ? inProgress('90 seconds', TRANSACTION_RETRY_S, error)
    : error;
}

/**
 * A request ends quickly, so a repeat may come soon; the longer it takes, the more likely it was interrupted, and the
 * longer the repeat should wait, but not longer than the claim.
 */
function stillClaimed(expiresAt: Date, nowMs: number): AppError {
  const leftMs = Math.max(0, expiresAt.getTime() - nowMs);
  return inProgress('a minute', Math.max(1, Math.ceil(Math.min(CLAIM_MS - leftMs, leftMs) / 1_000)));
}

function inProgress(within: string, retryS: number, cause?: unknown): AppError {
  const still = 'The first request with this Idempotency-Key is still in progress.';
  return new AppError('conflict', `${still} If it was interrupted, the key is free within ${within}.`, {
    headers: { 'Retry-After': String(retryS) },
    cause,
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
