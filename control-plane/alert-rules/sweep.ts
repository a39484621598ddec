import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Actor } from '../actor.js';
import type { ServerIncidents } from '../incidents/incidents.js';
import type { ServerDirectory, ServerFacts } from '../servers/servers.js';
import type { LeasedWork } from '../storage/leased-job.js';
import { isDuplicateKey, type RunTransaction } from '../storage/transaction.js';
import { offlineSubject, parseSubject } from './alert-rules.js';
import type { AlertRuleDocument } from './documents.js';
import { isJoined } from './join.js';
import { dueOfflineRules, type OfflineIncidents } from './offline.js';
import type { AlertRuleStore } from './store.js';
import { isFounded, type ResolveUnfounded, serverIds } from './unfounded.js';

interface SweepDependencies {
  store: Pick<AlertRuleStore, 'enabled'>;
  servers: Pick<ServerDirectory, 'find' | 'findMany' | 'offline'>;
  incidents: ServerIncidents;
  offline: OfflineIncidents;
  resolveUnfounded: ResolveUnfounded;
  runTransaction: RunTransaction;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
  logger: Logger;
}

const PAGE_SERVERS = 500;

/**
 * What comes by time alone, and what a kill or a race left: servers that are offline long enough for a rule, rules
 * that were made while a server was offline, incidents whose rule or server is gone.
 */
export function createSweep(deps: SweepDependencies): LeasedWork<void> {
  return async (holds) => {
    const readRules = rulesOnce(deps.store);
    await sweepOffline(deps, readRules, holds);
    for (const workspaceId of await deps.incidents.workspacesWithServerIncidents()) {
      if (!(await holds())) return;
      await sweepOpen(deps, readRules, workspaceId);
    }
  };
}

type ReadRules = (workspaceId: string) => Promise<readonly AlertRuleDocument[]>;

/** As they are now, each workspace read once in a sweep. */
function rulesOnce(store: Pick<AlertRuleStore, 'enabled'>): ReadRules {
  const read = new Map<string, Promise<readonly AlertRuleDocument[]>>();
  return (workspaceId) => {
    const known = read.get(workspaceId) ?? store.enabled(workspaceId);
    read.set(workspaceId, known);
    return known;
  };
}

async function sweepOffline(
  deps: SweepDependencies,
  readRules: ReadRules,
  holds: () => Promise<boolean>,
): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const page = await deps.servers.offline(after, PAGE_SERVERS);
    for (const workspaceId of new Set(page.map((server) => server.workspace_id))) {
      if (!(await holds())) return;
      const servers = page.filter((server) => server.workspace_id === workspaceId);
      await openDue(deps, await readRules(workspaceId), workspaceId, servers);
    }
    after = page.at(-1)?._id ?? null;
    if (page.length < PAGE_SERVERS) return;
  }
}

async function openDue(
  deps: SweepDependencies,
  rules: readonly AlertRuleDocument[],
  workspaceId: string,
  servers: readonly ServerFacts[],
): Promise<void> {
  const { incidents, offline, runTransaction, clock, logger } = deps;
  const due = servers.flatMap((server) => {
    const its = dueOfflineRules(rules, server, clock.now());
    return its.length === 0 ? [] : [{ server, its }];
  });
  if (due.length === 0) return;
  const subjects = due.map(({ server }) => offlineSubject(server._id));
  const open = new Map((await incidents.unresolvedAmong(workspaceId, subjects)).map((one) => [one.subject, one]));
  for (const { server, its } of due) {
    const known = open.get(offlineSubject(server._id));
    if (known !== undefined && isJoined(known, its)) continue;
    try {
      await runTransaction(async (tx) => {
        const now = await deps.servers.find(workspaceId, server._id, tx);
        if (now !== null) await offline.open(tx, now, await deps.store.enabled(workspaceId, tx));
      });
    } catch (error) {
      // The change of status itself was first, or it is written at this moment.
      if (!isDuplicateKey(error))
        logger.warn({ err: error, server: server._id }, 'a server that is offline could not be told of');
    }
  }
}

/** Ends what nothing stands behind any more. */
async function sweepOpen(deps: SweepDependencies, readRules: ReadRules, workspaceId: string): Promise<void> {
  const { incidents, offline, runTransaction, clock } = deps;
  const open = await incidents.unresolvedOfServers(workspaceId);
  const rules = await readRules(workspaceId);
  const found = await deps.servers.findMany(workspaceId, serverIds(open));
  const servers = new Map(found.map((server) => [server._id, server]));
  if (open.some((incident) => !isFounded(incident, rules, servers.get(incident.resource.id) ?? null))) {
    const actor = deps.systemActor(workspaceId);
    await runTransaction((tx) => deps.resolveUnfounded(tx, actor, { why: { kind: 'no_rule' }, gone: null }));
  }
  for (const { subject, resource } of open) {
    if (parseSubject(subject)?.type !== 'server_offline' || servers.get(resource.id)?.status !== 'online') continue;
    await runTransaction(async (tx) => {
      const now = await deps.servers.find(workspaceId, resource.id, tx);
      if (now?.status === 'online') await offline.resolve(tx, now, clock.now());
    });
  }
}
