import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadRule, type RuleContext } from './context.js';

/** Deletes a rule, and ends the incidents that no other rule stands for. */
export async function removeAlertRule(
  context: RuleContext,
  tx: Transaction,
  actor: Actor,
  { id, ifVersion }: { id: string; ifVersion: number | null },
): Promise<void> {
  const rule = await loadRule(context, tx, actor, id, ifVersion);
  if (!(await context.store.remove(tx, actor.workspaceId, id))) throw notFound('alert rule');
  await announce(context, tx, actor.workspaceId);
  await context.audit.record(tx, actor, {
    action: 'alert_rule.deleted',
    resource: { type: 'alert_rule', id, name: rule.name },
  });
  await context.resolveUnfounded(tx, actor, { why: { kind: 'rule_deleted', rule: rule.name }, gone: null });
}
