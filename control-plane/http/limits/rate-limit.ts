import type { Context, Middleware } from 'koa';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { type Authenticator, credentialsOf } from '../authenticate.js';
import { clientAddress } from '../client/client-address.js';
import { stateOf } from '../state.js';
import { ADDRESS_EXCHANGED_FROM, addressBucket } from './address-bucket.js';
import { callerBuckets, takeFrom } from './caller-buckets.js';
import { createRateCounter, secondsToNextWindow } from './rate-counter.js';
import type { RateLimitStore } from './rate-limit-store.js';

/** Requests per minute from one address without a valid credential. Several people can share an address. */
const ANONYMOUS_REQUESTS_MAX = 300;
/** The value in the headers when there is no limit. */
const UNLIMITED = 1_000_000_000;

export interface RateLimits {
  /** `PICKET_RATE_LIMIT`, which applies to everyone: 0 for no limit, null for the limits of the plans. */
  override: number | null;
  /** Returns the requests per minute of an API key or a person on the actor's plan. */
  ofActor(actor: Actor): number;
}

export interface RateLimiter {
  /**
   * Returns the middleware that runs before authentication. It counts a request for its address, and refuses it with 429
   * above the limit, so that a flood of invented keys costs no query. A credential that an authenticator recognizes
   * passes uncounted, so that strangers behind the same address cannot lock out a key that is in use.
   */
  admit(authenticators: readonly Authenticator[]): Middleware;
  /** Runs after authentication. Counts the request for its actor, or else for its address; 429 above the limit. */
  limit: Middleware;
  /** Sets the headers for the caller's address without counting, for responses before the other two. */
  show: Middleware;
  start(): void;
  /** Stops and writes the pending counts. */
  stop(): Promise<void>;
}

export function createRateLimiter(needs: {
  store: RateLimitStore;
  clock: Clock;
  logger: Logger;
  limits: RateLimits;
}): RateLimiter {
  const { clock, limits } = needs;
  const callers = createRateCounter({ ...needs, exchangedFrom: 1 });
  // Apart from the callers, so that many addresses do not use up the buckets of keys.
  const addresses = createRateCounter({ ...needs, exchangedFrom: ADDRESS_EXCHANGED_FROM });

  function countActor(ctx: Context, actor: Actor): void {
    const limit = limitOf(limits, actor);
    if (limit === UNLIMITED) {
      setHeaders(ctx, clock, limit, limit);
      return;
    }
    const buckets = callerBuckets(actor, limit);
    const full = takeFrom(callers, buckets);
    setHeaders(ctx, clock, limit, Math.min(...buckets.map((bucket) => bucket.limit - callers.used(bucket.name))));
    if (full !== null) throw refusal(clock, full.limit, full.of);
  }

  /** Returns the function that takes the count back. */
  function countAddress(ctx: Context): () => void {
    const limit = limitOf(limits, null);
    const bucket = addressBucket(clientAddress(ctx));
    const remaining = limit === UNLIMITED ? limit : limit - addresses.used(bucket) - 1;
    setHeaders(ctx, clock, limit, remaining);
    if (remaining < 0) throw refusal(clock, limit, 'each address without a valid API key');
    return limit === UNLIMITED ? () => {} : addresses.add(bucket);
  }

  return {
    admit: (authenticators) => (ctx, next) => {
      const credentials = credentialsOf(ctx);
      if (!authenticators.some((authenticator) => authenticator.recognizes(credentials))) {
        ctx.state['takeBackAddress'] = countAddress(ctx);
      }
      return next();
    },
    limit(ctx, next) {
      const { identity, takeBackAddress } = stateOf(ctx);
      const actor = identity?.actor ?? null;
      if (actor === null && identity?.error instanceof AppError) {
        if (takeBackAddress === undefined) countAddress(ctx);
        return next();
      }
      takeBackAddress?.();
      // Without an actor, the credential could not be checked: the database is unavailable, which is not the client's fault.
      if (actor !== null) countActor(ctx, actor);
      return next();
    },
    show(ctx, next) {
      const limit = limitOf(limits, null);
      const used = limit === UNLIMITED ? 0 : addresses.used(addressBucket(clientAddress(ctx)));
      setHeaders(ctx, clock, limit, limit - used);
      return next();
    },
    start() {
      callers.start();
      addresses.start();
    },
    async stop() {
      await Promise.all([callers.stop(), addresses.stop()]);
    },
  };
}

function limitOf({ override, ofActor }: RateLimits, actor: Actor | null): number {
  if (override !== null) return override === 0 ? UNLIMITED : override;
  return actor === null ? ANONYMOUS_REQUESTS_MAX : ofActor(actor);
}

function setHeaders(ctx: Context, clock: Clock, limit: number, remaining: number): void {
  ctx.set('RateLimit-Limit', String(limit));
  ctx.set('RateLimit-Remaining', String(Math.max(0, remaining)));
  ctx.set('RateLimit-Reset', String(secondsToNextWindow(clock)));
}

/** `of` says whose limit it is: `each API key`. */
function refusal(clock: Clock, limit: number, of: string): AppError {
  return new AppError('rate_limited', `The limit for ${of} is ${limit} requests per minute.`, {
    headers: { 'Retry-After': String(secondsToNextWindow(clock)) },
  });
}
