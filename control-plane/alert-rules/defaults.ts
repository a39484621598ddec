import { type Actor, systemActor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import type { DefaultRules } from './alert-rules.js';
import { announce, type RuleContext } from './context.js';
import { insertRule } from './create.js';
import type { CreateAlertRule } from './schema.js';
import { newSettings } from './settings.js';

const ON_SERVERS: readonly CreateAlertRule[] = [
  { name: 'Server offline', type: 'server_offline', severity: 'critical' },
  { name: 'Disk full within a day', type: 'disk_full', within_hours: 24, severity: 'warning' },
];
const ON_LISTINGS: readonly CreateAlertRule[] = [
  { name: 'Listed on a blacklist', type: 'blacklist_listed', severity: 'warning' },
];

/** Makes the rules that nobody should have to think of. */
export function createDefaultRules(context: RuleContext): DefaultRules {
  async function ensure(
    tx: Transaction,
    actor: Actor,
    on: 'servers' | 'listings',
    rules: readonly CreateAlertRule[],
  ): Promise<void> {
    if (!(await context.store.noteDefaults(tx, actor.workspaceId, on, context.clock.now()))) return;
    const workspace = { id: actor.workspaceId, name: actor.workspaceName, plan: actor.plan };
    const system = systemActor(workspace, actor.requestId);
    await announce(context, tx, actor.workspaceId);
    for (const rule of rules) await insertRule(context, tx, system, newSettings(rule, context.metricOfSeries));
  }

  return {
    ensureDefaultRules: (tx, actor) => ensure(tx, actor, 'servers', ON_SERVERS),
    ensureDefaultListingRule: (tx, actor) => ensure(tx, actor, 'listings', ON_LISTINGS),
  };
}
