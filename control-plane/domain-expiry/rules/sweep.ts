import type { RuleTypeHandler } from '../../alert-rules/alert-rules.js';
import { createRuleSweep, type RuleSweepNeeds } from '../../alert-rules/evaluate/rule-sweep.js';
import type { ExpiringDomain, MonitoredDomains } from '../domain-expiry.js';
import type { ExpiryIncidents } from './expiry-incidents.js';
import { domainExpiringType, enabledRules } from './rule-type.js';
import { FIRST_STAGE_MS, stageOfMonitored } from './stage.js';
import { expirySubject } from './subjects.js';

export interface ExpirySweepNeeds extends RuleSweepNeeds {
  domains: MonitoredDomains;
  expiryIncidents: ExpiryIncidents;
}

/** Returns the sweep of domains. It also opens the incident of a stage that is reached between two questions to the registry. */
export function createExpirySweep(needs: ExpirySweepNeeds): RuleTypeHandler['beginSweep'] {
  const { domains, expiryIncidents, clock } = needs;
  return createRuleSweep<ExpiringDomain>(needs, {
    type: domainExpiringType.type,
    failure: 'failed to update the incident of a domain; the next sweep retries',
    idField: 'domain',
    alerting: (afterId, limit) => domains.expiring(clock.now() + FIRST_STAGE_MS, afterId, limit),
    findMany: domains.findMany,
    rulesOf: enabledRules,
    subjectsOf(domain) {
      const stage = stageOfMonitored(domain, clock.now());
      return stage === null ? [] : [expirySubject(domain.name, stage)];
    },
    resourceOf: (_subject, resourceId) => resourceId,
    async update(tx, workspaceId, domainId) {
      const present = await domains.find(workspaceId, domainId, tx);
      if (present !== null) await expiryIncidents.update(tx, present);
    },
  });
}
