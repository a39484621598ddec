import ipaddr from 'ipaddr.js';
import type { Context, Middleware } from 'koa';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { clientAddress } from '../client-address.js';
import { stateOf } from '../state.js';
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
  /** Counts the request and refuses it with 429 above the limit. For API routes. */
  limit: Middleware;
  /** Sets the headers for the caller's address without counting. For all other paths. */
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
  const counter = createRateCounter(needs);

  function limitOf(actor: Actor | null): number {
    if (limits.override !== null) return limits.override === 0 ? UNLIMITED : limits.override;
    return actor === null ? ANONYMOUS_REQUESTS_MAX : limits.ofActor(actor);
  }

  function setHeaders(ctx: Context, limit: number, used: number): number {
    const resetS = secondsToNextWindow(clock);
    ctx.set('RateLimit-Limit', String(limit));
    ctx.set('RateLimit-Remaining', String(Math.max(0, limit - used)));
    ctx.set('RateLimit-Reset', String(resetS));
    return resetS;
  }

  return {
    limit(ctx, next) {
      const actor = stateOf(ctx).identity?.actor ?? null;
      const limit = limitOf(actor);
      const bucket = actor === null ? addressBucket(ctx) : callerBucket(actor);
      const used = limit === UNLIMITED ? 0 : counter.used(bucket) + 1;
      const resetS = setHeaders(ctx, limit, used);
      if (used > limit) {
        throw new AppError('rate_limited', `The limit is ${limit} requests per minute.`, {
          headers: { 'Retry-After': String(resetS) },
        });
      }
      if (limit !== UNLIMITED) counter.add(bucket);
      return next();
    },
    show(ctx, next) {
      const limit = limitOf(null);
      setHeaders(ctx, limit, limit === UNLIMITED ? 0 : counter.used(addressBucket(ctx)));
      return next();
    },
    start: counter.start,
    stop: counter.stop,
  };
}

/** Returns the bucket of an IPv4 address or an IPv6 /64, which is what a provider assigns to one customer. */
function addressBucket(ctx: Context): string {
  const address = clientAddress(ctx) ?? 'none';
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const network = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return network.map((part) => part.toString(16)).join(':');
}
