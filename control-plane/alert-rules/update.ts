import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { announceChange, checkReferences, loadRule } from './change.js';
import type { AlertRuleDocument } from './documents.js';
import { ruleReason } from './evaluate/resolve-obsolete.js';
import type { AlertRuleNeeds } from './needs.js';
import type { RulePatch } from './rule-type.js';
import { changedSettings, settingsChanges } from './settings.js';

/**
 * Updates a rule. An update without changes writes nothing. Incidents to which the rule no longer applies are resolved
 * in the same transaction; whether its new condition is met is decided later, by the next samples.
 */
export async function updateAlertRule(
  needs: AlertRuleNeeds,
  tx: Transaction,
  actor: Actor,
  { id, patch, ifVersion }: { id: string; patch: RulePatch; ifVersion: number | null },
): Promise<AlertRuleDocument> {
  const { types, store, audit, clock } = needs;
  const rule = await loadRule(needs, tx, actor, id, ifVersion);
  const settings = changedSettings(types, rule, patch);
  await checkReferences(needs, tx, actor, settings, (field) => patch[field] !== undefined);
  const changes = settingsChanges(types, rule, settings);
  if (Object.keys(changes).length === 0) return rule;
  const changed = await store.change(tx, rule, { ...settings, updated_at_ms: clock.now() });
  // A concurrent update usually ends this transaction with a write conflict, which repeats it. This is a second guard.
  if (changed === null) throw new AppError('conflict', 'A concurrent request changed the alert rule.');
  await announceChange(needs, tx, actor.workspaceId);
  await audit.record(tx, actor, {
    action: 'alert_rule.updated',
    resource: { type: 'alert_rule', id, name: changed.name },
    metadata: { changes },
  });
  await needs.resolveObsolete(tx, actor, ruleReason(changed.enabled ? 'rule_changed' : 'rule_disabled', changed.name));
  return changed;
}
