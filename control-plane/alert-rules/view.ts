import { toIso } from '../../kernel/clock.js';
import type { AlertRuleDocument } from './documents.js';
import type { RuleTypes } from './rule-types.js';
import type { AlertRule } from './schema.js';
import { settingsOf } from './settings.js';

/** Returns a rule in the API's shape. */
export function ruleView(types: RuleTypes, rule: AlertRuleDocument): AlertRule {
  return {
    id: rule._id,
    ...settingsOf(types, rule),
    created_at: toIso(rule.created_at_ms),
    updated_at: toIso(rule.updated_at_ms),
  };
}
