import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { TargetReads } from '../../monitors/monitors.js';
import type { Ids } from '../../storage/ids.js';
import type { TaskLease } from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { PENDING } from '../documents.js';
import type { MonitoredDomainListener } from '../domain-expiry.js';
import type { MonitoredDomainStore } from '../store.js';
import { addTarget, differenceOf, type WantedDomain } from './wanted.js';

const PAGE_MONITORS = 500;
/** A whole read finds what a crash or a missed change left behind. */
const WHOLE_PERIOD_MS = 3_600_000;
/** Changes are read again for this long before the newest one, because an earlier one may be committed later. */
const OVERLAP_MS = 60_000;
/** Domains of one transaction. */
const BATCH_DOMAINS = 100;

/** The recent changes of monitors, of all workspaces. */
export interface MonitorChangeReads {
  /** Returns changes written at `since` or later, by the clock of the database; with null, only the newest. */
  since(since: Date | null): Promise<{ _id: string; workspace_id: string; at: Date; count: number }[]>;
}

export interface SyncNeeds {
  domains: MonitoredDomainStore;
  targets: TargetReads;
  changes: MonitorChangeReads;
  listener: MonitoredDomainListener;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
  logger: Logger;
}

/**
 * Returns a function that gives each workspace the domains of its active monitors. It reads the workspaces whose monitors have
 * changed since its last call, those for which that failed, and once an hour all. A kill in between loses nothing: the next whole
 * read repeats it.
 */
export function createSync(needs: SyncNeeds): (lease: Pick<TaskLease, 'stillHeld'>) => Promise<void> {
  const { domains, targets, changes, clock } = needs;
  let last: { wholeAtMs: number; newest: Date; seen: ReadonlySet<string>; failed: ReadonlySet<string> } | null = null;

  return async ({ stillHeld }) => {
    const startedMs = clock.monotonic();
    const isWhole = last === null || startedMs - last.wholeAtMs >= WHOLE_PERIOD_MS;
    const since = last === null ? null : new Date(last.newest.getTime() - OVERLAP_MS);
    const recent = await changes.since(since);
    const newest = recent.reduce((max, { at }) => (at > max ? at : max), last?.newest ?? new Date(0));
    const keyOf = ({ _id, count }: (typeof recent)[number]) => `${_id}/${count}`;
    const fresh = recent.filter((change) => last?.seen.has(keyOf(change)) !== true);
    const workspaces = isWhole
      ? new Set([...(await targets.workspacesWithMonitors()), ...(await domains.workspaces())])
      : new Set([...fresh.map(({ workspace_id }) => workspace_id), ...(last?.failed ?? [])]);
    const failed = new Set<string>();
    for (const workspaceId of workspaces) {
      if (!(await stillHeld())) {
        last = null;
        return;
      }
      try {
        await syncWorkspace(needs, workspaceId);
      } catch (err) {
        // A failed workspace must not stop the others.
        failed.add(workspaceId);
        needs.logger.warn({ err, workspace: workspaceId }, 'failed to update the domains of a workspace, retrying');
      }
    }
    const wholeAtMs = isWhole || last === null ? startedMs : last.wholeAtMs;
    last = { wholeAtMs, newest, seen: new Set(recent.map(keyOf)), failed };
  };
}

async function syncWorkspace(needs: SyncNeeds, workspaceId: string): Promise<void> {
  const { domains, runTransaction } = needs;
  const difference = differenceOf(await wantedOf(needs, workspaceId), await domains.all(workspaceId));
  for (const part of partsOf(difference.added)) {
    const nowMs = needs.clock.now();
    const documents = part.map((wanted) => ({
      ...{ _id: needs.ids.next('dmn'), workspace_id: workspaceId, ...wanted },
      ...{ registration: PENDING, next_at_ms: nowMs, checks: 0, created_at_ms: nowMs },
    }));
    await runTransaction((tx) => domains.insert(tx, documents));
  }
  for (const part of partsOf(difference.changed.filter(({ isOwnerChanged }) => !isOwnerChanged)))
    await runTransaction((tx) => domains.setMonitors(tx, part));
  for (const domain of difference.changed.filter(({ isOwnerChanged }) => isOwnerChanged)) {
    // The next question to the registry may be a day away.
    await runTransaction(async (tx) => {
      await domains.setMonitors(tx, [domain]);
      const changed = await domains.find(workspaceId, domain._id, tx);
      if (changed !== null) await needs.listener.checked(tx, changed);
    });
  }
  for (const part of partsOf(difference.removed)) {
    const ids = part.map(({ _id }) => _id);
    await runTransaction(async (tx) => {
      await domains.remove(tx, workspaceId, ids);
      await needs.listener.removed(tx, workspaceId, ids);
    });
  }
}

async function wantedOf({ targets }: SyncNeeds, workspaceId: string): Promise<Map<string, WantedDomain>> {
  const wanted = new Map<string, WantedDomain>();
  for (let after: string | null = null; ; ) {
    const page = await targets.activeTargets(workspaceId, after, PAGE_MONITORS);
    for (const target of page) addTarget(wanted, target);
    after = page.at(-1)?._id ?? null;
    if (page.length < PAGE_MONITORS) return wanted;
  }
}

function* partsOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += BATCH_DOMAINS) yield items.slice(at, at + BATCH_DOMAINS);
}
