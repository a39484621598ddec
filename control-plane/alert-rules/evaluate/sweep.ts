import type { Actor } from '../../actor.js';
import type { RuleIncidentHead, RuleIncidents } from '../../incidents/incidents.js';
import type { LeasedWork } from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { HandlerSweep, ReadRules, ResolveObsolete, RuleReader, RuleTypeHandler } from '../alert-rules.js';
import { type Handlers, incidentsOf } from './handlers.js';
import { NO_RULE } from './resolve-obsolete.js';

interface SweepNeeds {
  rules: Pick<RuleReader, 'enabled'>;
  handlers: Pick<Handlers, 'all'>;
  incidents: Pick<RuleIncidents, 'unresolvedOfRules' | 'workspacesWithRuleIncidents'>;
  resolveObsolete: ResolveObsolete;
  runTransaction: RunTransaction;
  systemActor(workspaceId: string): Actor;
}

interface DueHandler {
  handler: RuleTypeHandler;
  sweep: HandlerSweep;
}

/**
 * Returns the periodic sweep. It corrects incidents that no event updates, or that a crash or write conflict left
 * wrong. It opens missing incidents, and resolves incidents whose rule or resource is gone or whose condition is no
 * longer met.
 */
export function createSweep(needs: SweepNeeds): LeasedWork<void> {
  return async ({ stillHeld }) => {
    const readRules = readOnce(needs.rules);
    const due: DueHandler[] = [];
    for (const handler of needs.handlers.all()) {
      const sweep = await handler.beginSweep(readRules);
      if (sweep === null) continue;
      if (!(await sweep.openMissing(stillHeld))) return;
      due.push({ handler, sweep });
    }
    for (const workspaceId of await needs.incidents.workspacesWithRuleIncidents()) {
      if (!(await stillHeld())) return;
      await sweepWorkspace(needs, due, workspaceId, await readRules(workspaceId));
    }
    for (const { sweep } of due) sweep.completed();
  };
}

function readOnce(rules: Pick<RuleReader, 'enabled'>): ReadRules {
  const read = new Map<string, ReturnType<ReadRules>>();
  return (workspaceId) => {
    const known = read.get(workspaceId) ?? rules.enabled(workspaceId);
    read.set(workspaceId, known);
    return known;
  };
}

async function sweepWorkspace(
  needs: SweepNeeds,
  due: readonly DueHandler[],
  workspaceId: string,
  rules: Awaited<ReturnType<ReadRules>>,
): Promise<void> {
  const open = await needs.incidents.unresolvedOfRules(workspaceId);
  let hasObsolete = open.some((incident) => !isOfAny(needs.handlers.all(), incident));
  for (const { handler } of due) {
    const own = incidentsOf(handler, open);
    if (hasObsolete || own.length === 0) continue;
    const kept = await handler.withRule(workspaceId, own, rules);
    hasObsolete = own.some(({ subject }) => !kept.has(subject));
  }
  if (hasObsolete) {
    await needs.runTransaction((tx) => needs.resolveObsolete(tx, needs.systemActor(workspaceId), NO_RULE));
  }
  for (const { handler, sweep } of due) await sweep.resolveEnded(workspaceId, incidentsOf(handler, open));
}

/** False for an incident of a rule type that no slice has any more. */
function isOfAny(handlers: readonly RuleTypeHandler[], incident: RuleIncidentHead): boolean {
  return handlers.some((handler) => incidentsOf(handler, [incident]).length > 0);
}
