import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import type { AlertRules } from '../../alert-rules/alert-rules.js';
import type { RuleIncidents } from '../../incidents/incidents.js';
import type { OpenedSlice, Slice } from '../../slice.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import { shortName } from '../../wording.js';
import type { CheckListener, SiteDirectory } from '../wordpress.js';
import { createCheckIncidents } from './check-incidents.js';
import { wordpressKind } from './incident-kind.js';
import { checkFailedType, enabledRules, WORDPRESS_DEFAULT_RULES } from './rule-type.js';
import { siteOfSubject } from './subjects.js';
import { createSiteSweep } from './sweep.js';

export interface WordpressRulesNeeds {
  alertRules: AlertRules;
  incidents: RuleIncidents;
  sites: SiteDirectory;
  /** Returns the actor for changes that Picket itself makes in the workspace. */
  systemActor(workspaceId: string): Actor;
  /** Of the dashboard, without a slash at the end. */
  publicUrl: string;
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
}

export interface WordpressRules extends OpenedSlice {
  /** Applies the rules to what is measured of a site, in the transaction that saves it. */
  listener: CheckListener;
  /** Creates the default rule of a workspace with its first WordPress site. */
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
}

/** Alert rules on the checks of WordPress sites. */
function openWordpressRules(needs: WordpressRulesNeeds): WordpressRules {
  const { alertRules, sites } = needs;
  const checkIncidents = createCheckIncidents(needs);
  alertRules.register({
    types: [checkFailedType.type],
    async checkTargets() {},
    async withRule(workspaceId, incidents, rules, tx) {
      if (enabledRules(rules).length === 0) return new Set();
      const idOf = (subject: string) => siteOfSubject(subject) ?? '';
      const ids = [...new Set(incidents.map(({ subject }) => idOf(subject)))];
      const found = await sites.findMany(workspaceId, ids, tx);
      const connected = new Set(found.filter(({ secret }) => secret !== null).map(({ _id }) => _id));
      return new Set(incidents.map(({ subject }) => subject).filter((subject) => connected.has(idOf(subject))));
    },
    beginSweep: createSiteSweep({ ...needs, checkIncidents }),
  });
  return {
    listener: {
      changed: checkIncidents.update,
      ended: (tx, actor, { _id, name }, how) =>
        alertRules.resolveObsolete(tx, actor, {
          resolution: how,
          because: `the WordPress site ${shortName(name)} was ${how}`,
          deleted: _id,
        }),
    },
    ensureDefaultRule: (tx, actor) => alertRules.ensureDefaults(tx, actor, WORDPRESS_DEFAULT_RULES),
  };
}

/** Alert rules on the checks of WordPress sites. */
export const wordpressRulesSlice = {
  name: 'wordpressRules',
  incidentKinds: [wordpressKind],
  ruleTypes: [checkFailedType],
  open: openWordpressRules,
} satisfies Slice<'wordpressRules', WordpressRulesNeeds, WordpressRules>;
