import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Actor } from '../actor.js';
import type { BlacklistDirectory } from '../blacklist/blacklist.js';
import type { ListingIncidents } from '../blacklist/rules/listing-incidents.js';
import { createListingTurns, endListings, openListings, type ReadRules } from '../blacklist/rules/sweep-listings.js';
import type { RuleIncidents } from '../incidents/incidents.js';
import { dueOfflineRules, type OfflineIncidents } from '../servers/rules/offline.js';
import type { ServerDirectory, ServerFacts } from '../servers/servers.js';
import type { LeasedWork } from '../storage/leased-job.js';
import { isDuplicateKey, type RunTransaction } from '../storage/transaction.js';
import { offlineSubject, parseSubject } from './alert-rules.js';
import type { AlertRuleDocument } from './documents.js';
import { isJoined } from './join.js';
import type { AlertRuleStore } from './store.js';
import { isFounded, type ResolveUnfounded, readWatched } from './unfounded.js';

interface SweepDependencies {
  store: Pick<AlertRuleStore, 'enabled' | 'workspacesWith' | 'newestChange'>;
  servers: Pick<ServerDirectory, 'find' | 'findMany' | 'offline'>;
  blacklist: BlacklistDirectory;
  incidents: RuleIncidents;
  offline: OfflineIncidents;
  listings: ListingIncidents;
  resolveUnfounded: ResolveUnfounded;
  runTransaction: RunTransaction;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
  logger: Logger;
}

const PAGE_SERVERS = 500;

/**
 * What comes by time alone, and what a kill or a race left: servers that are offline long enough for a rule, rules
 * that were made while a server was offline or a monitor's target listed, incidents whose rule, server, monitor or
 * listing is gone.
 */
export function createSweep(deps: SweepDependencies): LeasedWork<void> {
  const turns = createListingTurns(deps);
  return async (holds) => {
    const readRules = rulesOnce(deps.store);
    await sweepOffline(deps, readRules, holds);
    const withListings = await turns.isDue();
    if (withListings && !(await openListings(deps, readRules, holds))) return;
    for (const workspaceId of await deps.incidents.workspacesWithRuleIncidents()) {
      if (!(await holds())) return;
      await sweepOpen(deps, readRules, workspaceId, withListings);
    }
    if (withListings) turns.done();
  };
}

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
async function sweepOpen(
  deps: SweepDependencies,
  readRules: ReadRules,
  workspaceId: string,
  withListings: boolean,
): Promise<void> {
  const { incidents, offline, runTransaction, clock } = deps;
  const all = await incidents.unresolvedOfRules(workspaceId);
  const open = withListings ? all : all.filter(({ subject }) => parseSubject(subject)?.type !== 'blacklist_listed');
  const rules = await readRules(workspaceId);
  const watched = await readWatched(deps, workspaceId, open);
  if (open.some((incident) => !isFounded(incident, rules, watched))) {
    const actor = deps.systemActor(workspaceId);
    await runTransaction((tx) => deps.resolveUnfounded(tx, actor, { why: { kind: 'no_rule' }, gone: null }));
  }
  for (const { subject, resource } of open) {
    if (parseSubject(subject)?.type !== 'server_offline' || watched.servers.get(resource.id)?.status !== 'online')
      continue;
    await runTransaction(async (tx) => {
      const now = await deps.servers.find(workspaceId, resource.id, tx);
      if (now?.status === 'online') await offline.resolve(tx, now, clock.now());
    });
  }
  await endListings(deps, open, watched.monitors.values());
}
