import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../../storage/leases/leased-periodic-task.js';
import type { WatchDocument } from '../documents.js';
import { sendBatch } from './broadcast.js';
import type { NotifyNeeds } from './needs.js';
import { settleMails } from './settle.js';
import { watchPage } from './watch.js';

const PERIOD_MS = 1_000;
/** If the control plane crashes, another one continues after this time. */
const LEASE_MS = 30_000;
const PAGES_PER_TICK_MAX = 100;
const BATCHES_PER_TICK_MAX = 50;
/** Of a workspace. Its pages go on when fewer of their mails wait; what its receivers defer holds up no other workspace. */
const WAITING_MAILS_MAX = 1_000;
const DELETED_PER_TICK_MAX = 2_000;

/** Notifies the subscribers of status pages, in one control plane at a time. */
export function createNotifyJob(needs: NotifyNeeds & LeasedPeriodicTaskNeeds): LeasedPeriodicTask<void> {
  return createLeasedPeriodicTask(needs, {
    name: 'status-page-subscribers',
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'failed to notify the subscribers of status pages, retrying',
    failureLevel: 'error',
    async work(lease) {
      await forgetDeletedPages(needs);
      await watchPages(needs, lease);
      await sendBatches(needs, lease);
      await settleMails(needs);
    },
  });
}

async function forgetDeletedPages({ watches, subscribers, broadcasts, deliveries }: NotifyNeeds): Promise<void> {
  for (const watch of await watches.deletedPages(PAGES_PER_TICK_MAX)) {
    const { _id: pageId, workspace_id: workspaceId } = watch;
    await broadcasts.removeOfPage(workspaceId, pageId);
    await deliveries.removeOfPage(workspaceId, pageId);
    const removed = await subscribers.removeOfPage(workspaceId, pageId, DELETED_PER_TICK_MAX);
    // The rest is for the next tick.
    if (removed === DELETED_PER_TICK_MAX) return;
    await watches.remove(watch);
  }
}

async function watchPages(needs: NotifyNeeds, lease: TaskLease): Promise<void> {
  for (const watch of await needs.watches.due(needs.clock.now(), PAGES_PER_TICK_MAX)) {
    if (!(await lease.stillHeld())) return;
    try {
      await watchPage(needs, watch);
    } catch (err) {
      // One that fails each time must not keep the others waiting.
      needs.logger.error({ err, page: watch._id }, 'failed to compile a status page for its subscribers, retrying');
    }
  }
}

async function sendBatches(needs: NotifyNeeds, lease: TaskLease): Promise<void> {
  /** Pages that cannot go on in this tick. */
  const stuck = new Set<string>();
  let written = 0;
  while (written < BATCHES_PER_TICK_MAX) {
    const pages = (await needs.watches.sending(BATCHES_PER_TICK_MAX - written)).filter(({ _id }) => !stuck.has(_id));
    if (pages.length === 0) return;
    for (const watch of pages) {
      if (!(await lease.stillHeld())) return;
      written += 1;
      if (await sendNext(needs, watch)) continue;
      stuck.add(watch._id);
      // The others come first at the next tick.
      await needs.runTransaction((tx) => needs.watches.served(tx, watch, needs.clock.now()));
    }
  }
}

/** Writes the next batch of a page. Resolves to false if it has to wait. */
async function sendNext(needs: NotifyNeeds, watch: WatchDocument): Promise<boolean> {
  if ((await needs.tracked.bulkWaiting(watch.workspace_id, WAITING_MAILS_MAX)) >= WAITING_MAILS_MAX) return false;
  try {
    await sendBatch(needs, watch);
    return true;
  } catch (err) {
    needs.logger.error({ err, page: watch._id }, 'failed to write the mails of a status page, retrying');
    return false;
  }
}
