import { createHash } from 'node:crypto';
import type { Clock } from '../../kernel/clock.js';
import type { Guesser } from '../accounts/passwords/password.js';
import { AppError } from '../errors.js';
import { addressBucket, siteBucket } from '../http/limits/address-bucket.js';
import type { Attempts, AttemptsRule, AttemptsStore } from './attempts-store.js';
import { createWaitingRoom } from './waiting-room.js';

/** Failures within fifteen minutes of one account from one network. */
const PAIR_FAILURES_MAX = 10;
/** Failures within fifteen minutes of one network, in all accounts together. Several people can share a network. */
const NETWORK_FAILURES_MAX = 100;
/**
 * Failures within fifteen minutes of one IPv6 /48, so that whoever has one gains little from its 65,536 networks. Where a provider
 * shares it among customers, they lock out none who logs in from a known device.
 */
const SITE_FAILURES_MAX = 400;
/** From as many failures within fifteen minutes of one account, from anywhere, each further attempt waits. */
const SLOW_FROM_FAILURES = 100;
const SLOWEST_FROM_FAILURES = 400;
const SLOW_MS = 1_000;
/** Waiting requests cost memory. */
const WAITING_MAX = 500;
const WAITING_RETRY_MS = 5_000;

/** An attempt that may be made. Each function throws `rate_limited` if concurrent attempts have used up the limit. */
export interface Attempt {
  /** Call it before the answer to a wrong guess. Nobody learns that a guess beyond the limit was wrong. */
  failed(): Promise<void>;
  /** Call it before a right guess has any effect. Nobody gains from a guess beyond the limit that was right. */
  requireOpen(): Promise<void>;
  /** Forgets the failures of the account from this network. */
  succeeded(): Promise<void>;
}

/**
 * Limits how often anybody may guess a password or a second factor, at all control planes together. Ten failures lock a
 * pair of account and network for fifteen minutes, also for the right password, 100 failures lock a network, and 400 an IPv6 /48.
 * Failures of an account from many networks only slow its log-ins down, except for devices that its owner has used before,
 * because nobody may lock somebody else out.
 */
export interface LockOut {
  /** Throws `rate_limited` while the pair or the network is locked. */
  begin(by: Guesser): Promise<Attempt>;
  /** Runs `check`, which resolves to whether the guess is right and has no effect, as one attempt. */
  attempt(by: Guesser, check: () => Promise<boolean>): Promise<boolean>;
}

export function createLockOut({ store, clock }: { store: AttemptsStore; clock: Clock }): LockOut {
  const room = createWaitingRoom({ clock, waitingMax: WAITING_MAX, refusal: () => refusal(WAITING_RETRY_MS) });

  const lockOut: LockOut = {
    async begin(by) {
      const { locking, network, pair, account } = rulesOf(by);
      const lockingIds = locking.map(({ id }) => id);
      const requireOpen = async () => refuseLocked(await store.read(lockingIds));
      const [ofAccount, ...ofLocking] = await store.read([account.id, ...lockingIds]);
      refuseLocked(ofLocking);
      const delayMs = by.isKnown ? 0 : delayOf(ofAccount?.failures ?? 0);
      if (delayMs > 0) await room.wait({ group: account.id, member: network.id }, delayMs);
      return {
        requireOpen,
        async failed() {
          refuseLocked(await Promise.all([...locking, account].map(store.fail)));
        },
        succeeded: () => store.clear(pair.id),
      };
    },
    async attempt(by, check) {
      const attempt = await lockOut.begin(by);
      if (!(await check())) {
        await attempt.failed();
        return false;
      }
      await attempt.requireOpen();
      await attempt.succeeded();
      return true;
    },
  };
  return lockOut;
}

/** Returns for how long an attempt waits after as many failures of its account. */
function delayOf(failures: number): number {
  if (failures < SLOW_FROM_FAILURES) return 0;
  return SLOW_MS * 2 ** (Math.floor(Math.min(failures, SLOWEST_FROM_FAILURES) / SLOW_FROM_FAILURES) - 1);
}

interface Rules {
  pair: AttemptsRule;
  network: AttemptsRule;
  account: AttemptsRule;
  /** Those that lock. */
  locking: readonly AttemptsRule[];
}

function rulesOf({ email, ip, isKnown }: Guesser): Rules {
  const bucket = addressBucket(ip);
  const pair = lockingRule(`pair/${sha256(`${email}\n${bucket}`)}`, PAIR_FAILURES_MAX);
  const network = lockingRule(`network/${bucket}`, NETWORK_FAILURES_MAX);
  const site = isKnown ? null : siteBucket(ip);
  return {
    pair,
    network,
    account: { id: `account/${sha256(email)}`, kept: SLOWEST_FROM_FAILURES, lockAt: null },
    locking: [pair, network, ...(site === null ? [] : [lockingRule(`site/${site}`, SITE_FAILURES_MAX)])],
  };
}

function lockingRule(id: string, failuresMax: number): AttemptsRule {
  return { id, kept: failuresMax, lockAt: failuresMax };
}

function refuseLocked(counters: readonly (Attempts | undefined)[]): void {
  const lockedMs = Math.max(...counters.map((counter) => counter?.lockedMs ?? 0));
  if (lockedMs > 0) throw refusal(lockedMs);
}

function refusal(waitMs: number): AppError {
  const waitS = Math.max(1, Math.ceil(waitMs / 1_000));
  return new AppError('rate_limited', `Too many failed attempts. Retry in ${waitS} s.`, {
    headers: { 'Retry-After': String(waitS) },
  });
}

/** Addresses that people type by mistake, such as a password, are not stored. */
function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
