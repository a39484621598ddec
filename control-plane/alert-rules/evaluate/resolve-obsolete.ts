import type { RuleIncidents } from '../../incidents/incidents.js';
import { shortName } from '../../wording.js';
import { type ObsoleteReason, type ResolveObsolete, RULE_RESOLUTIONS, type RuleReader } from '../alert-rules.js';
import { type Handlers, incidentsOf } from './handlers.js';

interface ResolveObsoleteNeeds {
  rules: Pick<RuleReader, 'enabled'>;
  handlers: Pick<Handlers, 'all'>;
  incidents: Pick<RuleIncidents, 'unresolvedOfRules' | 'resolveAll'>;
}

/** The reason when it is not known which change left an incident without a rule. */
export const NO_RULE: ObsoleteReason = {
  resolution: 'rule_changed',
  because: 'no alert rule applies to it any more',
};

/** Returns the reason for a change of a rule. */
export function ruleReason(resolution: keyof typeof RULE_RESOLUTIONS, name: string): ObsoleteReason {
  return { resolution, because: RULE_RESOLUTIONS[resolution].replace('alert rule', `alert rule “${shortName(name)}”`) };
}

export function createResolveObsolete({ rules, handlers, incidents }: ResolveObsoleteNeeds): ResolveObsolete {
  return async (tx, actor, { resolution, because, deleted }) => {
    const { workspaceId, email } = actor;
    const open = await incidents.unresolvedOfRules(workspaceId, tx);
    if (open.length === 0) return;
    const enabled = await rules.enabled(workspaceId, tx);
    const gone = new Set(typeof deleted === 'string' ? [deleted] : deleted);
    const kept = new Set<string>();
    for (const handler of handlers.all()) {
      const own = incidentsOf(handler, open).filter(({ resource }) => !gone.has(resource.id));
      if (own.length === 0) continue;
      for (const subject of await handler.withRule(workspaceId, own, enabled, tx)) kept.add(subject);
    }
    const message = `Resolved because ${because}${email === 'system' ? '' : ` by ${email}`}.`;
    await incidents.resolveAll(
      tx,
      open
        .filter(({ subject }) => !kept.has(subject))
        .map(({ subject }) => ({ actor, workspaceId, subject, resolution, message, recovery: null })),
    );
  };
}
