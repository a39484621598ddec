import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../errors.js';
import { createBoundedQueue } from './bounded-queue.js';

/**
 * OWASP's parameters for Argon2id, also the default of the library: 19 MiB, two passes, one lane. A hash took 13 ms
 * when measured.
 */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of 32 random bytes that nobody knows, with the parameters above. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$8txdbZcSQMUGo5FjWufQNQ$puY3D0G26mqWpd6hE3NinrmwDZMQlmQNxyckc7T4VV0';

/**
 * Hashes run on the four threads of libuv, which also resolve names and read files, so one thread stays free.
 * https://docs.libuv.org/en/v1.x/threadpool.html
 */
const HASHES_AT_ONCE_MAX = 3;
const HASHES_WAITING_MAX = 300;
const RETRY_AFTER_S = 2;

/** Hashes and checks passwords. Both reject with `rate_limited` when too many others are waiting. */
export interface Passwords {
  /** Resolves to the Argon2id hash in the PHC string format. */
  hash(password: string): Promise<string>;
  /** A missing hash takes as long as a wrong password, so that the time does not tell whether an account exists. */
  verify(hash: string | null, password: string): Promise<boolean>;
}

/** `cores` is the number of processors; one of them stays free for everything else. */
export function createPasswords({ cores }: { cores: number }): Passwords {
  const queue = createBoundedQueue({
    runningMax: Math.max(1, Math.min(cores - 1, HASHES_AT_ONCE_MAX)),
    waitingMax: HASHES_WAITING_MAX,
    refusal: tooManyWaiting,
  });
  return {
    hash: (password) => queue.run(() => hash(normalized(password), ARGON2ID)),
    verify: (stored, password) =>
      queue.run(async () => {
        const isRight = await verify(stored ?? NOBODYS_HASH, normalized(password));
        return isRight && stored !== null;
      }),
  };
}

/** Keyboards and systems encode the same characters in different ways. NIST SP 800-63B, section 5.1.1.2. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

function tooManyWaiting(): AppError {
  return new AppError('rate_limited', `Too many people are signing in. Retry in ${RETRY_AFTER_S} s.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
}
