import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { PLANS } from '../../accounts/plans.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import { callerBucket, type RateCounter, secondsToNextWindow } from '../../http/limits/rate-counter.js';
import type { CheckTarget, Target, TargetCheck } from '../blacklist.js';
import { readTarget } from '../lookup/targets.js';
import type { SharedCheck, SharedChecksStore } from './shared-checks-store.js';

/** A result is given again this long. */
const SHARED_MS = 60_000;
/** One in which no list answered: the trouble may be over in a moment. */
const SHARED_SILENCE_MS = 5_000;

export interface InstantCheckDependencies {
  checkTarget: CheckTarget;
  /** Names the catalogue: control planes with another one share no results. */
  catalogueDigest: string;
  shared: SharedChecksStore;
  /** Counts look-ups, apart from requests: `PICKET_RATE_LIMIT` does not lift this limit, which is for the lists' sake. */
  counter: Pick<RateCounter, 'used' | 'add'>;
  clock: Clock;
  logger: Logger;
}

/**
 * Looks up what a text names, or gives the result of another caller who did so just now. Throws 422 for what is no
 * public address or domain, 429 for a caller who has used up the minute.
 */
export type InstantCheck = (actor: Actor, text: string) => Promise<TargetCheck>;

export function createInstantCheck(deps: InstantCheckDependencies): InstantCheck {
  const { checkTarget, shared, clock, logger } = deps;
  /** Look-ups under way, and those whose result is not written yet. */
  const flights = new Map<string, { done: Promise<SharedCheck>; untilMs: number }>();

  function joined(key: string): Promise<SharedCheck> | null {
    const flight = flights.get(key);
    return flight !== undefined && flight.untilMs > clock.now() ? flight.done : null;
  }

  function takeOff(key: string, target: Target): Promise<SharedCheck> {
    const flight = { done: look(target), untilMs: Number.POSITIVE_INFINITY };
    flights.set(key, flight);
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.done.then((result) => {
      flight.untilMs = result.untilMs;
      // Nobody waits for the write; whoever asks meanwhile finds the flight.
      shared
        .put(key, result)
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'a blacklist check is not shared with other control planes'),
        )
        .finally(land);
    }, land);
    return flight.done;
  }

  async function look(target: Target): Promise<SharedCheck> {
    const check = await checkTarget(target, { tests: 'now' });
    const sharedMs = check.responding === 0 ? SHARED_SILENCE_MS : SHARED_MS;
    return { check, untilMs: check.checked_at_ms + sharedMs };
  }

  return async (actor, text) => {
    const target = readTarget(text);
    const key = `${deps.catalogueDigest}/${target.type}/${target.name}`;
    const known = joined(key) ?? (await shared.find(key, clock.now())) ?? joined(key);
    if (known !== null) return (await known).check;
    countLookUp(deps, actor);
    return (await takeOff(key, target)).check;
  };
}

/** Each key has its own count, so that one of a workspace's keys does not use up another's. */
function countLookUp({ counter, clock }: InstantCheckDependencies, actor: Actor): void {
  const limit = PLANS[actor.plan].instantChecksPerMinute;
  const bucket = `instant-check/${callerBucket(actor)}`;
  if (counter.used(bucket) < limit) {
    counter.add(bucket);
    return;
  }
  throw new AppError(
    'rate_limited',
    `The ${actor.plan} plan allows ${limit} instant checks a minute for each key, and this minute's are used up.`,
    { headers: { 'Retry-After': String(secondsToNextWindow(clock)) } },
  );
}
