import type { MonitorDocument } from '../../../monitors/documents.js';
import { chosenBackups, domainsOf, scansOf, sitesOf, targetsOf } from '../../facts/chosen.js';
import type { ReportSources } from '../../facts/facts.js';
import { readMonitors } from '../../facts/gather.js';
import type { RunDocument, ScheduleDocument } from '../documents.js';

/**
 * How much of each kind is read. If none of so many has data, a report is made, whose own limits are larger: this look must cost
 * little, because all schedules wait for it.
 */
const MONITORS_READ_MAX = 50;
const INCIDENTS_READ_MAX = 1_000;
const BACKUP_JOBS_READ_MAX = 50;
const SITES_READ_MAX = 50;
const SCANS_READ_MAX = 50;
const NAMES_READ_MAX = 1_000;
/** A monitor that works has data at the end of the period. */
const FIRST_PART_MS = 2 * 86_400_000;

type Period = RunDocument['period'];
type Of = Pick<ScheduleDocument, 'workspace_id' | 'monitors' | 'sections'>;

/**
 * Returns whether there is anything of the period to report about: something was observed, or an incident began. It ends with the
 * first thing that it finds. Throws `ReportProblem` like the generation of the report.
 */
export async function hasData(
  sources: ReportSources,
  schedule: Of,
  period: Period,
  signal: AbortSignal,
): Promise<boolean> {
  const monitors = await readMonitors(sources, { ...schedule, period }, signal);
  return (
    (await wasObserved(sources, monitors, period, signal)) ||
    (await hasIncident(sources, schedule, monitors, period)) ||
    (await hasSection(sources, schedule, monitors, period))
  );
}

async function wasObserved(
  { hours }: ReportSources,
  monitors: readonly MonitorDocument[],
  { from_ms, to_ms }: Period,
  signal: AbortSignal,
): Promise<boolean> {
  const middleMs = Math.max(from_ms, to_ms - FIRST_PART_MS);
  for (const [fromMs, toMs] of [
    [middleMs, to_ms],
    [from_ms, middleMs],
  ] as const) {
    if (fromMs >= toMs) continue;
    for (const monitor of monitors.slice(0, MONITORS_READ_MAX)) {
      signal.throwIfAborted();
      if ((await hours(monitor, fromMs, toMs)).some(({ observedMs }) => observedMs > 0)) return true;
    }
  }
  return monitors.length > MONITORS_READ_MAX;
}

async function hasIncident(
  { incidents }: ReportSources,
  { workspace_id, monitors: chosen }: Of,
  monitors: readonly MonitorDocument[],
  { from_ms, to_ms }: Period,
): Promise<boolean> {
  const ids = new Set(monitors.map(({ _id }) => _id));
  let read = 0;
  for await (const { monitor_id } of incidents(workspace_id, from_ms, to_ms)) {
    if (chosen === null || (monitor_id !== null && ids.has(monitor_id))) return true;
    read += 1;
    if (read >= INCIDENTS_READ_MAX) return true;
  }
  return false;
}

/** Blacklists, e-mail domains and WordPress sites are as of now, so they say something about every period. */
async function hasSection(
  sources: ReportSources,
  { workspace_id, monitors: chosen, sections }: Of,
  monitors: readonly MonitorDocument[],
  { from_ms: fromMs, to_ms: toMs }: Period,
): Promise<boolean> {
  const those = chosen === null ? null : monitors;
  const wasChecked = ({ checkedMs }: { checkedMs: number | null }) => checkedMs !== null;
  if (sections.reputation !== false) {
    const targets = await sources.reputation(workspace_id, NAMES_READ_MAX);
    if (targetsOf(targets, those).some(wasChecked)) return true;
  }
  if (sections.email_deliverability !== false) {
    const domains = await sources.emailDomains(workspace_id, NAMES_READ_MAX);
    if (domainsOf(domains, those).some(wasChecked)) return true;
  }
  if (sections.wordpress !== false) {
    const sites = await sources.sites(workspace_id, { fromMs, toMs, nowMs: toMs }, SITES_READ_MAX);
    if (sites.length >= SITES_READ_MAX || sitesOf(sites, those).length > 0) return true;
  }
  if (sections.security_scans !== false) {
    const scans = await sources.scans(workspace_id, { fromMs, toMs }, SCANS_READ_MAX);
    if (scans.length >= SCANS_READ_MAX || scansOf(scans, those).length > 0) return true;
  }
  if (sections.backup_verification === false) return false;
  const jobs = await sources.backups(workspace_id, { fromMs, toMs, nowMs: toMs }, BACKUP_JOBS_READ_MAX);
  const ran = chosenBackups(jobs, chosen).some(({ succeeded, failed, missed }) => succeeded + failed + missed > 0);
  return ran || jobs.length >= BACKUP_JOBS_READ_MAX;
}
