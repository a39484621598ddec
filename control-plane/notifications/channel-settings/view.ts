import { toIso } from '../../../kernel/clock.js';
import { type Actor, hasScope } from '../../actor.js';
import { canonicalEmail } from '../../http/input/email-address.js';
import type { Recipients } from '../../recipients/recipients.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelDocument, DeliveryAttempt } from '../documents.js';
import type { Channel } from '../schema.js';
import { addressesOf } from './addresses.js';
import { maskedConfiguration, shownConfiguration } from './configuration.js';

/**
 * Returns channels of one workspace in the shape of the API, with the secrets masked that the actor must not see. `tx` is the
 * transaction that has changed them.
 */
export async function channelViews(
  recipients: Pick<Recipients, 'unconfirmed'>,
  actor: Actor,
  documents: readonly ChannelDocument[],
  tx?: Transaction,
): Promise<Channel[]> {
  const unconfirmed = await recipients.unconfirmed(actor.workspaceId, documents.flatMap(addressesOf), tx);
  return documents.map((document) => channelView(actor, document, unconfirmed));
}

function channelView(actor: Actor, document: ChannelDocument, unconfirmed: ReadonlySet<string>): Channel {
  const config = hasScope(actor, 'channels:write') ? shownConfiguration(document) : maskedConfiguration(document);
  return {
    id: document._id,
    type: document.type,
    name: document.name,
    config,
    unconfirmed: addressesOf(document).filter((address) => unconfirmed.has(canonicalEmail(address))),
    delay_minutes: document.delay_minutes,
    repeat_minutes: document.repeat_minutes,
    enabled: document.disabled_at_ms === null,
    disabled_at: document.disabled_at_ms === null ? null : toIso(document.disabled_at_ms),
    disabled_reason: document.disabled_reason,
    last_delivery: document.last_delivery === undefined ? null : deliveryView(document.last_delivery),
    last_test: document.last_test === undefined ? null : deliveryView(document.last_test),
    created_at: toIso(document.created_at_ms),
    updated_at: toIso(document.updated_at_ms),
  };
}

function deliveryView({ at_ms, ...attempt }: DeliveryAttempt): NonNullable<Channel['last_delivery']> {
  return { at: toIso(at_ms), ...attempt };
}
