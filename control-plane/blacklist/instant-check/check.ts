import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { callerBuckets, takeFrom } from '../../http/limits/caller-buckets.js';
import { type RateCounter, secondsToNextWindow } from '../../http/limits/rate-counter.js';
import { PLANS } from '../../plans/plans.js';
import { readTarget } from '../lookup/targets.js';
import type { CheckTarget, Target, TargetCheck } from '../results.js';
import type { SharedCheck, SharedChecksStore } from './shared-checks-store.js';

/** A result is reused for this long. */
const SHARED_MS = 60_000;
/** A result without any answer is reused for less time, because the failure may be temporary. */
const SHARED_FAILURE_MS = 5_000;

interface InstantCheckNeeds {
  checkTarget: CheckTarget;
  /** Identifies the catalogue: control planes share results only if they have the same one. */
  catalogueDigest: string;
  shared: SharedChecksStore;
  /** Counts checks, not requests: this limit protects the lists, so `PICKET_RATE_LIMIT` does not raise it. */
  counter: Pick<RateCounter, 'used' | 'add'>;
  clock: Clock;
  logger: Logger;
}

/**
 * Checks a target, or returns the recent result of another caller. Throws 422 if the text is not a public address or
 * domain, and 429 if the caller has reached the limit of the minute.
 */
export type InstantCheck = (actor: Actor, text: string) => Promise<TargetCheck>;

export function createInstantCheck(needs: InstantCheckNeeds): InstantCheck {
  const { checkTarget, shared, clock, logger } = needs;
  /** Checks that are running, or whose result is not stored yet. */
  const running = new Map<string, { done: Promise<SharedCheck>; untilMs: number }>();

  function runningCheck(key: string): Promise<SharedCheck> | null {
    const check = running.get(key);
    return check !== undefined && check.untilMs > clock.now() ? check.done : null;
  }

  function startCheck(key: string, target: Target): Promise<SharedCheck> {
    const check = { done: runCheck(target), untilMs: Number.POSITIVE_INFINITY };
    running.set(key, check);
    const remove = () => {
      if (running.get(key) === check) running.delete(key);
    };
    check.done.then((result) => {
      check.untilMs = result.untilMs;
      // The caller does not wait for this write; other callers find the check in `running` until it is done.
      shared
        .put(key, result)
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'storing a blacklist check for other control planes failed'),
        )
        .finally(remove);
    }, remove);
    return check.done;
  }

  async function runCheck(target: Target): Promise<SharedCheck> {
    const check = await checkTarget(target, { tests: 'now' });
    const sharedMs = check.responding === 0 ? SHARED_FAILURE_MS : SHARED_MS;
    return { check, untilMs: check.checked_at_ms + sharedMs };
  }

  return async (actor, text) => {
    const target = readTarget(text);
    const key = `${needs.catalogueDigest}/${target.type}/${target.name}`;
    const known = runningCheck(key) ?? (await shared.find(key, clock.now())) ?? runningCheck(key);
    if (known !== null) return (await known).check;
    countCheck(needs, actor);
    return (await startCheck(key, target)).check;
  };
}

/** Counts a check in the same buckets as a request. Throws 429 beyond a limit. */
function countCheck({ counter, clock }: InstantCheckNeeds, actor: Actor): void {
  const buckets = callerBuckets(actor, PLANS[actor.plan].instantChecksPerMinute);
  const full = takeFrom(
    counter,
    buckets.map((bucket) => ({ ...bucket, name: `instant-check/${bucket.name}` })),
  );
  if (full === null) return;
  throw new AppError(
    'rate_limited',
    `The ${actor.plan} plan allows ${full.limit} instant checks a minute for ${full.of}. Retry in the next minute.`,
    { headers: { 'Retry-After': String(secondsToNextWindow(clock)) } },
  );
}
