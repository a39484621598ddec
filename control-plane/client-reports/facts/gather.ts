import type { BegunIncident } from '../../incidents/incidents.js';
import type { MonitorDocument } from '../../monitors/documents.js';
import { daysRemaining, isHttps } from '../../monitors/monitors.js';
import type { MonitorHour } from '../../results/results.js';
import type { ReportDocument } from '../documents.js';
import { chosenBackups, chosenMonitors, domainsOf, registeredDomainsOf, scansOf, targetsOf } from './chosen.js';
import { type Days, daysOf } from './days.js';
import { type DaySums, type MonitorFacts, type ReportFacts, ReportProblem, type ReportSources } from './facts.js';
import { sumIncidents } from './incidents.js';
import { byDowntime, byListing, byScanScore, byScore, bySoonestEnd, bySoonestExpiry, bySuccess } from './order.js';
import { addChecks, noChecks } from './sums.js';
import { countingSites, gatherWordpress } from './wordpress.js';

/** Monitors of one report. Each has up to two years of hours to read. */
const REPORT_MONITORS_MAX = 1_000;
const REPORT_BLACKLIST_MONITORS_MAX = 1_000;
const REPORT_BACKUP_JOBS_MAX = 1_000;
const REPORT_EMAIL_DOMAINS_MAX = 1_000;
const REPORT_DOMAINS_MAX = 1_000;
const REPORT_SCANS_MAX = 1_000;
const PAGE_ROWS = 200;
/** Monitors whose history is read at the same time. What is read is decoded here, beside results and requests. */
const READ_AT_ONCE = 2;
const HOUR_MS = 3_600_000;
/** Hours of a monitor that are read at once: their decoding holds up everything else for a few milliseconds. */
const PART_MS = 240 * HOUR_MS;

/** Reads everything that the report says. Throws `ReportProblem` for a workspace that is too large. */
export async function gatherFacts(
  sources: ReportSources,
  report: Pick<ReportDocument, 'workspace_id' | 'period' | 'time_zone' | 'monitors'>,
  nowMs: number,
  signal: AbortSignal,
): Promise<ReportFacts> {
  const { workspace_id: workspaceId, period, time_zone } = report;
  const days = daysOf(period.from_ms, period.to_ms, time_zone);
  const beforeMs = 2 * period.from_ms - period.to_ms;
  const monitors = await readMonitors(sources, report, signal);
  const facts = new Map(monitors.map((monitor) => [monitor._id, emptyFacts(monitor, period.from_ms)]));
  const sums = days.starts.map((fromMs): DaySums => ({ ...noChecks(), fromMs }));
  const waiting = monitors[Symbol.iterator]();
  const reader = async () => {
    for (const monitor of waiting) {
      signal.throwIfAborted();
      const of = facts.get(monitor._id);
      if (of !== undefined) await addHistory(sources, monitor, { period, beforeMs, days, sums, of });
    }
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, reader));
  const chosen = report.monitors === null ? null : facts;
  // Those of sites belong to no monitor, so they are counted before others are left out.
  const incidentsOfSites = new Map<string, number>();
  const ofPeriod = countingSites(sources.incidents(workspaceId, period.from_ms, period.to_ms), incidentsOfSites);
  const incidents = await sumIncidents(aboutChosen(ofPeriod, chosen), period.to_ms, days, (monitorId) => {
    const of = facts.get(monitorId);
    if (of !== undefined) of.outages++;
  });
  const ofBefore = sources.incidents(workspaceId, beforeMs, period.from_ms);
  const incidentsBefore = await sumIncidents(aboutChosen(ofBefore, chosen), period.from_ms, days, () => {});
  const ofHttps = monitors.filter(({ type, url }) => isHttps(type, url));
  const all = [...facts.values()].sort(byDowntime);
  return {
    madeMs: nowMs,
    monitors: all,
    days: sums,
    period: totalOf(all, 'period'),
    before: totalOf(all, 'before'),
    ...{ incidents, incidentsBefore },
    certificates: ofHttps.flatMap((monitor) => certificateOf(monitor, nowMs)).sort(bySoonestEnd),
    withoutCertificate: ofHttps.filter(({ certificate }) => certificate === null).length,
    domains: registeredDomainsOf(
      await readDomains(sources, workspaceId, nowMs),
      report.monitors === null ? null : monitors,
    ).sort(bySoonestExpiry),
    reputation: targetsOf(await readReputation(sources, workspaceId), report.monitors === null ? null : monitors).sort(
      byListing,
    ),
    backups: chosenBackups(await readBackups(sources, report, nowMs), report.monitors).sort(bySuccess),
    emailDomains: domainsOf(
      await readEmailDomains(sources, workspaceId),
      report.monitors === null ? null : monitors,
    ).sort(byScore),
    wordpress: await gatherWordpress(sources, {
      report,
      monitors: report.monitors === null ? null : monitors,
      incidents: incidentsOfSites,
      nowMs,
    }),
    scans: scansOf(await readScans(sources, report), report.monitors === null ? null : monitors).sort(byScanScore),
  };
}

/** Returns the monitors that the report is about, of those that existed in its period. Throws `ReportProblem` for too many or none. */
export async function readMonitors(
  sources: ReportSources,
  { workspace_id, monitors: chosen, period }: Pick<ReportDocument, 'workspace_id' | 'monitors' | 'period'>,
  signal: AbortSignal,
): Promise<MonitorDocument[]> {
  const monitors = chosenMonitors(await allMonitors(sources, workspace_id, signal), chosen);
  if (chosen !== null && monitors.length === 0)
    throw new ReportProblem('None of the chosen monitors exists any more, and no monitor has one of the chosen tags.');
  return monitors.filter(({ created_at_ms }) => created_at_ms < period.to_ms);
}

/** Returns the incidents about one of the monitors; all for null. */
async function* aboutChosen(incidents: AsyncIterable<BegunIncident>, monitors: ReadonlyMap<string, unknown> | null) {
  for await (const incident of incidents)
    if (monitors === null || (incident.monitor_id !== null && monitors.has(incident.monitor_id))) yield incident;
}

async function allMonitors({ monitors }: ReportSources, workspaceId: string, signal: AbortSignal) {
  const all: MonitorDocument[] = [];
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted();
    const page: MonitorDocument[] = await monitors(workspaceId, after, PAGE_ROWS);
    all.push(...page);
    if (all.length > REPORT_MONITORS_MAX)
      throw new ReportProblem(
        `A report covers at most ${REPORT_MONITORS_MAX.toLocaleString('en-US')} monitors, and the workspace has more.`,
      );
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_ROWS) return all;
    after = last._id;
  }
}

async function readReputation({ reputation }: ReportSources, workspaceId: string) {
  const rows = await reputation(workspaceId, REPORT_BLACKLIST_MONITORS_MAX + 1);
  if (rows.length <= REPORT_BLACKLIST_MONITORS_MAX) return rows;
  throw new ReportProblem(
    `A report covers at most ${REPORT_BLACKLIST_MONITORS_MAX.toLocaleString('en-US')} blacklist monitors, and the workspace has more.`,
  );
}

async function readBackups(
  { backups }: ReportSources,
  { workspace_id, period }: Pick<ReportDocument, 'workspace_id' | 'period'>,
  nowMs: number,
) {
  const times = { fromMs: period.from_ms, toMs: period.to_ms, nowMs };
  const rows = await backups(workspace_id, times, REPORT_BACKUP_JOBS_MAX + 1);
  if (rows.length <= REPORT_BACKUP_JOBS_MAX) return rows;
  throw new ReportProblem(
    `A report covers at most ${REPORT_BACKUP_JOBS_MAX.toLocaleString('en-US')} backup jobs, and the workspace has more.`,
  );
}

async function readEmailDomains({ emailDomains }: ReportSources, workspaceId: string) {
  const rows = await emailDomains(workspaceId, REPORT_EMAIL_DOMAINS_MAX + 1);
  if (rows.length <= REPORT_EMAIL_DOMAINS_MAX) return rows;
  throw new ReportProblem(
    `A report covers at most ${REPORT_EMAIL_DOMAINS_MAX.toLocaleString('en-US')} e-mail domains, and the workspace has more.`,
  );
}

async function readDomains({ domains }: ReportSources, workspaceId: string, nowMs: number) {
  const rows = await domains(workspaceId, REPORT_DOMAINS_MAX + 1);
  if (rows.length > REPORT_DOMAINS_MAX)
    throw new ReportProblem(
      `A report covers at most ${REPORT_DOMAINS_MAX.toLocaleString('en-US')} registered domains, and the workspace has more.`,
    );
  return rows.map((row) => ({
    ...row,
    daysRemaining: row.expiresMs === null ? null : daysRemaining(row.expiresMs, nowMs),
  }));
}

async function readScans(
  { scans }: ReportSources,
  { workspace_id, period }: Pick<ReportDocument, 'workspace_id' | 'period'>,
) {
  const rows = await scans(workspace_id, { fromMs: period.from_ms, toMs: period.to_ms }, REPORT_SCANS_MAX + 1);
  if (rows.length <= REPORT_SCANS_MAX) return rows;
  throw new ReportProblem(
    `A report covers security scans of at most ${REPORT_SCANS_MAX.toLocaleString('en-US')} websites, and the workspace has more.`,
  );
}

function emptyFacts({ _id: id, name, created_at_ms, paused_at_ms }: MonitorDocument, fromMs: number): MonitorFacts {
  return {
    id,
    name,
    period: noChecks(),
    before: noChecks(),
    outages: 0,
    createdMs: created_at_ms > fromMs ? created_at_ms : null,
    paused: paused_at_ms !== null,
  };
}

async function addHistory(
  { hours }: ReportSources,
  monitor: MonitorDocument,
  into: {
    period: ReportDocument['period'];
    beforeMs: number;
    days: Days;
    sums: DaySums[];
    of: MonitorFacts;
  },
): Promise<void> {
  const { period, days, sums, of } = into;
  const add = (hour: MonitorHour) => {
    if (hour.startMs < period.from_ms) {
      addChecks(of.before, hour);
      return;
    }
    addChecks(of.period, hour);
    const day = sums[days.placeOf(hour.startMs)];
    if (day !== undefined) addChecks(day, hour);
  };
  // Parts end where hours do, so none is read twice.
  for (let fromMs = into.beforeMs; fromMs < period.to_ms; ) {
    const toMs = Math.min(period.to_ms, Math.floor((fromMs + PART_MS) / HOUR_MS) * HOUR_MS);
    for (const hour of await hours(monitor, fromMs, toMs)) add(hour);
    fromMs = toMs;
  }
}

function totalOf(monitors: readonly MonitorFacts[], which: 'period' | 'before') {
  const total = noChecks();
  for (const monitor of monitors) addChecks(total, monitor[which]);
  return total;
}

function certificateOf({ name, certificate }: MonitorDocument, nowMs: number) {
  if (certificate === null) return [];
  const { subject, issuer, grade, not_after_ms: notAfterMs } = certificate;
  return [{ monitor: name, subject, issuer, grade, notAfterMs, daysRemaining: daysRemaining(notAfterMs, nowMs) }];
}
