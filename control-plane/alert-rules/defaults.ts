import { systemActor } from '../actor.js';
import type { DefaultRules } from './alert-rules.js';
import { announce, type RuleContext } from './context.js';
import { insertRule } from './create.js';
import { newSettings } from './settings.js';

const DEFAULT_RULES = [
  { name: 'Server offline', type: 'server_offline', severity: 'critical' },
  { name: 'Disk full within a day', type: 'disk_full', within_hours: 24, severity: 'warning' },
] as const;

/** Makes the rules that nobody should have to think of. */
export function createDefaultRules(context: RuleContext): DefaultRules {
  return {
    async ensureDefaultRules(tx, actor) {
      if (!(await context.store.noteDefaults(tx, actor.workspaceId, context.clock.now()))) return;
      const workspace = { id: actor.workspaceId, name: actor.workspaceName, plan: actor.plan };
      const system = systemActor(workspace, actor.requestId);
      await announce(context, tx, actor.workspaceId);
      for (const rule of DEFAULT_RULES) {
        await insertRule(context, tx, system, newSettings(rule, context.metricOfSeries));
      }
    },
  };
}
