import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { RuleIncidentEnd } from '../incidents/incidents.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, checkReferences, loadRule, type RuleContext } from './context.js';
import type { AlertRuleDocument } from './documents.js';
import type { UpdateAlertRule } from './schema.js';
import { changedSettings, settingsChanges } from './settings.js';

/**
 * Changes a rule; one that changes nothing leaves no trace. Incidents that it no longer stands for end with it; a
 * threshold that is no longer broken is left to the next reports.
 */
export async function updateAlertRule(
  context: RuleContext,
  tx: Transaction,
  actor: Actor,
  { id, patch, ifVersion }: { id: string; patch: UpdateAlertRule; ifVersion: number | null },
): Promise<AlertRuleDocument> {
  const rule = await loadRule(context, tx, actor, id, ifVersion);
  const settings = changedSettings(rule, patch, context.metricOfSeries);
  await checkReferences(context, tx, actor, {
    ...(patch.server_ids === undefined ? {} : { server_ids: settings.server_ids }),
    ...(patch.blacklist_monitor_ids === undefined ? {} : { blacklist_monitor_ids: settings.blacklist_monitor_ids }),
    ...(patch.channels === undefined ? {} : { channels: settings.channels }),
  });
  const changes = settingsChanges(rule, settings);
  if (Object.keys(changes).length === 0) return rule;
  const changed = await context.store.change(tx, rule, { ...settings, updated_at_ms: context.clock.now() });
  // Within a transaction a rival write ends in a write conflict and a new try, so this is a last line of defence.
  if (changed === null)
    throw new AppError('conflict', 'The alert rule was changed by someone else at the same moment.');
  await announce(context, tx, actor.workspaceId);
  await context.audit.record(tx, actor, {
    action: 'alert_rule.updated',
    resource: { type: 'alert_rule', id, name: changed.name },
    metadata: { changes },
  });
  const why: RuleIncidentEnd = { kind: changed.enabled ? 'rule_changed' : 'rule_disabled', rule: changed.name };
  await context.resolveUnfounded(tx, actor, { why, gone: null });
  return changed;
}
