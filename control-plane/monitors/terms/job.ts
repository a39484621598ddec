import type { ChangedTerms, TermsChanges } from '../../plans/standing.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { MonitorChanges } from '../directory/changes-store.js';
import { type TermsMonitor, termsUpdate } from './apply.js';
import type { TermsStore } from './store.js';

const PERIOD_MS = 2_000;
/** If the control plane crashes, another one continues after this time. */
const LEASE_MS = 10_000;
const WORKSPACES_MAX = 500;
const PAGE_MONITORS = 500;
/** Requests that began before a change, with the plan of that time, have ended after this long. */
const SETTLED_MS = 15_000;

interface TermsJobNeeds extends LeasedPeriodicTaskNeeds {
  store: TermsStore;
  terms: TermsChanges;
  changes: Pick<MonitorChanges, 'note'>;
  refresh(monitorIds: readonly string[]): Promise<void>;
  runTransaction: RunTransaction;
}

/**
 * Applies the plan of a workspace, and that it was stopped or resumed, to its monitors. A change stays pending until
 * requests that began before it have ended, so a monitor that one of them writes is corrected too. It is idempotent: a kill
 * loses nothing. Each run resolves to the number of changed monitors.
 */
export function createTermsJob(needs: TermsJobNeeds): LeasedPeriodicTask<number> {
  const { terms, logger } = needs;
  /** The revisions that were applied and wait until they are settled, by workspace. */
  let settling = new Map<string, number>();

  return createLeasedPeriodicTask(needs, {
    name: 'monitor-terms',
    firstMs: 0,
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'applying changed plans to monitors failed, retrying',
    failureLevel: 'error',
    async work(lease, nowMs) {
      let changed = 0;
      const pending = await terms.pending(WORKSPACES_MAX);
      settling = new Map(pending.flatMap(({ workspaceId: id }) => entryOf(settling, id)));
      for (const change of pending) {
        const isSettled = change.ageMs > SETTLED_MS;
        if (!isSettled && settling.get(change.workspaceId) === change.revision) continue;
        const { written, isComplete } = await applyTo(needs, change, lease, nowMs);
        changed += written;
        if (isComplete && isSettled) await terms.applied(change);
        else if (isComplete) settling.set(change.workspaceId, change.revision);
        if (written > 0) {
          const { workspaceId: workspace, plan, stopped } = change;
          logger.info({ workspace, plan, stopped, monitors: written }, 'applied the terms of a workspace to monitors');
        }
      }
      return changed;
    },
  });
}

function entryOf(revisions: ReadonlyMap<string, number>, id: string): [string, number][] {
  const revision = revisions.get(id);
  return revision === undefined ? [] : [[id, revision]];
}

async function applyTo(
  { store, changes, refresh, runTransaction }: TermsJobNeeds,
  change: ChangedTerms,
  lease: TaskLease,
  nowMs: number,
): Promise<{ written: number; isComplete: boolean }> {
  let written = 0;
  let isComplete = true;
  for (let afterId: string | null = null; ; ) {
    const page: TermsMonitor[] = await store.termsPage(change.workspaceId, afterId, PAGE_MONITORS);
    const writes = page.flatMap((monitor) => {
      const update = termsUpdate(monitor, change, nowMs);
      return update === null ? [] : [{ monitor, update }];
    });
    if (writes.length > 0) {
      // Not in one transaction with the notes: results write these monitors all the time, and would conflict with it.
      const matched = await store.writeTerms(writes);
      const changed = writes.map(({ monitor }) => ({ id: monitor._id, workspaceId: monitor.workspace_id }));
      await runTransaction((tx) => changes.note(tx, changed));
      await refresh(changed.map(({ id }) => id));
      written += matched;
      isComplete = isComplete && matched === writes.length;
    }
    afterId = page.at(-1)?._id ?? null;
    if (page.length < PAGE_MONITORS) return { written, isComplete };
    if (!(await lease.stillHeld())) return { written, isComplete: false };
  }
}
