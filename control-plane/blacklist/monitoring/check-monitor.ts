import type { Clock } from '../../../kernel/clock.js';
import type { StandingOf } from '../../plans/cache.js';
import { PLANS, type PlanName } from '../../plans/plans.js';
import type { Ids } from '../../storage/ids.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { Timeline } from '../../timeline/timeline.js';
import type { ListingListener } from '../blacklist.js';
import type { BlacklistMonitorDocument, CheckDocument, ListingChange } from '../documents.js';
import { summarize } from '../lookup/score.js';
import type { CheckTarget, TargetCheck } from '../results.js';
import type { BlacklistMonitorStore } from '../store.js';
import type { BlacklistChecksStore } from './checks-store.js';
import { type ListingUpdate, listsToConfirm, type NamedList, updateListings } from './listings.js';
import { nextCheckMs } from './schedule.js';

/** The delay before the confirming check: longer than a delayed packet can take. */
const CONFIRM_AFTER_MS = 5_000;

/** The monitors of a stopped workspace are not checked, and become due again this often. */
const STOPPED_RECHECK_MS = 60_000;

interface CheckMonitorNeeds {
  store: BlacklistMonitorStore;
  checks: BlacklistChecksStore;
  checkTarget: CheckTarget;
  lists: ReadonlyMap<string, NamedList>;
  listener: ListingListener;
  timeline: Timeline;
  planOf(workspaceId: string): Promise<PlanName | null>;
  standingOf: StandingOf;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
}

/**
 * Checks a monitor and saves the result. Resolves to false if its workspace is stopped, it was deleted, or another control
 * plane checked it.
 */
export type CheckMonitor = (monitor: BlacklistMonitorDocument, signal: AbortSignal) => Promise<boolean>;

/**
 * Lists whose answer differs from the known listings are queried a second time, along with their test entries. Only then
 * are the results saved, in one transaction with the history, the timeline and the incidents. An aborted check saves
 * nothing and is repeated.
 */
export function createCheckMonitor(needs: CheckMonitorNeeds): CheckMonitor {
  const { store, checks, checkTarget, lists, listener, runTransaction, clock } = needs;

  async function run(
    monitor: BlacklistMonitorDocument,
    signal: AbortSignal,
  ): Promise<ListingUpdate & { check: TargetCheck }> {
    const target = { type: monitor.type, name: monitor.target };
    const first = await checkTarget(target, { tests: 'hourly' });
    const toConfirm = listsToConfirm(monitor.listings, first);
    if (toConfirm.size > 0) await clock.sleep(CONFIRM_AFTER_MS, signal);
    const isConfirming = toConfirm.size > 0 && !signal.aborted;
    const second = isConfirming ? await checkTarget(target, { tests: 'now', only: toConfirm }) : null;
    return { ...updateListings(monitor.listings, first, second, lists), check: first };
  }

  return async (monitor, signal) => {
    if ((await needs.standingOf(monitor.workspace_id))?.stopped === true) {
      await store.postpone(monitor, clock.now() + STOPPED_RECHECK_MS);
      return false;
    }
    const { listings, changes, results, check } = await run(monitor, signal);
    if (signal.aborted) return false;
    const plan = (await needs.planOf(monitor.workspace_id)) ?? 'Free';
    const { checked_at_ms } = check;
    const figures = summarize(results, check.rating !== 'unresolvable');
    const document: CheckDocument = {
      ...{ _id: needs.ids.next('blc'), workspace_id: monitor.workspace_id, monitor_id: monitor._id },
      ...figures,
      ...{ checked_at_ms, results, changes },
      expires_at: new Date(checked_at_ms + PLANS[plan].hoursSeconds * 1_000),
    };
    return runTransaction(async (tx) => {
      const saved = await store.saveCheck(tx, monitor, {
        listings,
        results,
        not_asked: check.not_asked,
        last: { check_id: document._id, checked_at_ms, ...figures },
        next_at_ms: nextCheckMs(monitor._id, monitor.frequency, clock.now()),
      });
      if (saved === null) return false;
      await checks.insert(tx, document);
      await needs.timeline.record(
        tx,
        changes.map((change) => timelineEntry(saved, change, checked_at_ms)),
      );
      if (listings.length > 0 || monitor.listings.length > 0) await listener.checked(tx, saved, document);
      return true;
    });
  };
}

const MESSAGES: Record<ListingChange['kind'], (target: string, list: string) => string> = {
  listed: (target, list) => `${target} is listed on ${list}.`,
  delisted: (target, list) => `${target} is no longer listed on ${list}.`,
  dropped: (target, list) => `${target} is no longer checked on ${list}.`,
};

function timelineEntry(monitor: BlacklistMonitorDocument, change: ListingChange, atMs: number) {
  const { kind, provider, provider_name, codes, meanings, policy } = change;
  return {
    workspaceId: monitor.workspace_id,
    atMs,
    type: `blacklist.${kind}`,
    resource: { type: 'blacklist_monitor', id: monitor._id, name: monitor.target },
    message: MESSAGES[kind](monitor.target, provider_name),
    actor: 'system',
    metadata: { provider, codes, meanings, policy },
  };
}
