import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { listingSubject, parseSubject } from '../../alert-rules/alert-rules.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import { isJoined } from '../../alert-rules/join.js';
import { isForMonitor } from '../../alert-rules/matching.js';
import type { AlertRuleStore } from '../../alert-rules/store.js';
import type { RuleIncidentHead } from '../../incidents/documents.js';
import type { RuleIncidents } from '../../incidents/incidents.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { BlacklistDirectory, ListedMonitor } from '../blacklist.js';
import { alerting, type ListingIncidents } from './listing-incidents.js';

export type ReadRules = (workspaceId: string) => Promise<readonly AlertRuleDocument[]>;

interface ListingSweepDependencies {
  store: Pick<AlertRuleStore, 'workspacesWith'>;
  blacklist: Pick<BlacklistDirectory, 'find' | 'listed'>;
  incidents: Pick<RuleIncidents, 'unresolvedAmong'>;
  listings: ListingIncidents;
  runTransaction: RunTransaction;
  logger: Logger;
}

const PAGE_MONITORS = 200;
/** Every listed monitor with all its results is too much to read in every sweep for what is seldom missing. */
const LOOK_MS = 60_000;

/** When a sweep looks at listings too: when any rule was changed since it last did, and once a minute. */
export interface ListingTurns {
  /** Says whether it is time; the turn is over with `done`, and comes again when that is not called. */
  isDue(): Promise<boolean>;
  done(): void;
}

export function createListingTurns(deps: {
  store: Pick<AlertRuleStore, 'newestChange'>;
  clock: Pick<Clock, 'monotonic'>;
}): ListingTurns {
  let last = { change: null as string | null, atMs: Number.NEGATIVE_INFINITY };
  let current = last;
  return {
    async isDue() {
      current = { change: await deps.store.newestChange(), atMs: deps.clock.monotonic() };
      return current.change !== last.change || current.atMs - last.atMs >= LOOK_MS;
    },
    done() {
      last = current;
    },
  };
}

/** Opens what is missing: rules that came after the listing, and graces that ended. false: it had to break off. */
export async function openListings(
  deps: ListingSweepDependencies,
  readRules: ReadRules,
  holds: () => Promise<boolean>,
): Promise<boolean> {
  const ruled = new Set(await deps.store.workspacesWith('blacklist_listed'));
  if (ruled.size === 0) return true;
  let after: string | null = null;
  for (;;) {
    const page: ListedMonitor[] = await deps.blacklist.listed(after, PAGE_MONITORS);
    for (const workspaceId of new Set(page.map((monitor) => monitor.workspace_id))) {
      if (!ruled.has(workspaceId)) continue;
      const monitors = page.filter((monitor) => monitor.workspace_id === workspaceId);
      for (const monitor of await lacking(deps, await readRules(workspaceId), workspaceId, monitors)) {
        if (!(await holds())) return false;
        await settle(deps, monitor);
      }
    }
    after = page.at(-1)?._id ?? null;
    if (page.length < PAGE_MONITORS) return true;
  }
}

/** Ends what a check and the sweep missed together: the list no longer lists the target, and no check will say so. */
export async function endListings(
  deps: ListingSweepDependencies,
  open: readonly RuleIncidentHead[],
  monitors: Iterable<ListedMonitor>,
): Promise<void> {
  for (const monitor of monitors) {
    const listed = new Set(alerting(monitor).map(({ provider }) => provider));
    const isOver = open.some(({ subject }) => {
      const parsed = parseSubject(subject);
      return parsed?.type === 'blacklist_listed' && parsed.monitorId === monitor._id && !listed.has(parsed.provider);
    });
    if (isOver) await settle(deps, monitor);
  }
}

/** Monitors with a listing that rules want an incident of and that has none, or not one of all these rules. */
async function lacking(
  { incidents }: ListingSweepDependencies,
  rules: readonly AlertRuleDocument[],
  workspaceId: string,
  monitors: readonly ListedMonitor[],
): Promise<ListedMonitor[]> {
  const wanted = monitors.flatMap((monitor) => {
    const its = rules.filter((rule) => isForMonitor(rule, monitor._id));
    const subjects = alerting(monitor).map(({ provider }) => listingSubject(monitor._id, provider));
    return its.length === 0 ? [] : [{ monitor, its, subjects }];
  });
  if (wanted.length === 0) return [];
  const subjects = wanted.flatMap((one) => one.subjects);
  const open = new Map((await incidents.unresolvedAmong(workspaceId, subjects)).map((one) => [one.subject, one]));
  const lacks = wanted.filter(({ its, subjects }) =>
    subjects.some((subject) => {
      const known = open.get(subject);
      return known === undefined || !isJoined(known, its);
    }),
  );
  return lacks.map(({ monitor }) => monitor);
}

async function settle(
  { blacklist, listings, runTransaction, logger }: ListingSweepDependencies,
  { _id, workspace_id }: ListedMonitor,
): Promise<void> {
  try {
    await runTransaction(async (tx) => {
      const now = await blacklist.find(workspace_id, _id, tx);
      if (now !== null) await listings.settle(tx, now, null);
    });
  } catch (err) {
    // The check itself was first, or it is written at this moment.
    if (!isDuplicateKey(err)) logger.warn({ err, monitor: _id }, 'a listing could not be told of; the next look tries');
  }
}
