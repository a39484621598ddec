import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import type { AlertRules } from '../../alert-rules/alert-rules.js';
import type { RuleIncidents } from '../../incidents/incidents.js';
import type { OpenedSlice, Slice } from '../../slice.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import { shortName } from '../../wording.js';
import type { DomainDirectory, DomainListener } from '../email-domains.js';
import { createDomainIncidents } from './domain-incidents.js';
import { emailKind } from './incident-kind.js';
import { enabledRules, SCORE_DEFAULT_RULES, scoreFellType } from './rule-type.js';
import { domainOfSubject } from './subjects.js';
import { createDomainSweep } from './sweep.js';

export interface EmailRulesNeeds {
  alertRules: AlertRules;
  incidents: RuleIncidents;
  domains: DomainDirectory;
  /** Returns the actor for changes that Picket itself makes in the workspace. */
  systemActor(workspaceId: string): Actor;
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
}

export interface EmailRules extends OpenedSlice {
  /** Applies the rules to the checks of a domain, in the transaction of the check. */
  listener: DomainListener;
  /** Creates the default rule of a workspace with its first e-mail domain. */
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
}

/** Alert rules on the scores of e-mail domains. */
function openEmailRules(needs: EmailRulesNeeds): EmailRules {
  const { alertRules, domains } = needs;
  const domainIncidents = createDomainIncidents(needs);
  alertRules.register({
    types: [scoreFellType.type],
    async checkTargets() {},
    async withRule(workspaceId, incidents, rules, tx) {
      if (enabledRules(rules).length === 0) return new Set();
      const idOf = (subject: string) => domainOfSubject(subject) ?? '';
      const ids = incidents.map(({ subject }) => idOf(subject));
      const found = new Set((await domains.findMany(workspaceId, ids, tx)).map(({ _id }) => _id));
      return new Set(incidents.map(({ subject }) => subject).filter((subject) => found.has(idOf(subject))));
    },
    beginSweep: createDomainSweep({ ...needs, domainIncidents }),
  });
  return {
    listener: {
      checked: (tx, domain) => domainIncidents.update(tx, domain),
      deleted: (tx, actor, { _id, name }) =>
        alertRules.resolveObsolete(tx, actor, {
          resolution: 'deleted',
          because: `the e-mail domain ${shortName(name)} was deleted`,
          deleted: _id,
        }),
    },
    ensureDefaultRule: (tx, actor) => alertRules.ensureDefaults(tx, actor, SCORE_DEFAULT_RULES),
  };
}

/** Alert rules on the scores of e-mail domains. */
export const emailRulesSlice = {
  name: 'emailRules',
  incidentKinds: [emailKind],
  ruleTypes: [scoreFellType],
  open: openEmailRules,
} satisfies Slice<'emailRules', EmailRulesNeeds, EmailRules>;
