import type { GuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
} from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import { CHECK_IDS } from '../checks/catalogue.js';
import { type JobDocument, readingsOf, type SeenPages, type SiteDocument } from '../documents.js';
import { advanceJob } from '../jobs/advance.js';
import { pluginVerdict } from '../jobs/plugin-verdict.js';
import { queueOwnUndo } from '../jobs/queue.js';
import { queuePuttingBack } from '../jobs/queue-plugin.js';
import { checksBeingUndone, verdictOf } from '../jobs/states.js';
import type { SiteNeeds } from '../needs.js';
import { noteMeasured } from '../note-measured.js';
import { secretOf } from '../protocol/authenticate.js';
import { isStopped, type StandingNeeds } from '../stopped.js';
import { isSeenFromOutside, lookAt } from './look.js';
import { nudge } from './nudge.js';
import { createVisitPool } from './pool.js';

const PERIOD_MS = 1_000;
const LEASE = 'wordpress-sites';
/** Longer than the slowest call of a site, so that a second control plane does not repeat it. */
const LEASE_MS = 90_000;
const BATCH_MAX = 100;
/** Sites without visitors do nothing by themselves, and a reading is valid for 24 h. */
const VISIT_PERIOD_MS = 6 * 3_600_000;
/** After a look that did not say whether a changed plugin has broken the site, until the end of `LOOK_AGAIN_MS_MAX`. */
const LOOK_AGAIN_MS = 30_000;
/** After that, each poll of the plugin makes the site due. */
const LOOK_AGAIN_MS_MAX = 600_000;
/**
 * After failed nudges, and those after which a job is still not done: the site could not fetch it, or whatever did it was
 * killed before its result was sent. A site behind a wall is never reached, and fetches its jobs by itself.
 */
const RETRY_MS = [10_000, 60_000, 300_000] as const;

/** After a fix was undone before plugins and theme were loaded, until the site is back, or is known not to be. */
const AWAITED_LOOK_MS = 10_000;

export type VisitNeeds = LeasedPeriodicTaskNeeds &
  SiteNeeds &
  StandingNeeds & { fetch: GuardedFetch; runTransaction: RunTransaction };

/**
 * Nudges sites that have jobs, looks at sites from outside, verifies what was applied, and ends jobs whose time is over. Runs
 * on one control plane at a time.
 */
export function createVisitJob(needs: VisitNeeds): LeasedPeriodicTask<void> {
  const { sites } = needs;
  // Two pools, so that a look does not wait for nudges.
  const nudges = createVisitPool(needs, {
    due: sites.dueNudges,
    visit: (site, signal) => nudgeSite(needs, site, signal),
  });
  const looks = createVisitPool(needs, {
    due: sites.dueLooks,
    visit: (site, signal) => lookAtSite(needs, site, signal),
  });
  return createLeasedPeriodicTask(needs, {
    ...{ name: LEASE, periodMs: PERIOD_MS, leaseMs: LEASE_MS },
    failure: 'visiting WordPress sites failed, retrying',
    async work(lease) {
      await expireJobs(needs);
      await nudges.begin(lease);
      await looks.begin(lease);
    },
    async beforeRelease() {
      await Promise.all([nudges.ended(), looks.ended()]);
    },
  });
}

async function nudgeSite(needs: VisitNeeds, site: SiteDocument, signal: AbortSignal): Promise<void> {
  const { sites, jobs, box, clock, logger } = needs;
  const secret = secretOf(box, site);
  const stopped = await isStopped(needs, site);
  const hasUndo = () => jobs.hasUndone(site.workspace_id, site._id, 'undo');
  let sentAtMs = 0;
  const answers = async (what: 'jobs' | 'jobs-with-undo' | 'undo') => {
    if (secret === null || stopped || signal.aborted) return false;
    // The site takes no nudge that is not later than the last one.
    sentAtMs = Math.max(clock.now(), sentAtMs + 1);
    return nudge(needs, site, { secret, timeMs: sentAtMs, signal, what }).catch((err: unknown) => {
      logger.debug({ err, site: site._id, what }, 'a WordPress site does not answer a nudge');
      return false;
    });
  };
  const isServing = await answers((await hasUndo()) ? 'jobs-with-undo' : 'jobs');
  // Somebody undoes a fix, and the site does not do it: it may have to be done before plugins and theme are loaded.
  const isUndoing = (await hasUndo()) && (await answers('undo'));
  if (signal.aborted) return;
  const isProven = isServing || isUndoing;
  // What was undone so was not measured: that needs another nudge.
  const isServed = isProven && !isUndoing && !(await jobs.hasUndone(site.workspace_id, site._id));
  const nowMs = clock.now();
  const retryMs = isServed || stopped ? undefined : RETRY_MS[site.nudges_failed];
  await sites.saveNudge(site, {
    nudge_at_ms: nowMs + (retryMs ?? VISIT_PERIOD_MS),
    nudges_failed: retryMs === undefined ? 0 : site.nudges_failed + 1,
    proven_at_ms: isProven ? nowMs : site.proven_at_ms,
  });
}

async function lookAtSite(needs: VisitNeeds, site: SiteDocument, signal: AbortSignal): Promise<void> {
  const { sites, jobs, clock, runTransaction } = needs;
  const startedAtMs = clock.now();
  if (await isStopped(needs, site)) return sites.postponeLook(site, startedAtMs + VISIT_PERIOD_MS);
  await sites.beginLook(site, startedAtMs);
  const { checks, home: seenHome, pages } = await lookAt(needs, site, signal);
  if (signal.aborted) return;
  const home = { ...seenHome, at_ms: startedAtMs };
  const judged = Object.entries(checks);
  const readings = Object.fromEntries(judged.map(([check, seen]) => [check, { ...seen, at_ms: startedAtMs }]));
  await runTransaction(async (tx) => {
    const open = await jobs.openOf(tx, site.workspace_id, site._id);
    const sinceMs = clock.now() - LOOK_AGAIN_MS_MAX;
    const isAwaited =
      home.status !== 'passing' &&
      open.some((job) => job.status === 'applied' && job.before_plugins && (job.applied_at_ms ?? 0) > sinceMs);
    const nextAtMs = clock.now() + (isAwaited ? AWAITED_LOOK_MS : VISIT_PERIOD_MS);
    const seen = await sites.saveLook(tx, site, { readings, home, pages, nextAtMs });
    if (seen === null) return;
    const undone = checksBeingUndone(open);
    await noteMeasured(
      needs,
      tx,
      seen,
      CHECK_IDS.filter((check) => check in readings && !undone.has(check)),
    );
    for (const job of open) {
      if (job.status !== 'applied') continue;
      if (job.plugin !== undefined) {
        await verifyPlugin(needs, tx, { job, site: seen, pages });
        continue;
      }
      const event = verdictOf(job, { ...readingsOf(seen, job.check), home }, isSeenFromOutside(job.check));
      if (event === null) continue;
      await advanceJob(needs, tx, { job, site, event, nowMs: clock.now() });
      if (event.type === 'contradicted' && event.undo) await queueOwnUndo(needs, tx, { site: seen, check: job.check });
    }
  });
}

/** Verifies an applied change of a plugin. One that broke a page is put back; while nothing is known, the site is looked at again. */
async function verifyPlugin(
  needs: VisitNeeds,
  tx: Transaction,
  { job, site, pages }: { job: JobDocument; site: SiteDocument; pages: SeenPages },
): Promise<void> {
  const nowMs = needs.clock.now();
  const verdict = pluginVerdict(job, site, pages, nowMs);
  if (verdict !== null) {
    await advanceJob(needs, tx, { job, site, event: verdict.event, nowMs });
    if (verdict.putBack) await queuePuttingBack(needs, tx, site, job);
  } else if (nowMs - (job.applied_at_ms ?? 0) <= LOOK_AGAIN_MS_MAX) {
    await needs.sites.makeDue(tx, site, { look_at_ms: nowMs + LOOK_AGAIN_MS });
  }
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
