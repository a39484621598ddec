import type { RuleTypeHandler } from '../../alert-rules/alert-rules.js';
import { createRuleSweep, type RuleSweepNeeds } from '../../alert-rules/evaluate/rule-sweep.js';
import type { SiteDirectory, TroubledSite } from '../wordpress.js';
import type { CheckIncidents } from './check-incidents.js';
import { checkFailedType, enabledRules } from './rule-type.js';
import { checkSubject, siteOfSubject } from './subjects.js';

export interface SiteSweepNeeds extends RuleSweepNeeds {
  sites: SiteDirectory;
  checkIncidents: CheckIncidents;
}

/** Returns the sweep of WordPress sites. */
export function createSiteSweep({ sites, checkIncidents, ...needs }: SiteSweepNeeds): RuleTypeHandler['beginSweep'] {
  return createRuleSweep<TroubledSite>(needs, {
    type: checkFailedType.type,
    failure: 'failed to update the incidents of a WordPress site; the next sweep retries',
    idField: 'site',
    alerting: sites.troubled,
    findMany: sites.findMany,
    rulesOf: enabledRules,
    subjectsOf: ({ _id, troubles = [] }) => troubles.map(({ check }) => checkSubject(_id, check)),
    resourceOf: siteOfSubject,
    async update(tx, workspaceId, siteId) {
      const present = await sites.find(workspaceId, siteId, tx);
      if (present !== null) await checkIncidents.update(tx, present);
    },
  });
}
