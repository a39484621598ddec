import { type Actor, platformActor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import { CHECKS, type CheckId, FIXABLE_IDS } from '../checks/catalogue.js';
import { stateOf } from '../checks/status.js';
import { type JobDocument, type JobKind, type JobPlugin, readingsOf, type SiteDocument } from '../documents.js';
import { loadSite, siteResource } from '../load.js';
import type { SiteNeeds } from '../needs.js';

/** Jobs of a site that are kept. Older ones that have ended are deleted. */
const JOBS_KEPT_MAX = 100;
/** A site that is away for longer has to be asked again. */
const JOB_OPEN_MS_MAX = 24 * 3_600_000;

/** What queueing a job needs. */
export type QueueNeeds = Pick<SiteNeeds, 'sites' | 'jobs' | 'audit' | 'ids' | 'clock'>;

/** Queues the fix of a check. Throws 409 for a check without one, and for a site that is not connected. */
export async function queueFix(
  needs: SiteNeeds,
  tx: Transaction,
  actor: Actor,
  request: { siteId: string; check: CheckId },
): Promise<JobDocument> {
  const site = await loadSite(needs.sites, actor, request.siteId, tx);
  return queue(needs, tx, { actor, site, check: withFix(request.check), kind: 'fix' });
}

/** Queues the fixes of all checks that have one, do not pass, and can be fixed on this site. */
export async function queueAllFixes(
  needs: SiteNeeds,
  tx: Transaction,
  actor: Actor,
  siteId: string,
): Promise<JobDocument[]> {
  const site = await loadSite(needs.sites, actor, siteId, tx);
  requireConnection(site);
  const nowMs = needs.clock.now();
  const queued: JobDocument[] = [];
  for (const check of FIXABLE_IDS) {
    const readings = readingsOf(site, check);
    // Somebody may have removed the obstacle, and then queues that fix alone.
    if (readings.obstacle !== '' || stateOf(readings, nowMs).status === 'passing') continue;
    queued.push(await queue(needs, tx, { actor, site, check, kind: 'fix' }));
  }
  return queued;
}

/** Queues the undoing of a fix that the plugin has applied. Throws 409 if there is none. */
export async function queueUndo(
  needs: SiteNeeds,
  tx: Transaction,
  actor: Actor,
  request: { siteId: string; check: CheckId },
): Promise<JobDocument> {
  const site = await loadSite(needs.sites, actor, request.siteId, tx);
  const check = withFix(request.check);
  if (!readingsOf(site, check).applied) {
    throw new AppError('conflict', 'Picket has not changed anything for this check on this site.');
  }
  return queue(needs, tx, { actor, site, check, kind: 'undo' });
}

/** Queues the undoing of a fix after which visitors cannot open the site any more. */
export async function queueOwnUndo(
  needs: SiteNeeds,
  tx: Transaction,
  { site, check }: { site: SiteDocument; check: CheckId },
): Promise<void> {
  if (site.secret === null) return;
  await queue(needs, tx, { actor: platformActor(site.workspace_id), site, check, kind: 'undo' });
}

function requireConnection({ secret }: SiteDocument): void {
  if (secret === null) throw new AppError('conflict', 'The plugin of this site is not connected.');
}

function withFix(check: CheckId): CheckId {
  if (FIXABLE_IDS.includes(check)) return check;
  const name = CHECKS.find(({ id }) => id === check)?.name ?? check;
  throw new AppError('no_automatic_fix', `This version of Picket has no automatic fix for “${name}”.`);
}

const ACTIONS: Record<JobKind, 'site.fix_queued' | 'site.undo_queued' | 'site.plugin_change_queued'> = {
  fix: 'site.fix_queued',
  undo: 'site.undo_queued',
  update_plugin: 'site.plugin_change_queued',
  deactivate_plugin: 'site.plugin_change_queued',
  restore_plugin: 'site.plugin_change_queued',
};

/** Queues a job, or returns the open one that does the same. Throws 409 if another job of the check is open. */
export async function queue(
  { sites, jobs, audit, ids, clock }: QueueNeeds,
  tx: Transaction,
  {
    actor,
    site,
    check,
    kind,
    plugin,
  }: { actor: Actor; site: SiteDocument; check: CheckId; kind: JobKind; plugin?: JobPlugin },
): Promise<JobDocument> {
  requireConnection(site);
  const open = (await jobs.openOf(tx, site.workspace_id, site._id)).find((job) => job.check === check);
  if (open !== undefined) {
    if (open.kind === kind && open.plugin?.slug === plugin?.slug) return open;
    throw new AppError('conflict', `Another job of this check is not finished: ${open._id}.`);
  }
  const nowMs = clock.now();
  const job: JobDocument = {
    ...{ _id: ids.next('job'), workspace_id: site.workspace_id, site_id: site._id, check, kind },
    ...{ status: 'queued', open: true, error: null, created_at_ms: nowMs, delivered_at_ms: null },
    ...{ applied_at_ms: null, ended_at_ms: null, expires_at_ms: nowMs + JOB_OPEN_MS_MAX },
    ...(plugin === undefined ? {} : { plugin }),
  };
  await jobs.insert(tx, job);
  await jobs.trim(tx, site.workspace_id, site._id, JOBS_KEPT_MAX - 1);
  await sites.makeDue(tx, site, { nudge_at_ms: nowMs, nudges_failed: 0 });
  await audit.record(tx, actor, {
    action: ACTIONS[kind],
    resource: siteResource(site),
    metadata: {
      ...{ check, job_id: job._id },
      ...(plugin === undefined ? {} : { kind, plugin: plugin.slug, version: plugin.version }),
    },
  });
  return job;
}
