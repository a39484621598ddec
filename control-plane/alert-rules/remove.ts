import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { announceChange, loadRule } from './change.js';
import { ruleReason } from './evaluate/resolve-obsolete.js';
import type { AlertRuleNeeds } from './needs.js';

/** Deletes a rule, and resolves the incidents to which no other rule applies. */
export async function removeAlertRule(
  needs: AlertRuleNeeds,
  tx: Transaction,
  actor: Actor,
  { id, ifVersion }: { id: string; ifVersion: number | null },
): Promise<void> {
  const rule = await loadRule(needs, tx, actor, id, ifVersion);
  if (!(await needs.store.remove(tx, actor.workspaceId, id))) throw notFound('alert rule');
  await announceChange(needs, tx, actor.workspaceId);
  await needs.audit.record(tx, actor, {
    action: 'alert_rule.deleted',
    resource: { type: 'alert_rule', id, name: rule.name },
  });
  await needs.resolveObsolete(tx, actor, ruleReason('rule_deleted', rule.name));
}
