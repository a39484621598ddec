import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import type { StandingOf } from '../../plans/cache.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { readingsOf, type SiteDocument } from '../documents.js';
import { advanceJob } from '../jobs/advance.js';
import { verdictOf } from '../jobs/states.js';
import type { SiteNeeds } from '../needs.js';
import { secretOf } from '../protocol/authenticate.js';
import { lookAtXmlrpc } from './look.js';
import { nudge } from './nudge.js';

const PERIOD_MS = 1_000;
const LEASE = 'wordpress-sites';
/** Longer than the slowest call of a site, so that a second control plane does not repeat it. */
const LEASE_MS = 90_000;
const BATCH_MAX = 100;
const SITES_AT_ONCE = 20;
/** Sites without visitors do nothing by themselves, and a reading is valid for 24 h. */
const VISIT_PERIOD_MS = 6 * 3_600_000;
/** After failed nudges. A site behind a wall is never reached, and fetches its jobs by itself. */
const RETRY_MS = [10_000, 60_000, 300_000] as const;

export type VisitNeeds = LeasedPeriodicTaskNeeds &
  SiteNeeds & { fetch: GuardedFetch; runTransaction: RunTransaction; standingOf: StandingOf };

/**
 * Nudges sites that have jobs, looks at sites from outside, verifies what was applied, and ends jobs whose time is over. Runs
 * on one control plane at a time.
 */
export function createVisitJob(needs: VisitNeeds): LeasedPeriodicTask<void> {
  const { sites, clock, logger } = needs;
  const each = (due: SiteDocument[], lease: TaskLease, visit: (site: SiteDocument) => Promise<void>) =>
    inParallel(due, SITES_AT_ONCE, async (site) => {
      if (!(await lease.stillHeld())) return;
      await visit(site).catch((err: unknown) => {
        // One site must not stop the others.
        logger.warn({ err, site: site._id }, 'visiting a WordPress site failed, retrying');
      });
    });
  return createLeasedPeriodicTask(needs, {
    ...{ name: LEASE, periodMs: PERIOD_MS, leaseMs: LEASE_MS },
    failure: 'visiting WordPress sites failed, retrying',
    async work(lease) {
      await expireJobs(needs);
      await each(await sites.dueNudges(clock.now(), BATCH_MAX), lease, (site) =>
        nudgeSite(needs, site, lease.stopping),
      );
      await each(await sites.dueLooks(clock.now(), BATCH_MAX), lease, (site) =>
        lookAtSite(needs, site, lease.stopping),
      );
    },
  });
}

async function nudgeSite(needs: VisitNeeds, site: SiteDocument, signal: AbortSignal): Promise<void> {
  const { sites, box, clock, logger, standingOf } = needs;
  const secret = secretOf(box, site);
  const isStopped = (await standingOf(site.workspace_id))?.stopped === true;
  const isProven =
    secret !== null &&
    !isStopped &&
    (await nudge(needs, site, { secret, timeMs: clock.now(), signal }).catch((err: unknown) => {
      logger.debug({ err, site: site._id }, 'a WordPress site does not answer a nudge');
      return false;
    }));
  if (signal.aborted) return;
  const nowMs = clock.now();
  const retryMs = isProven || isStopped ? undefined : RETRY_MS[site.nudges_failed];
  await sites.saveNudge(site, {
    nudge_at_ms: nowMs + (retryMs ?? VISIT_PERIOD_MS),
    nudges_failed: retryMs === undefined ? 0 : site.nudges_failed + 1,
    proven_at_ms: isProven ? nowMs : site.proven_at_ms,
  });
}

async function lookAtSite(needs: VisitNeeds, site: SiteDocument, signal: AbortSignal): Promise<void> {
  const { sites, jobs, clock, fetch, runTransaction } = needs;
  const startedAtMs = clock.now();
  const { status, evidence } = await lookAtXmlrpc(fetch, site, signal);
  if (signal.aborted) return;
  await runTransaction(async (tx) => {
    const look = { check: 'xmlrpc', reading: { status, evidence, at_ms: startedAtMs } } as const;
    const seen = await sites.saveLook(tx, site, { ...look, nextAtMs: clock.now() + VISIT_PERIOD_MS });
    if (seen === null) return;
    for (const job of await jobs.openOf(tx, site.workspace_id, site._id)) {
      if (job.status !== 'applied') continue;
      const event = verdictOf(job, readingsOf(seen, job.check));
      if (event !== null) await advanceJob(needs, tx, { job, site, event, nowMs: clock.now() });
    }
  });
}

async function expireJobs(needs: VisitNeeds): Promise<void> {
  const { jobs, sites, clock, runTransaction } = needs;
  for (const job of await jobs.expired(clock.now(), BATCH_MAX)) {
    await runTransaction(async (tx) => {
      const site = await sites.find(job.workspace_id, job.site_id, tx);
      if (site !== null) await advanceJob(needs, tx, { job, site, event: { type: 'expired' }, nowMs: clock.now() });
    });
  }
}
