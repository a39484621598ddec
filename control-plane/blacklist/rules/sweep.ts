import type { RuleTypeHandler } from '../../alert-rules/alert-rules.js';
import { createRuleSweep, type RuleSweepNeeds } from '../../alert-rules/evaluate/rule-sweep.js';
import type { BlacklistDirectory, ListedMonitor } from '../blacklist.js';
import { alertingListings, type ListingIncidents } from './listing-incidents.js';
import { listedType, rulesOf } from './rule-type.js';
import { listingSubject, parseListingSubject } from './subjects.js';

export interface ListingSweepNeeds extends RuleSweepNeeds {
  blacklist: BlacklistDirectory;
  listings: ListingIncidents;
}

/** Returns the sweep of listings. */
export function createListingSweep(needs: ListingSweepNeeds): RuleTypeHandler['beginSweep'] {
  const { blacklist, listings } = needs;
  return createRuleSweep<ListedMonitor>(needs, {
    type: listedType.type,
    failure: 'failed to update the incidents of a blacklist monitor; the next sweep retries',
    idField: 'monitor',
    alerting: blacklist.listed,
    findMany: blacklist.findMany,
    rulesOf,
    subjectsOf: (monitor) => alertingListings(monitor).map(({ provider }) => listingSubject(monitor._id, provider)),
    resourceOf: (subject) => parseListingSubject(subject)?.monitorId ?? null,
    async update(tx, workspaceId, monitorId) {
      const present = await blacklist.find(workspaceId, monitorId, tx);
      if (present !== null) await listings.update(tx, present, null);
    },
  });
}
