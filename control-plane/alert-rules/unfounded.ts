import type { Actor } from '../actor.js';
import type { ServerIncidentHead } from '../incidents/documents.js';
import type { ServerIncidentEnd, ServerIncidents, ServerMessages } from '../incidents/incidents.js';
import type { ServerDirectory } from '../servers/servers.js';
import type { Transaction } from '../storage/transaction.js';
import { parseSubject } from './alert-rules.js';
import type { AlertRuleDocument } from './documents.js';
import { matches } from './matching.js';
import type { AlertRuleStore } from './store.js';

/**
 * Resolves the workspace's incidents of servers that no rule stands for any more, in the transaction of what made
 * it so. `why` is said of all of them; `gone` is a server that is being deleted.
 */
export type ResolveUnfounded = (
  tx: Transaction,
  actor: Actor,
  of: { why: ServerIncidentEnd; gone: string | null },
) => Promise<void>;

const RESOLUTIONS: Record<ServerIncidentEnd['kind'], string> = {
  rule_deleted: 'rule_deleted',
  rule_disabled: 'rule_disabled',
  rule_changed: 'rule_changed',
  server_deleted: 'deleted',
  server_changed: 'server_changed',
  no_rule: 'rule_changed',
};

export function createResolveUnfounded(deps: {
  store: Pick<AlertRuleStore, 'enabled'>;
  servers: Pick<ServerDirectory, 'findMany'>;
  incidents: Pick<ServerIncidents, 'unresolvedOfServers' | 'resolveAll'>;
  messages: ServerMessages;
}): ResolveUnfounded {
  const { store, servers, incidents, messages } = deps;
  return async (tx, actor, { why, gone }) => {
    const { workspaceId } = actor;
    const open = await incidents.unresolvedOfServers(workspaceId, tx);
    if (open.length === 0) return;
    const rules = await store.enabled(workspaceId, tx);
    const found = await servers.findMany(workspaceId, serverIds(open), tx);
    const known = new Map(found.filter(({ _id }) => _id !== gone).map((server) => [server._id, server]));
    const ended = open.filter((incident) => !isFounded(incident, rules, known.get(incident.resource.id) ?? null));
    const message = messages.ended({ why, by: actor.email });
    await incidents.resolveAll(
      tx,
      ended.map(({ subject }) => ({
        ...{ actor, workspaceId, subject, message },
        resolution: RESOLUTIONS[why.kind],
        recovery: null,
      })),
    );
  };
}

export function serverIds(incidents: readonly ServerIncidentHead[]): string[] {
  return [...new Set(incidents.map(({ resource }) => resource.id))];
}

/** Whether there is a server and a rule that the incident stands on; not whether the rule is broken. Pure. */
export function isFounded(
  incident: Pick<ServerIncidentHead, 'subject' | 'decision'>,
  rules: readonly AlertRuleDocument[],
  server: { _id: string; tags: readonly string[] } | null,
): boolean {
  const subject = parseSubject(incident.subject);
  if (subject === null || server === null) return false;
  const standing = rules.filter((rule) => rule.enabled && rule.type === subject.type && matches(rule, server));
  if (subject.type !== 'metric') return standing.length > 0;
  const metric = incident.decision?.rule.metric;
  return standing.some((rule) => rule._id === subject.ruleId && rule.metric === metric);
}
