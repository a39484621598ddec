import { isoOrNull, toIso } from '../../../kernel/clock.js';
import { shownReceiver } from '../../../kernel/urls/shown-url.js';
import { type Actor, hasScope } from '../../actor.js';
import type { SubscriberDocument } from './documents.js';
import type { Subscriber } from './settings/schema.js';

/** Returns a subscriber as the API shows it. Only who may change subscribers sees whole addresses and URLs. */
export function subscriberView(actor: Actor, subscriber: SubscriberDocument): Subscriber {
  const { _id: id, type, receiver, state, language, component_ids } = subscriber;
  const shown = hasScope(actor, 'status_pages:write') ? receiver : maskedReceiver(subscriber);
  return {
    id,
    type,
    address: type === 'email' ? shown : null,
    url: type === 'webhook' ? shown : null,
    state,
    language,
    component_ids,
    created_by: subscriber.created_by,
    created_at: toIso(subscriber.created_at_ms),
    confirmed_at: isoOrNull(subscriber.confirmed_at_ms),
  };
}

/** Returns `a…@example.com` of an address, and of a URL what others may see of it. */
export function maskedReceiver({ type, receiver }: Pick<SubscriberDocument, 'type' | 'receiver'>): string {
  if (type === 'webhook') return shownReceiver(receiver);
  return `${receiver.slice(0, 1)}…${receiver.slice(receiver.lastIndexOf('@'))}`;
}
