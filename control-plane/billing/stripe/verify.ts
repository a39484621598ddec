import type Stripe from 'stripe';
import type { Clock } from '../../../kernel/clock.js';
import { AppError } from '../../errors.js';

/** A signature is accepted for this long, as Stripe recommends (https://docs.stripe.com/webhooks#replay-attacks). */
const TOLERANCE_S = 300;
const EVENT_ID = /^evt_[A-Za-z0-9_]{1,200}$/;

/** Returns the event of a signed body. Throws 400 for a wrong or old signature, and for what is no event. */
export type VerifyEvent = (body: Buffer, signature: string) => Stripe.Event;

export function createVerifyEvent(stripe: Stripe, secret: string, clock: Clock): VerifyEvent {
  return (body, signature) => {
    let event: Stripe.Event;
    try {
      event = stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, clock.now());
    } catch (cause) {
      throw new AppError('invalid_request', 'The signature of the event is missing, wrong or too old.', { cause });
    }
    if (EVENT_ID.test(event.id) && typeof event.type === 'string') return event;
    throw new AppError('invalid_request', 'The body is not an event of Stripe.');
  };
}
