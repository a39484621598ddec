import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { AppError } from '../errors.js';
import { addressBucket } from '../http/limits/address-bucket.js';
import { createRateCounter, type RateCounter, secondsToNextWindow } from '../http/limits/rate-counter.js';
import type { RateLimitStore } from '../http/limits/rate-limit-store.js';

/** Requests per minute of one network that create accounts or send e-mails to addresses that the caller names. */
const REQUESTS_MAX = 20;

/** Limits what anybody can cause without an account: new accounts and e-mails. */
export interface AddressLimit extends Pick<RateCounter, 'start' | 'stop'> {
  /** Counts a request. Throws `rate_limited` when the network has made too many in this minute. */
  take(address: string | null): void;
}

export function createAddressLimit(needs: { store: RateLimitStore; clock: Clock; logger: Logger }): AddressLimit {
  const counter = createRateCounter({ ...needs, exchangedFrom: 1 });
  return {
    start: counter.start,
    stop: counter.stop,
    take(address) {
      const bucket = `accounts/${addressBucket(address)}`;
      if (counter.used(bucket) < REQUESTS_MAX) return void counter.add(bucket);
      const waitS = secondsToNextWindow(needs.clock);
      throw new AppError('rate_limited', `There were too many requests from this network. Retry in ${waitS} s.`, {
        headers: { 'Retry-After': String(waitS) },
      });
    },
  };
}
