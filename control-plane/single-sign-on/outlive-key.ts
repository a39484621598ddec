import type { Actor } from '../actor.js';
import { refuseKeyWithExpiry } from '../http/access.js';

/**
 * Throws `forbidden` for a key with an expiry. The provider, its domains and its links decide who logs in as whom, and the
 * provider can make its people owners.
 */
export function refuseToOutliveKey(actor: Pick<Actor, 'key'>): void {
  refuseKeyWithExpiry(actor, 'make anybody an owner or admin through single sign-on');
}
