import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { type AlertRules, type HandlerSweep, hasJoined, type ReadRules } from '../../alert-rules/alert-rules.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import type { RuleIncidentHead, RuleIncidents } from '../../incidents/incidents.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { BlacklistDirectory, ListedMonitor } from '../blacklist.js';
import { alertingListings, type ListingIncidents } from './listing-incidents.js';
import { listedType, rulesOf } from './rule-type.js';
import { listingSubject, parseListingSubject } from './subjects.js';

export interface ListingSweepNeeds {
  alertRules: Pick<AlertRules, 'workspacesWith' | 'newestChange'>;
  blacklist: BlacklistDirectory;
  incidents: Pick<RuleIncidents, 'unresolvedAmong'>;
  listings: ListingIncidents;
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
}

const PAGE_MONITORS = 200;
/** Reading all listed monitors is too expensive for each sweep of the alert rules. */
const PERIOD_MS = 60_000;

/** Returns the sweep of listings. It is due when an alert rule has changed since the last one, and once a minute. */
export function createListingSweep(needs: ListingSweepNeeds): (readRules: ReadRules) => Promise<HandlerSweep | null> {
  const { alertRules, clock } = needs;
  let last = { change: null as string | null, atMs: Number.NEGATIVE_INFINITY };
  return async (readRules) => {
    const current = { change: await alertRules.newestChange(), atMs: clock.monotonic() };
    if (current.change === last.change && current.atMs - last.atMs < PERIOD_MS) return null;
    return {
      openMissing: (stillHeld) => openMissing(needs, readRules, stillHeld),
      resolveEnded: (workspaceId, incidents) => resolveEnded(needs, workspaceId, incidents),
      completed() {
        last = current;
      },
    };
  };
}

/** Opens incidents for listings that are older than their rule, and after a grace period. */
async function openMissing(
  needs: ListingSweepNeeds,
  readRules: ReadRules,
  stillHeld: () => Promise<boolean>,
): Promise<boolean> {
  const workspaces = new Set(await needs.alertRules.workspacesWith(listedType.type));
  if (workspaces.size === 0) return true;
  let after: string | null = null;
  for (;;) {
    const page: ListedMonitor[] = await needs.blacklist.listed(after, PAGE_MONITORS);
    for (const workspaceId of new Set(page.map((monitor) => monitor.workspace_id))) {
      if (!workspaces.has(workspaceId)) continue;
      const monitors = page.filter((monitor) => monitor.workspace_id === workspaceId);
      for (const monitor of await incomplete(needs, await readRules(workspaceId), workspaceId, monitors)) {
        if (!(await stillHeld())) return false;
        await updateIncidents(needs, monitor);
      }
    }
    after = page.at(-1)?._id ?? null;
    if (page.length < PAGE_MONITORS) return true;
  }
}

/** Resolves incidents whose listing has ended, if the check that found it could not. */
async function resolveEnded(
  needs: ListingSweepNeeds,
  workspaceId: string,
  incidents: readonly RuleIncidentHead[],
): Promise<void> {
  const open = incidents.flatMap(({ subject }) => parseListingSubject(subject) ?? []);
  const ids = [...new Set(open.map(({ monitorId }) => monitorId))];
  const monitors = ids.length === 0 ? [] : await needs.blacklist.findMany(workspaceId, ids);
  for (const monitor of monitors) {
    const listed = new Set(alertingListings(monitor).map(({ provider }) => provider));
    const hasEnded = open.some(({ monitorId, provider }) => monitorId === monitor._id && !listed.has(provider));
    if (hasEnded) await updateIncidents(needs, monitor);
  }
}

/** Returns the monitors with a listing that has no incident, or whose incident lacks one of the rules. */
async function incomplete(
  { incidents }: ListingSweepNeeds,
  rules: readonly AlertRuleDocument[],
  workspaceId: string,
  monitors: readonly ListedMonitor[],
): Promise<ListedMonitor[]> {
  const alerting = monitors.flatMap((monitor) => {
    const own = rulesOf(rules, monitor._id);
    const subjects = alertingListings(monitor).map(({ provider }) => listingSubject(monitor._id, provider));
    return own.length === 0 ? [] : [{ monitor, own, subjects }];
  });
  if (alerting.length === 0) return [];
  const subjects = alerting.flatMap((one) => one.subjects);
  const open = new Map((await incidents.unresolvedAmong(workspaceId, subjects)).map((one) => [one.subject, one]));
  const found = alerting.filter(({ own, subjects }) =>
    subjects.some((subject) => {
      const known = open.get(subject);
      return known === undefined || !hasJoined(known, own);
    }),
  );
  return found.map(({ monitor }) => monitor);
}

async function updateIncidents(
  { blacklist, listings, runTransaction, logger }: ListingSweepNeeds,
  { _id, workspace_id }: ListedMonitor,
): Promise<void> {
  try {
    await runTransaction(async (tx) => {
      const present = await blacklist.find(workspace_id, _id, tx);
      if (present !== null) await listings.update(tx, present, null);
    });
  } catch (err) {
    // A duplicate key means that a check of the monitor has just opened the incident.
    if (isDuplicateKey(err)) return;
    logger.warn({ err, monitor: _id }, 'failed to update the incidents of a blacklist monitor; the next sweep retries');
  }
}
