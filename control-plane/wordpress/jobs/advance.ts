import { platformActor } from '../../actor.js';
import type { Transaction } from '../../storage/transaction.js';
import type { JobDocument, SiteDocument } from '../documents.js';
import { siteResource } from '../load.js';
import type { SiteNeeds } from '../needs.js';
import { type JobEvent, jobAfter } from './states.js';

/** Saves what an event changes in a job, with an audit entry when that ends it. Resolves to null if nothing changed. */
export async function advanceJob(
  { jobs, audit }: Pick<SiteNeeds, 'jobs' | 'audit'>,
  tx: Transaction,
  {
    job,
    site,
    event,
    nowMs,
  }: { job: JobDocument; site: Pick<SiteDocument, '_id' | 'name'>; event: JobEvent; nowMs: number },
): Promise<JobDocument | null> {
  const change = jobAfter(job, event, nowMs);
  if (change === null) return null;
  const changed = await jobs.change(tx, job, change);
  if (changed === null || changed.open) return changed;
  const { check, kind, status, error, plugin } = changed;
  await audit.record(tx, platformActor(job.workspace_id), {
    action: 'site.job_ended',
    resource: siteResource(site),
    metadata: {
      ...{ check, kind, status, job_id: job._id },
      ...(plugin === undefined ? {} : { plugin: plugin.slug }),
      ...(error === null ? {} : { error }),
    },
  });
  return changed;
}
