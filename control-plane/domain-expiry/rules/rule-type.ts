import type { DefaultRules } from '../../alert-rules/alert-rules.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import { defineRuleType, type RuleOf } from '../../alert-rules/rule-type.js';

const NAME = 'Domain expiring';

export const domainExpiringType = defineRuleType({
  type: 'domain_expiring',
  description:
    'the registration of a monitored domain expires in 30, 14, 7 or 3 days; the incident of the last 3 days is `critical`, whatever the severity of the rule',
  metric: null,
  defaultSeverity: 'warning',
  condition: {},
  targets: {},
  examples: {
    create: [{ name: NAME, type: 'domain_expiring' }],
    update: [],
    reply: [{ name: NAME }],
  },
});
export type DomainExpiringRule = RuleOf<typeof domainExpiringType>;

/** The rule that a workspace gets with the first domain whose expiry is known. */
export const DOMAIN_DEFAULT_RULES: DefaultRules = {
  key: 'domain-expiry',
  rules: [{ name: NAME, type: domainExpiringType.type, severity: 'warning' }],
};

/** Returns the enabled rules. They apply to all domains of the workspace. */
export function enabledRules(rules: readonly AlertRuleDocument[]): DomainExpiringRule[] {
  return domainExpiringType.of(rules).filter(({ enabled }) => enabled);
}
