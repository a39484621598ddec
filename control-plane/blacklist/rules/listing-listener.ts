import type { ResolveUnfounded } from '../../alert-rules/unfounded.js';
import type { ListingListener } from '../blacklist.js';
import type { ListingIncidents } from './listing-incidents.js';

/** What rules make of what happens to a blacklist monitor, in the transactions of that. */
export function createListingListener(deps: {
  listings: ListingIncidents;
  resolveUnfounded: ResolveUnfounded;
}): ListingListener {
  const { listings, resolveUnfounded } = deps;
  return {
    checked: (tx, monitor, check) => listings.settle(tx, monitor, check),
    deleted: (tx, actor, { _id, target }) =>
      resolveUnfounded(tx, actor, { why: { kind: 'blacklist_monitor_deleted', target }, gone: _id }),
  };
}
