import type { Logger } from '../../../kernel/logger.js';
import type { AlertRules } from '../../alert-rules/alert-rules.js';
import type { OpenedSlice, Slice } from '../../slice.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { MonitoredDomainListener, MonitoredDomains } from '../domain-expiry.js';
import { createExpiryIncidents, type ExpiryIncidentsNeeds } from './expiry-incidents.js';
import { domainKind } from './incident-kind.js';
import { DOMAIN_DEFAULT_RULES, domainExpiringType, enabledRules } from './rule-type.js';
import { createExpirySweep } from './sweep.js';

export interface DomainRulesNeeds extends ExpiryIncidentsNeeds {
  alertRules: AlertRules;
  domains: MonitoredDomains;
  runTransaction: RunTransaction;
  logger: Logger;
}

export interface DomainRules extends OpenedSlice {
  /** Applies the rules to what is known of a domain, in the transaction that saves it. */
  listener: MonitoredDomainListener;
}

/** Alert rules on the registrations of domains. */
function openDomainRules(needs: DomainRulesNeeds): DomainRules {
  const { alertRules, domains, systemActor } = needs;
  const expiryIncidents = createExpiryIncidents(needs);
  alertRules.register({
    types: [domainExpiringType.type],
    async checkTargets() {},
    async withRule(workspaceId, incidents, rules, tx) {
      if (enabledRules(rules).length === 0) return new Set();
      const ids = incidents.map(({ resource }) => resource.id);
      const found = new Set((await domains.findMany(workspaceId, ids, tx)).map(({ _id }) => _id));
      return new Set(incidents.filter(({ resource }) => found.has(resource.id)).map(({ subject }) => subject));
    },
    beginSweep: createExpirySweep({ ...needs, expiryIncidents }),
  });
  return {
    listener: {
      async checked(tx, domain) {
        // Not with the first monitor: of many domains the registry publishes no expiry.
        if (domain.registration.expires_at_ms !== null) {
          await alertRules.ensureDefaults(tx, systemActor(domain.workspace_id), DOMAIN_DEFAULT_RULES);
        }
        await expiryIncidents.update(tx, domain);
      },
      removed: (tx, workspaceId, ids) =>
        alertRules.resolveObsolete(tx, systemActor(workspaceId), {
          resolution: 'deleted',
          because: 'no active monitor is of the domain any more',
          deleted: ids,
        }),
    },
  };
}

/** Alert rules on the registrations of domains. */
export const domainRulesSlice = {
  name: 'domainRules',
  incidentKinds: [domainKind],
  ruleTypes: [domainExpiringType],
  open: openDomainRules,
} satisfies Slice<'domainRules', DomainRulesNeeds, DomainRules>;
