import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import type { StandingOf } from '../../plans/cache.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../storage/leases/leased-periodic-task.js';
import type { MonitoredDomainDocument } from '../documents.js';
import type { KnownServers } from '../rdap/bootstrap.js';
import { serverOf } from '../rdap/bootstrap-file.js';
import type { MonitoredDomainStore } from '../store.js';
import type { CheckDomain } from './check-domain.js';

const PERIOD_MS = 5_000;
const LEASE = 'domain-expiry';
/** Longer than one question can take, with its wait and its redirects. After a crash, another control plane continues this much later. */
const LEASE_MS = 90_000;
/**
 * A run ends after this many domains, so that the next one first reads what has changed. It takes them in batches with at most one
 * domain of a workspace each, so that one with many domains leaves room for the others.
 */
const RUN_DOMAINS = 50;
/** The domains of a stopped workspace are not checked, and become due again this often. */
const STOPPED_RECHECK_MS = 60_000;
/** Servers that are asked at the same time. One server is never asked two questions at a time. */
const SERVERS_AT_ONCE = 8;

/** Checks the domains that are due. Each run resolves to the number of checked domains. */
export type DomainExpiryJob = LeasedPeriodicTask<number>;

export interface JobNeeds extends LeasedPeriodicTaskNeeds {
  domains: Pick<MonitoredDomainStore, 'due' | 'postponeAll'>;
  standingOf: StandingOf;
  sync(lease: Pick<TaskLease, 'stillHeld'>): Promise<void>;
  servers(signal: AbortSignal): Promise<KnownServers>;
  checkDomain: CheckDomain;
}

/** Runs on one control plane at a time. If two run it for a moment, `rdap_servers` keeps their questions apart. */
export function createDomainExpiryJob(needs: JobNeeds): DomainExpiryJob {
  const { domains, checkDomain, clock, logger } = needs;

  async function checkAll(due: readonly MonitoredDomainDocument[], known: KnownServers, lease: TaskLease) {
    const done = { checked: 0, failed: 0 };
    await inParallel(byServer(due, known), SERVERS_AT_ONCE, async (ofServer) => {
      for (const domain of ofServer) {
        if (!(await lease.stillHeld())) return;
        try {
          if (await checkDomain(domain, known, lease.stopping)) done.checked++;
        } catch (err) {
          // A failed domain must not stop the others.
          done.failed++;
          logger.warn({ err, domain: domain._id }, 'checking the registration of a domain failed, repeating the check');
        }
      }
    });
    return done;
  }

  /** Returns the domains of the workspaces that work, and postpones those of the others. */
  async function working(due: readonly MonitoredDomainDocument[], nowMs: number) {
    const stopped = new Set<string>();
    for (const { workspace_id: id } of due) if ((await needs.standingOf(id))?.stopped === true) stopped.add(id);
    if (stopped.size > 0) await domains.postponeAll([...stopped], nowMs, nowMs + STOPPED_RECHECK_MS);
    return due.filter(({ workspace_id }) => !stopped.has(workspace_id));
  }

  return createLeasedPeriodicTask(needs, {
    name: LEASE,
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'checking the registrations of domains failed, retrying',
    async work(lease) {
      await needs.sync(lease);
      let [checked, looked] = [0, 0];
      for (;;) {
        const nowMs = clock.now();
        const due = await domains.due(nowMs, RUN_DOMAINS - looked);
        // No list of servers is needed, nor downloaded, while there is no domain.
        if (due.length === 0) return checked;
        const now = await working(due, nowMs);
        const done = await checkAll(now, await needs.servers(lease.stopping), lease);
        checked += done.checked;
        looked += now.length;
        if (looked >= RUN_DOMAINS) return checked;
        // Failed domains are still due. They wait for the next run, so that there is a pause between attempts.
        if (done.failed > 0 || lease.stopping.aborted || !(await lease.stillHeld())) return checked;
      }
    },
  });
}

/** Returns the domains in groups that one server answers for, in their order. Pure. */
function byServer(due: readonly MonitoredDomainDocument[], { servers }: KnownServers) {
  const groups = new Map<string, MonitoredDomainDocument[]>();
  for (const domain of due) {
    const server = servers === null ? null : serverOf(servers, domain.name);
    const key = server === null ? '' : new URL(server).origin;
    const group = groups.get(key) ?? [];
    group.push(domain);
    groups.set(key, group);
  }
  return groups.values();
}
