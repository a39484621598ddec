import type { Clock } from '../../../kernel/clock.js';
import { PLANS, type PlanName } from '../../accounts/plans.js';
import type { Timeline } from '../../incidents/incidents.js';
import type { Ids } from '../../storage/ids.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { CheckTarget, ListingListener, TargetCheck } from '../blacklist.js';
import type { BlacklistMonitorDocument, CheckDocument, ListingChange } from '../documents.js';
import { summarize } from '../lookup/score.js';
import type { BlacklistMonitorStore } from '../store.js';
import type { BlacklistChecksStore } from './checks-store.js';
import { contradicting, type NamedList, type Settled, settle } from './listings.js';
import { nextCheckMs } from './schedule.js';

/** Until a list that says something new is asked again: longer than a packet that went astray is under way. */
export const CONFIRM_AFTER_MS = 5_000;

export interface CheckMonitorDependencies {
  store: BlacklistMonitorStore;
  checks: BlacklistChecksStore;
  checkTarget: CheckTarget;
  lists: ReadonlyMap<string, NamedList>;
  listener: ListingListener;
  timeline: Timeline;
  planOf(workspaceId: string): Promise<PlanName | null>;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
}

/** Checks a monitor and notes what it found. Resolves to false when somebody else checked it meanwhile, or it is gone. */
export type CheckMonitor = (monitor: BlacklistMonitorDocument, signal: AbortSignal) => Promise<boolean>;

/**
 * A list whose answer is news is asked a second time, with its own test entries beside it; only then is it noted, in
 * one transaction with the history, the timeline and the incidents. What is aborted is noted nowhere and done again.
 */
export function createCheckMonitor(deps: CheckMonitorDependencies): CheckMonitor {
  const { store, checks, checkTarget, lists, listener, runTransaction, clock } = deps;

  async function look(monitor: BlacklistMonitorDocument, signal: AbortSignal): Promise<Settled & { at: TargetCheck }> {
    const target = { type: monitor.type, name: monitor.target };
    const first = await checkTarget(target, { tests: 'hourly' });
    const news = contradicting(monitor.listings, first);
    if (news.size === 0) return { ...settle(monitor.listings, first, null, lists), at: first };
    await clock.sleep(CONFIRM_AFTER_MS, signal);
    if (signal.aborted) return { ...settle(monitor.listings, first, null, lists), at: first };
    const again = await checkTarget(target, { tests: 'now', only: news });
    return { ...settle(monitor.listings, first, again, lists), at: first };
  }

  return async (monitor, signal) => {
    const { listings, changes, results, at } = await look(monitor, signal);
    if (signal.aborted) return false;
    const plan = (await deps.planOf(monitor.workspace_id)) ?? 'Free';
    const { checked_at_ms } = at;
    const figures = summarize(results);
    const check: CheckDocument = {
      ...{ _id: deps.ids.next('blc'), workspace_id: monitor.workspace_id, monitor_id: monitor._id },
      ...figures,
      ...{ checked_at_ms, results, changes },
      expires_at: new Date(checked_at_ms + PLANS[plan].hoursSeconds * 1_000),
    };
    return runTransaction(async (tx) => {
      const noted = await store.noteCheck(tx, monitor, {
        listings,
        results,
        not_asked: at.not_asked,
        last: { check_id: check._id, checked_at_ms, ...figures },
        next_at_ms: nextCheckMs(monitor._id, monitor.frequency, clock.now()),
      });
      if (noted === null) return false;
      await checks.insert(tx, check);
      await deps.timeline.record(
        tx,
        changes.map((change) => lineOf(noted, change, check.checked_at_ms)),
      );
      if (listings.length > 0 || monitor.listings.length > 0) await listener.checked(tx, noted, check);
      return true;
    });
  };
}

const WORDS: Record<ListingChange['kind'], (target: string, list: string) => string> = {
  listed: (target, list) => `${target} is listed on ${list}.`,
  delisted: (target, list) => `${target} is no longer listed on ${list}.`,
  dropped: (target, list) => `${target} is no longer looked up on ${list}.`,
};

function lineOf(monitor: BlacklistMonitorDocument, change: ListingChange, atMs: number) {
  const { kind, provider, provider_name, codes, meanings, policy } = change;
  return {
    workspaceId: monitor.workspace_id,
    atMs,
    type: `blacklist.${kind}`,
    resource: { type: 'blacklist_monitor', id: monitor._id, name: monitor.target },
    message: WORDS[kind](monitor.target, provider_name),
    actor: 'system',
    metadata: { provider, codes, meanings, policy },
  };
}
