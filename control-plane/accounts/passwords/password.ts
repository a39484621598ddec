import type { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../errors.js';
import { addressBucket } from '../../http/limits/address-bucket.js';
import { createFairQueue, type Owner } from './fair-queue.js';

/**
 * OWASP's parameters for Argon2id, also the default of the library: 19 MiB, two passes, one lane. A hash took 13 ms
 * when measured.
 */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Prefix of hashes with a pepper (the secret value of RFC 9106, section 3.1): a copy of the database alone is not enough
 * to guess passwords. Hashes of earlier versions have no prefix and no pepper.
 */
const KEYED = 'keyed';

/** The hash of 32 random bytes that nobody knows, with the parameters above. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$8txdbZcSQMUGo5FjWufQNQ$puY3D0G26mqWpd6hE3NinrmwDZMQlmQNxyckc7T4VV0';

/**
 * Hashes run on the four threads of libuv, which also resolve names and read files, so one thread stays free.
 * https://docs.libuv.org/en/v1.x/threadpool.html
 */
const HASHES_AT_ONCE_MAX = 3;
const HASHES_WAITING_MAX = 300;
/** Several people can share a network, and log in at the same time. */
const ACCOUNTS_OF_NETWORK_MAX = 10;
const RETRY_AFTER_S = 2;

/** Whose password is checked, and for whom. */
export interface Guesser {
  /** In lower case. */
  email: string;
  /** null when the connection has already been closed. */
  ip: string | null;
  /** Whether the person has used the device and its network before, or is logged in. */
  isKnown: boolean;
}

/** New passwords of people who have proved who they are, and those of sign-ups. Each of both takes turns as one account. */
const NEW_PASSWORDS: Owner = { group: '', member: '', known: true };
const SIGN_UPS = { group: '', known: false };

/** The library that computes the hashes. */
export interface Argon2 {
  hash: typeof hash;
  verify: typeof verify;
}

/** Hashes and checks passwords. Both reject with `rate_limited` when too many others are waiting. */
export interface Passwords {
  /**
   * Resolves to the Argon2id hash in the PHC string format, with the prefix `keyed`. With `stranger`, the address of somebody who
   * has no account yet, it waits among strangers.
   */
  hash(password: string, by?: { stranger: string | null }): Promise<string>;
  /**
   * A missing hash takes as long as a wrong password, so that the time does not tell whether an account exists. Guesses of one
   * account, or from one network, wait behind each other and not before those of others.
   */
  verify(hash: string | null, password: string, by: Guesser): Promise<boolean>;
  /** Returns whether a hash of an earlier version should be replaced now that the password is known. */
  isOutdated(hash: string): boolean;
}

/**
 * `cores` is the number of processors; one of them stays free for everything else. `key` is the pepper:
 * it is derived from the secret key of the installation and has no other use.
 */
export function createPasswords({ argon2, cores, key }: { argon2: Argon2; cores: number; key: Buffer }): Passwords {
  const queue = createFairQueue({
    runningMax: Math.max(1, Math.min(cores - 1, HASHES_AT_ONCE_MAX)),
    waitingMax: HASHES_WAITING_MAX,
    groupsOfMemberMax: ACCOUNTS_OF_NETWORK_MAX,
    refusal: tooManyWaiting,
  });
  return {
    hash: (password, by) =>
      queue.run(
        by === undefined ? NEW_PASSWORDS : { ...SIGN_UPS, member: addressBucket(by.stranger) },
        async () => `${KEYED}${await argon2.hash(normalized(password), { ...ARGON2ID, secret: key })}`,
      ),
    verify: (stored, password, by) =>
      queue.run(ownerOf(by), async () => {
        // The prefix decides, so that every attempt takes one hash.
        const isKeyed = stored?.startsWith(KEYED) ?? true;
        const phc = stored === null ? NOBODYS_HASH : stored.slice(isKeyed ? KEYED.length : 0);
        const isRight = await argon2.verify(phc, normalized(password), isKeyed ? { secret: key } : {});
        return isRight && stored !== null;
      }),
    isOutdated: (stored) => !stored.startsWith(KEYED),
  };
}

function ownerOf({ email, ip, isKnown }: Guesser): Owner {
  return { group: email, member: addressBucket(ip), known: isKnown };
}

/** Keyboards and systems encode the same characters in different ways. NIST SP 800-63B, section 5.1.1.2. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

function tooManyWaiting(): AppError {
  return new AppError('rate_limited', `Too many people are logging in. Retry in ${RETRY_AFTER_S} s.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
}
