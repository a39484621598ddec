import type { Actor, ActorSession } from '../actor.js';
import { AppError } from '../errors.js';
import { hasSecondFactor, type SecondFactorSummary } from './summary.js';

/** A person in a session. Routes of the access `person` have no other actor. */
export interface Person {
  actor: Actor;
  userId: string;
  session: ActorSession;
}

export function personOf(actor: Actor): Person {
  if (actor.userId === null || actor.session === null) {
    throw new AppError('forbidden', 'This needs a person who is logged in, not an API key.');
  }
  return { actor, userId: actor.userId, session: actor.session };
}

/**
 * Throws 403 when the person has a second factor that this session has not proved. Otherwise somebody with the password
 * alone, or with the session of a single sign-on, could add a factor of their own or remove the person's.
 */
export function requireProvedFactor({ session }: Person, summary: SecondFactorSummary): void {
  if (!hasSecondFactor(summary) || session.secondFactor) return;
  throw new AppError(
    'confirmation_required',
    'Confirm your second factor first: POST /v1/auth/confirm with totp, recovery_code or passkey.',
  );
}
