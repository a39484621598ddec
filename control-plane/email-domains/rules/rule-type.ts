import type { DefaultRules } from '../../alert-rules/alert-rules.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import { defineRuleType, type RuleOf } from '../../alert-rules/rule-type.js';

export const scoreFellType = defineRuleType({
  type: 'email_score_fell',
  description:
    'the score of an e-mail domain falls by 10 points or more from one check to the next, or an area that passed fails in two consecutive checks',
  metric: null,
  defaultSeverity: 'warning',
  condition: {},
  targets: {},
  examples: {
    create: [{ name: 'E-mail score fell', type: 'email_score_fell' }],
    update: [],
    reply: [{ name: 'E-mail score fell' }],
  },
});
export type ScoreFellRule = RuleOf<typeof scoreFellType>;

/** The rule that a workspace gets with its first e-mail domain. */
export const SCORE_DEFAULT_RULES: DefaultRules = {
  key: 'email-domains',
  rules: [{ name: 'E-mail score fell', type: scoreFellType.type, severity: 'warning' }],
};

/** Returns the enabled rules. They apply to all domains of the workspace. */
export function enabledRules(rules: readonly AlertRuleDocument[]): ScoreFellRule[] {
  return scoreFellType.of(rules).filter(({ enabled }) => enabled);
}
