import type { DefaultRules } from '../../alert-rules/alert-rules.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import { defineRuleType, type RuleOf } from '../../alert-rules/rule-type.js';

export const checkFailedType = defineRuleType({
  type: 'wordpress_check_failed',
  description:
    'a check of a WordPress site that passed fails in two consecutive measurements, or in one from outside; a check that has not passed since the plugin was connected is ignored',
  metric: null,
  defaultSeverity: 'warning',
  condition: {},
  targets: {},
  examples: {
    create: [{ name: 'WordPress check failed', type: 'wordpress_check_failed' }],
    update: [],
    reply: [{ name: 'WordPress check failed' }],
  },
});
export type CheckFailedRule = RuleOf<typeof checkFailedType>;

/** The rule that a workspace gets with its first WordPress site. */
export const WORDPRESS_DEFAULT_RULES: DefaultRules = {
  key: 'wordpress',
  rules: [{ name: 'WordPress check failed', type: checkFailedType.type, severity: 'warning' }],
};

/** Returns the enabled rules. They apply to all sites of the workspace. */
export function enabledRules(rules: readonly AlertRuleDocument[]): CheckFailedRule[] {
  return checkFailedType.of(rules).filter(({ enabled }) => enabled);
}
