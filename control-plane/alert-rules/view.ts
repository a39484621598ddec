import { toIso } from '../../kernel/clock.js';
import type { AlertRuleDocument } from './documents.js';
import type { AlertRule } from './schema.js';
import { settingsOf } from './settings.js';

export function ruleView(rule: AlertRuleDocument): AlertRule {
  return {
    id: rule._id,
    ...settingsOf(rule),
    created_at: toIso(rule.created_at_ms),
    updated_at: toIso(rule.updated_at_ms),
  };
}
