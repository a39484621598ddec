import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import type { AlertRules } from '../../alert-rules/alert-rules.js';
import type { RuleIncidents } from '../../incidents/incidents.js';
import type { OpenedSlice, Slice } from '../../slice.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import { shortName } from '../../wording.js';
import type { BlacklistDirectory, ListingListener } from '../blacklist.js';
import { createListingRuleHandler } from './handler.js';
import { listingKind } from './incident-kind.js';
import { createListingIncidents } from './listing-incidents.js';
import { LISTING_DEFAULT_RULES, listedType } from './rule-type.js';

export interface ListingRulesNeeds {
  alertRules: AlertRules;
  incidents: RuleIncidents;
  blacklist: BlacklistDirectory;
  /** Returns the actor for changes that Picket itself makes in the workspace. */
  systemActor(workspaceId: string): Actor;
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
}

export interface ListingRules extends OpenedSlice {
  /** Applies the rules to changes of a monitor's listings, in the transaction of the change. */
  listener: ListingListener;
  /** Creates the default rule of a workspace with its first blacklist monitor. */
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
}

/** Alert rules on the listings of blacklist monitors. */
function openListingRules(needs: ListingRulesNeeds): ListingRules {
  const { alertRules } = needs;
  const listings = createListingIncidents(needs);
  alertRules.register(createListingRuleHandler({ ...needs, listings }));
  return {
    listener: {
      checked: (tx, monitor, check) => listings.update(tx, monitor, check),
      deleted: (tx, actor, { _id, target }) =>
        alertRules.resolveObsolete(tx, actor, {
          resolution: 'deleted',
          because: `the blacklist monitor of ${shortName(target)} was deleted`,
          deleted: _id,
        }),
    },
    ensureDefaultRule: (tx, actor) => alertRules.ensureDefaults(tx, actor, LISTING_DEFAULT_RULES),
  };
}

/** Alert rules on the listings of blacklist monitors. */
export const listingRulesSlice = {
  name: 'listingRules',
  incidentKinds: [listingKind],
  ruleTypes: [listedType],
  open: openListingRules,
} satisfies Slice<'listingRules', ListingRulesNeeds, ListingRules>;
