import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, checkReferences, type RuleContext, refuseTooMany } from './context.js';
import type { AlertRuleDocument, RuleSettings } from './documents.js';
import type { CreateAlertRule } from './schema.js';
import { newSettings } from './settings.js';

/** Creates a rule. It is held against the next report of each of its servers; listings that there are, the sweep finds. */
export async function createAlertRule(
  context: RuleContext,
  tx: Transaction,
  actor: Actor,
  input: CreateAlertRule,
): Promise<AlertRuleDocument> {
  const settings = newSettings(input, context.metricOfSeries);
  await checkReferences(context, tx, actor, settings);
  await announce(context, tx, actor.workspaceId);
  await refuseTooMany(context, tx, actor.workspaceId);
  return insertRule(context, tx, actor, settings);
}

/** Writes a new rule with its audit entry. */
export async function insertRule(
  context: RuleContext,
  tx: Transaction,
  actor: Actor,
  settings: RuleSettings,
): Promise<AlertRuleDocument> {
  const nowMs = context.clock.now();
  const rule: AlertRuleDocument = {
    _id: context.ids.next('rule'),
    workspace_id: actor.workspaceId,
    ...settings,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await context.store.insert(tx, [rule]);
  await context.audit.record(tx, actor, {
    action: 'alert_rule.created',
    resource: { type: 'alert_rule', id: rule._id, name: rule.name },
    metadata: { type: rule.type, metric: rule.metric, severity: rule.severity },
  });
  return rule;
}
