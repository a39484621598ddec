import type { Clock } from '../../kernel/clock.js';
import type { AgentReception } from '../nodes/nodes.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../storage/leases/leased-periodic-task.js';
import { isContention } from '../storage/transaction.js';
import type { SilentServer } from './live-store.js';
import type { StatusChanges } from './status.js';
import type { ServerStore } from './store.js';

const CHECK_MS = 2_000;
const LEASE_MS = 10_000;
/** Servers that are read at once. */
const PAGE_SERVERS = 200;
/** A page is read again after this time, because its servers may have been heard by other control planes. */
const PAGE_MS_MAX = 5_000;
/** One check reads at most this many pages. The next check continues behind them. */
const PAGES_MAX = 100;
/** A check ends after this many errors in a row. Fewer must not keep it from the other servers. */
const FAILURES_MAX = 5;

type OfflineJobNeeds = LeasedPeriodicTaskNeeds & {
  store: Pick<ServerStore, 'silent'>;
  changes: StatusChanges;
  reception: Pick<AgentReception, 'lost'>;
};

/**
 * Sets servers offline that have stopped sending samples. A check that takes long delays nothing but itself: whether
 * samples could be received follows from the heartbeats of control planes, see `AgentReception`.
 */
export function createOfflineJob(needs: OfflineJobNeeds): LeasedPeriodicTask<void> {
  const { store, reception, clock } = needs;
  const setOffline = createSetOffline(needs);
  let after: string | null = null;

  /** Returns whether all servers of the page were handled; not if it became too old. */
  async function handle(page: readonly SilentServer[], isOld: () => boolean, check: Check): Promise<boolean> {
    const lost = await reception.lost(
      page.map(({ _id: id, workspace_id: workspaceId, silent_ms: silentMs }) => ({ id, workspaceId, silentMs })),
    );
    for (const server of page) {
      if (lost.has(server._id) && !check.locked.has(server.workspace_id)) {
        if (isOld() || !(await check.lease.stillHeld())) return false;
        await setOffline(server, check);
      }
      after = server._id;
    }
    return true;
  }

  async function markSilent(lease: TaskLease): Promise<void> {
    const check: Check = { lease, locked: new Set() };
    for (let pages = 0; pages < PAGES_MAX && (await lease.stillHeld()); pages++) {
      const isOld = createAge(clock);
      const page: SilentServer[] = await store.silent(after, PAGE_SERVERS);
      const isHandled = await handle(page, isOld, check);
      if (!isHandled || page.length === PAGE_SERVERS) continue;
      after = null;
      return;
    }
  }

  return createLeasedPeriodicTask(needs, {
    name: 'servers-offline',
    periodMs: CHECK_MS,
    leaseMs: LEASE_MS,
    failure: 'checking for silent servers failed, retrying',
    work: markSilent,
    onNotHeld() {
      after = null;
    },
  });
}

interface Check {
  lease: TaskLease;
  /** Workspaces of which another transaction has locked what a change of status writes. The next check tries them again. */
  locked: Set<string>;
}

function createSetOffline({
  changes,
  logger,
}: OfflineJobNeeds): (server: SilentServer, check: Pick<Check, 'locked'>) => Promise<void> {
  let failures = 0;
  return async ({ _id, workspace_id, heard_at }, { locked }) => {
    try {
      await changes.transition({ id: _id, from: 'online', to: 'offline', heardAt: heard_at });
      failures = 0;
    } catch (err) {
      if (isContention(err)) locked.add(workspace_id);
      else if (++failures % FAILURES_MAX === 0) throw err;
      logger.error({ err, server: _id }, 'failed to set a server offline, retrying with the next check');
    }
  };
}

/** Returns whether a page that is read now has become too old, also because this process was stopped or suspended. */
function createAge(clock: Clock): () => boolean {
  const [wallMs, monotonicMs] = [clock.now(), clock.monotonic()];
  return () => Math.max(clock.now() - wallMs, clock.monotonic() - monotonicMs) > PAGE_MS_MAX;
}
