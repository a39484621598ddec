import ipaddr from 'ipaddr.js';
import type { Context, Middleware } from 'koa';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { clientAddress } from '../authenticate.js';
import { stateOf } from '../state.js';
import { callerBucket, createRateCounter, secondsToNextWindow } from './rate-counter.js';
import type { RateLimitStore } from './rate-limit-store.js';

/** Requests a minute from one address without a valid credential; several people may sit behind one address. */
const ANONYMOUS_REQUESTS_MAX = 300;
/** Stands in the headers where no limit is set. */
const UNLIMITED = 1_000_000_000;

export interface RateLimits {
  /** `PICKET_RATE_LIMIT`: for everybody, 0 for no limit; null leaves it to the plans. */
  override: number | null;
  /** Requests a minute of an actor's plan. */
  ofActor(actor: Actor): number;
}

export interface RateLimiter {
  /** Counts the request and refuses it with 429 when the minute is used up. For API routes. */
  limit: Middleware;
  /** Shows where the caller's address stands without counting. For everything else. */
  show: Middleware;
  start(): void;
  /** Stops and writes what is counted. */
  stop(): Promise<void>;
}

export function createRateLimiter(parts: {
  store: RateLimitStore;
  clock: Clock;
  logger: Logger;
  limits: RateLimits;
}): RateLimiter {
  const { clock, limits } = parts;
  const counter = createRateCounter(parts);

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
        throw new AppError('rate_limited', `More than ${limit} requests in this minute.`, {
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

/** One bucket for an IPv4 address or an IPv6 /64: that much is what one customer of a provider gets. */
function addressBucket(ctx: Context): string {
  const address = clientAddress(ctx) ?? 'none';
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const network = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return network.map((part) => part.toString(16)).join(':');
}
