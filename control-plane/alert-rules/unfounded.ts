import type { Actor } from '../actor.js';
import type { BlacklistDirectory, ListedMonitor } from '../blacklist/blacklist.js';
import type { RuleIncidentHead } from '../incidents/documents.js';
import type { RuleIncidentEnd, RuleIncidents, ServerMessages } from '../incidents/incidents.js';
import type { ServerDirectory, ServerFacts } from '../servers/servers.js';
import type { Transaction } from '../storage/transaction.js';
import { parseSubject, type RuleSubject } from './alert-rules.js';
import type { AlertRuleDocument } from './documents.js';
import { isForMonitor, matches } from './matching.js';
import type { AlertRuleStore } from './store.js';

/**
 * Resolves the workspace's incidents that no rule stands for any more, in the transaction of what made it so. `why`
 * is said of all of them; `gone` is a server or a blacklist monitor that is being deleted.
 */
export type ResolveUnfounded = (
  tx: Transaction,
  actor: Actor,
  of: { why: RuleIncidentEnd; gone: string | null },
) => Promise<void>;

const RESOLUTIONS: Record<RuleIncidentEnd['kind'], string> = {
  rule_deleted: 'rule_deleted',
  rule_disabled: 'rule_disabled',
  rule_changed: 'rule_changed',
  server_deleted: 'deleted',
  server_changed: 'server_changed',
  blacklist_monitor_deleted: 'deleted',
  no_rule: 'rule_changed',
};

/** What incidents are about, of those that there are. */
export interface Watched {
  servers: ReadonlyMap<string, ServerFacts>;
  monitors: ReadonlyMap<string, ListedMonitor>;
}

interface WatchedDirectories {
  servers: Pick<ServerDirectory, 'findMany'>;
  blacklist: Pick<BlacklistDirectory, 'findMany'>;
}

export function createResolveUnfounded(
  deps: WatchedDirectories & {
    store: Pick<AlertRuleStore, 'enabled'>;
    incidents: Pick<RuleIncidents, 'unresolvedOfRules' | 'resolveAll'>;
    messages: ServerMessages;
  },
): ResolveUnfounded {
  const { store, incidents, messages } = deps;
  return async (tx, actor, { why, gone }) => {
    const { workspaceId } = actor;
    const open = await incidents.unresolvedOfRules(workspaceId, tx);
    if (open.length === 0) return;
    const rules = await store.enabled(workspaceId, tx);
    const watched = await readWatched(deps, workspaceId, open, tx);
    const ended = open.filter((incident) => incident.resource.id === gone || !isFounded(incident, rules, watched));
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

/** Reads the servers and monitors that the incidents are about. */
export async function readWatched(
  { servers, blacklist }: WatchedDirectories,
  workspaceId: string,
  incidents: readonly RuleIncidentHead[],
  tx?: Transaction,
): Promise<Watched> {
  const subjects = incidents.flatMap(({ subject }) => parseSubject(subject) ?? []);
  const serverIds = distinct(subjects, (subject) => ('serverId' in subject ? subject.serverId : null));
  const monitorIds = distinct(subjects, (subject) => ('monitorId' in subject ? subject.monitorId : null));
  const foundServers = serverIds.length === 0 ? [] : await servers.findMany(workspaceId, serverIds, tx);
  const foundMonitors = monitorIds.length === 0 ? [] : await blacklist.findMany(workspaceId, monitorIds, tx);
  return {
    servers: new Map(foundServers.map((server) => [server._id, server])),
    monitors: new Map(foundMonitors.map((monitor) => [monitor._id, monitor])),
  };
}

function distinct(subjects: readonly RuleSubject[], idOf: (subject: RuleSubject) => string | null): string[] {
  return [...new Set(subjects.flatMap((subject) => idOf(subject) ?? []))];
}

/** Whether what the incident is about is there, and a rule for it; not whether the rule is broken. Pure. */
export function isFounded(
  incident: Pick<RuleIncidentHead, 'subject' | 'decision'>,
  rules: readonly AlertRuleDocument[],
  { servers, monitors }: Watched,
): boolean {
  const subject = parseSubject(incident.subject);
  if (subject === null) return false;
  if (subject.type === 'blacklist_listed') {
    return monitors.has(subject.monitorId) && rules.some((rule) => isForMonitor(rule, subject.monitorId));
  }
  const server = servers.get(subject.serverId);
  if (server === undefined) return false;
  const standing = rules.filter((rule) => rule.enabled && rule.type === subject.type && matches(rule, server));
  if (subject.type !== 'metric') return standing.length > 0;
  const metric = incident.decision?.rule.metric;
  return standing.some((rule) => rule._id === subject.ruleId && rule.metric === metric);
}
