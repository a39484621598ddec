import type { RuleTypeHandler } from '../../alert-rules/alert-rules.js';
import { createRuleSweep, type RuleSweepNeeds } from '../../alert-rules/evaluate/rule-sweep.js';
import type { DomainDirectory, TroubledDomain } from '../email-domains.js';
import type { DomainIncidents } from './domain-incidents.js';
import { enabledRules, scoreFellType } from './rule-type.js';
import { domainOfSubject, domainSubject } from './subjects.js';

export interface DomainSweepNeeds extends RuleSweepNeeds {
  domains: DomainDirectory;
  domainIncidents: DomainIncidents;
}

/** Returns the sweep of e-mail domains. */
export function createDomainSweep(needs: DomainSweepNeeds): RuleTypeHandler['beginSweep'] {
  const { domains, domainIncidents } = needs;
  return createRuleSweep<TroubledDomain>(needs, {
    type: scoreFellType.type,
    failure: 'failed to update the incident of an e-mail domain; the next sweep retries',
    idField: 'domain',
    alerting: domains.troubled,
    findMany: domains.findMany,
    rulesOf: enabledRules,
    subjectsOf: ({ _id, trouble }) => (trouble === null ? [] : [domainSubject(_id)]),
    resourceOf: domainOfSubject,
    async update(tx, workspaceId, domainId) {
      const present = await domains.find(workspaceId, domainId, tx);
      if (present !== null) await domainIncidents.update(tx, present);
    },
  });
}
