import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { AppError } from '../../errors.js';
import { ADDRESS_EXCHANGED_FROM, addressBucket } from './address-bucket.js';
import { createRateCounter, type RateCounter, secondsToNextWindow } from './rate-counter.js';
import type { RateLimitStore } from './rate-limit-store.js';

/** Wrong guesses per minute from one address. */
const WRONG_GUESSES_MAX = 30;

/** Limits how often an address may guess a secret. Right answers do not count. */
export interface GuessLimit extends Pick<RateCounter, 'start' | 'stop'> {
  /**
   * Runs `check`, which resolves to null for a wrong guess. Throws `rate_limited` instead when the address has made too
   * many wrong guesses in this minute, whether or not this one is right.
   */
  check<T>(address: string | null, check: () => Promise<T | null>): Promise<T | null>;
}

/** `what` names the secret in the counts and in the error: `join token`. */
export function createGuessLimit(needs: {
  what: string;
  store: RateLimitStore;
  clock: Clock;
  logger: Logger;
}): GuessLimit {
  const { what, clock } = needs;
  const counter = createRateCounter({ ...needs, exchangedFrom: ADDRESS_EXCHANGED_FROM });
  return {
    start: counter.start,
    stop: counter.stop,
    async check(address, check) {
      const bucket = `${what.replaceAll(' ', '-')}/${addressBucket(address)}`;
      if (counter.used(bucket) >= WRONG_GUESSES_MAX) {
        const waitS = secondsToNextWindow(clock);
        throw new AppError('rate_limited', `This address has sent too many wrong ${what}s. Retry in ${waitS} s.`, {
          headers: { 'Retry-After': String(waitS) },
        });
      }
      const right = await check();
      if (right === null) counter.add(bucket);
      return right;
    },
  };
}
