import { systemActor } from '../actor.js';
import type { AlertRules } from './alert-rules.js';
import { announceChange } from './change.js';
import { insertRule } from './create.js';
import type { AlertRuleNeeds } from './needs.js';
import { newSettings } from './settings.js';

export function createEnsureDefaults(
  needs: Pick<AlertRuleNeeds, 'store' | 'cache' | 'types' | 'audit' | 'ids' | 'clock'>,
): AlertRules['ensureDefaults'] {
  const { store, types, clock } = needs;
  return async (tx, actor, { key, rules }) => {
    const { workspaceId, workspaceName: name, plan } = actor;
    const isFirst = await store.recordDefaults(tx, key === null ? workspaceId : `${workspaceId}:${key}`, clock.now());
    if (!isFirst) return;
    const system = systemActor({ id: workspaceId, name, plan }, actor.requestId);
    await announceChange(needs, tx, workspaceId);
    for (const rule of rules) await insertRule(needs, tx, system, newSettings(types, rule));
  };
}
