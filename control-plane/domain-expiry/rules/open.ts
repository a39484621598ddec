import type { Logger } from '../../../kernel/logger.js';
import type { AlertRules } from '../../alert-rules/alert-rules.js';
import type { OpenedSlice, Slice } from '../../slice.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { shortName } from '../../wording.js';
import type { MonitoredDomainListener, MonitoredDomains } from '../domain-expiry.js';
import { createExpiryIncidents, type ExpiryIncidentsNeeds } from './expiry-incidents.js';
import { domainKind } from './incident-kind.js';
import { DOMAIN_DEFAULT_RULES, domainExpiringType, enabledRules } from './rule-type.js';
import { domainOfSubject } from './subjects.js';
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
      const idOf = (subject: string) => domainOfSubject(subject) ?? '';
      const ids = incidents.map(({ subject }) => idOf(subject));
      const found = new Set((await domains.findMany(workspaceId, ids, tx)).map(({ _id }) => _id));
      return new Set(incidents.map(({ subject }) => subject).filter((subject) => found.has(idOf(subject))));
    },
    beginSweep: createExpirySweep({ ...needs, expiryIncidents }),
  });
  return {
    listener: {
      async checked(tx, domain) {
        // Not with the first monitor: many domains have no expiry that anyone tells.
        if (domain.registration.expires_at_ms !== null) {
          await alertRules.ensureDefaults(tx, systemActor(domain.workspace_id), DOMAIN_DEFAULT_RULES);
        }
        await expiryIncidents.update(tx, domain);
      },
      removed: (tx, { _id, workspace_id, name }) =>
        alertRules.resolveObsolete(tx, systemActor(workspace_id), {
          resolution: 'deleted',
          because: `no active monitor is of the domain ${shortName(name)} any more`,
          deleted: _id,
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
