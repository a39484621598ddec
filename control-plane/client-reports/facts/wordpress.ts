import type { BegunIncident } from '../../incidents/incidents.js';
import type { MonitorDocument } from '../../monitors/documents.js';
import type { ReportDocument } from '../documents.js';
import { sitesOf } from './chosen.js';
import { ReportProblem, type ReportSources, type WordpressFacts } from './facts.js';
import { byScore } from './order.js';

const REPORT_SITES_MAX = 1_000;
/** The kind of the incidents of sites' checks. */
const OF_SITE = 'wordpress';

/** The sites, and the incidents of their checks by the ids of the sites. */
interface SitesRead {
  report: Pick<ReportDocument, 'workspace_id' | 'period'>;
  /** null: of all. */
  monitors: readonly MonitorDocument[] | null;
  incidents: ReadonlyMap<string, number>;
  nowMs: number;
}

/** Reads what a report says about WordPress sites. Throws `ReportProblem` for too many. */
export async function gatherWordpress(
  { sites, scoreOfSites }: Pick<ReportSources, 'sites' | 'scoreOfSites'>,
  { report: { workspace_id, period }, monitors, incidents, nowMs }: SitesRead,
): Promise<WordpressFacts> {
  const times = { fromMs: period.from_ms, toMs: period.to_ms, nowMs };
  const rows = await sites(workspace_id, times, REPORT_SITES_MAX + 1);
  if (rows.length > REPORT_SITES_MAX)
    throw new ReportProblem(
      `A report covers at most ${REPORT_SITES_MAX.toLocaleString('en-US')} WordPress sites, and the workspace has more.`,
    );
  const shown = sitesOf(rows, monitors).sort(byScore);
  return {
    sites: shown.map((site) => ({ ...site, incidents: incidents.get(site.id) ?? 0 })),
    score: scoreOfSites(shown),
  };
}

/** Passes incidents on, and counts those of each WordPress site into `counts`. */
export async function* countingSites(
  incidents: AsyncIterable<BegunIncident>,
  counts: Map<string, number>,
): AsyncGenerator<BegunIncident> {
  for await (const incident of incidents) {
    const { kind, resource } = incident;
    if (kind === OF_SITE) counts.set(resource.id, (counts.get(resource.id) ?? 0) + 1);
    yield incident;
  }
}
