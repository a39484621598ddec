import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { AppError } from '../../errors.js';
import { ADDRESS_EXCHANGED_FROM, addressBucket } from './address-bucket.js';
import { createRateCounter, type RateCounter, secondsToNextWindow } from './rate-counter.js';
import type { RateLimitStore } from './rate-limit-store.js';

/** Wrong guesses per minute from one address. */
const WRONG_GUESSES_MAX = 30;

/** Guesses of one address that wait until it is known whether earlier ones are wrong. */
const WAITING_MAX = 1_000;

/**
 * Limits how often an address may guess a secret. Right answers do not count. Guesses that are being checked count as wrong until it
 * is known, so that no more than 30 in a minute are checked and wrong, however many are sent at once. A guess for which there is no
 * room waits: a fleet that enrols behind one address sends right ones. Each control plane counts what it checks itself at once,
 * and what others checked within a second.
 */
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
  const places = createPlaces(counter, () => {
    const waitS = secondsToNextWindow(clock);
    return new AppError('rate_limited', `This address has sent too many wrong ${what}s. Retry in ${waitS} s.`, {
      headers: { 'Retry-After': String(waitS) },
    });
  });
  return {
    start: counter.start,
    stop: counter.stop,
    async check(address, check) {
      const bucket = `${what.replaceAll(' ', '-')}/${addressBucket(address)}`;
      await places.enter(bucket);
      try {
        const right = await check();
        if (right === null) counter.add(bucket);
        return right;
      } finally {
        places.leave(bucket);
      }
    },
  };
}

/** Guesses of one address that are being checked, and those that wait for that. */
interface Place {
  checking: number;
  waiting: (() => void)[];
}

function createPlaces(counter: Pick<RateCounter, 'used'>, tooMany: () => AppError) {
  const places = new Map<string, Place>();
  const roomIn = (bucket: string, { checking }: Place) => WRONG_GUESSES_MAX - counter.used(bucket) - checking;
  return {
    async enter(bucket: string): Promise<void> {
      for (;;) {
        if (counter.used(bucket) >= WRONG_GUESSES_MAX) throw tooMany();
        const place = places.get(bucket) ?? { checking: 0, waiting: [] };
        places.set(bucket, place);
        if (roomIn(bucket, place) > 0) {
          place.checking += 1;
          return;
        }
        if (place.waiting.length >= WAITING_MAX) throw tooMany();
        await new Promise<void>((resolve) => place.waiting.push(resolve));
      }
    },
    leave(bucket: string): void {
      const place = places.get(bucket);
      if (place === undefined) return;
      place.checking -= 1;
      const isFull = counter.used(bucket) >= WRONG_GUESSES_MAX;
      const next = place.waiting.splice(0, isFull ? place.waiting.length : Math.max(0, roomIn(bucket, place)));
      if (place.checking === 0 && place.waiting.length === 0) places.delete(bucket);
      for (const resolve of next) resolve();
    },
  };
}
