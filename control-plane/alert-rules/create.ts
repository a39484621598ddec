import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { announceChange, checkReferences, refuseTooMany } from './change.js';
import type { AlertRuleDocument } from './documents.js';
import type { AlertRuleNeeds } from './needs.js';
import type { AnyRuleSettings, NewRule } from './rule-type.js';
import { newSettings } from './settings.js';

/** Creates a rule. Conditions that it matches already are found by the next sample or the next sweep. */
export async function createAlertRule(
  needs: AlertRuleNeeds,
  tx: Transaction,
  actor: Actor,
  input: NewRule,
): Promise<AlertRuleDocument> {
  const settings = newSettings(needs.types, input);
  await checkReferences(needs, tx, actor, settings);
  await announceChange(needs, tx, actor.workspaceId);
  await refuseTooMany(needs, tx, actor.workspaceId);
  return insertRule(needs, tx, actor, settings);
}

/** Stores a new rule with its audit entry. */
export async function insertRule(
  needs: Pick<AlertRuleNeeds, 'store' | 'audit' | 'ids' | 'clock'>,
  tx: Transaction,
  actor: Actor,
  settings: AnyRuleSettings,
): Promise<AlertRuleDocument> {
  const nowMs = needs.clock.now();
  const rule = {
    ...settings,
    _id: needs.ids.next('rule'),
    workspace_id: actor.workspaceId,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await needs.store.insert(tx, [rule]);
  await needs.audit.record(tx, actor, {
    action: 'alert_rule.created',
    resource: { type: 'alert_rule', id: rule._id, name: rule.name },
    metadata: { type: rule.type, metric: rule.metric, severity: rule.severity },
  });
  return rule;
}
