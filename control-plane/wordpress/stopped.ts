import type { StandingOf } from '../plans/cache.js';
import type { SiteDocument } from './documents.js';

export interface StandingNeeds {
  standingOf: StandingOf;
}

/** Resolves to whether nothing may be done for a site: its workspace is suspended, is being deleted, or does not exist. */
export async function isStopped(
  { standingOf }: StandingNeeds,
  { workspace_id }: Pick<SiteDocument, 'workspace_id'>,
): Promise<boolean> {
  const standing = await standingOf(workspace_id);
  return standing === null || standing.stopped;
}
