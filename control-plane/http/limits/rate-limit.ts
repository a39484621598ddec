import type { Context, Middleware } from 'koa';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { type Authenticator, credentialsOf } from '../authenticate.js';
import { clientAddress } from '../client-address.js';
import { stateOf } from '../state.js';
import { ADDRESS_EXCHANGED_FROM, addressBucket } from './address-bucket.js';
import { callerBucket, createRateCounter, secondsToNextWindow } from './rate-counter.js';
import type { RateLimitStore } from './rate-limit-store.js';

/** Requests per minute from one address without a valid credential. Several people can share an address. */
const ANONYMOUS_REQUESTS_MAX = 300;
/** The value in the headers when there is no limit. */
const UNLIMITED = 1_000_000_000;

export interface RateLimits {
  /** `PICKET_RATE_LIMIT`, which applies to everyone: 0 for no limit, null for the limits of the plans. */
  override: number | null;
  /** Returns the requests per minute of an actor's plan. */
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

  function limitOf(actor: Actor | null): number {
    if (limits.override !== null) return limits.override === 0 ? UNLIMITED : limits.override;
    return actor === null ? ANONYMOUS_REQUESTS_MAX : limits.ofActor(actor);
  }

  function setHeaders(ctx: Context, limit: number, used: number): void {
    ctx.set('RateLimit-Limit', String(limit));
    ctx.set('RateLimit-Remaining', String(Math.max(0, limit - used)));
    ctx.set('RateLimit-Reset', String(secondsToNextWindow(clock)));
  }

  /** Counts the request and sets the headers. Returns the function that takes the count back. */
  function count(ctx: Context, counter: typeof callers, bucket: string, limit: number): () => void {
    if (limit === UNLIMITED) {
      setHeaders(ctx, limit, 0);
      return () => {};
    }
    const used = counter.used(bucket) + 1;
    setHeaders(ctx, limit, used);
    if (used <= limit) return counter.add(bucket);
    throw new AppError('rate_limited', `The limit is ${limit} requests per minute.`, {
      headers: { 'Retry-After': String(secondsToNextWindow(clock)) },
    });
  }

  const countAddress = (ctx: Context) => count(ctx, addresses, addressBucket(clientAddress(ctx)), limitOf(null));

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
      if (actor !== null) count(ctx, callers, callerBucket(actor), limitOf(actor));
      return next();
    },
    show(ctx, next) {
      const limit = limitOf(null);
      setHeaders(ctx, limit, limit === UNLIMITED ? 0 : addresses.used(addressBucket(clientAddress(ctx))));
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
