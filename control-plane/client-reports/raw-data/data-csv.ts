import { toIso } from '../../../kernel/clock.js';
import { csvLine } from '../../csv.js';
import { coverageOf, type PercentUp, responseOf, uptimeOf } from '../content/figures.js';
import { shownSections } from '../content/shown-sections.js';
import type { ReportOrder } from '../documents.js';
import type { CheckSums, IncidentSums, MonitorFacts, ReportFacts, WordpressFacts } from '../facts/facts.js';
import { SECTION_TITLES, type SectionName } from '../sections.js';

/** The columns of the data behind a report. `record` says what a line is of; docs/client-reports.md describes them. */
const COLUMNS = [
  ...(['record', 'period', 'id', 'name', 'from', 'to', 'time_zone'] as const),
  ...(['observed_ms', 'up_ms', 'left_out_ms', 'successful_checks', 'failed_checks', 'response_us'] as const),
  ...(['uptime_percent', 'observed_percent', 'response_ms', 'paused'] as const),
  ...(['incidents', 'critical', 'warning', 'info', 'outages', 'resolved', 'recovery_ms'] as const),
  ...(['total_ms', 'longest_ms', 'open', 'count'] as const),
  ...(['issuer', 'grade', 'status', 'score', 'listings', 'to_improve', 'checked_at'] as const),
  ...(['url', 'passing', 'failing', 'unknown', 'fixes', 'site', 'installed', 'fixed_in'] as const),
  ...(['high', 'medium', 'low'] as const),
  ...(['succeeded', 'failed', 'missed', 'longest_gap_ms', 'size_bytes', 'last_good_at'] as const),
] as const;
type Column = (typeof COLUMNS)[number];
type Line = Partial<Record<Column, string | number | boolean | null>>;

/** Returns the data behind a report as one CSV: everything that its sections are computed from. Pure. */
export function dataCsv(order: ReportOrder, facts: ReportFacts, percentUp: PercentUp): string {
  const shown = shownSections(order, facts);
  const has = (...names: SectionName[]) => names.some((name) => shown.includes(name));
  const checks = createChecksOf(percentUp);
  let csv = csvLine(COLUMNS);
  const add = (line: Line) => {
    csv += csvLine(COLUMNS.map((column) => cellOf(line[column])));
  };
  add({
    record: 'report',
    name: order.title,
    from: toIso(order.period.from_ms),
    to: toIso(order.period.to_ms),
    time_zone: order.time_zone,
    checked_at: toIso(facts.madeMs),
  });
  for (const name of shown) add({ record: 'section', name: SECTION_TITLES[name] });
  if (has('executive_summary', 'alerts')) {
    for (const line of monitorLines(order, facts.monitors, checks)) add(line);
    for (const line of dayLines(facts, checks)) add(line);
    for (const line of incidentLines(facts.incidents, 'this')) add(line);
    for (const line of incidentLines(facts.incidentsBefore, 'before')) add(line);
  }
  if (has('executive_summary', 'ssl_domain'))
    for (const line of [...certificateLines(facts), ...domainLines(facts)]) add(line);
  if (has('executive_summary', 'reputation')) for (const line of blacklistLines(facts)) add(line);
  if (has('backup_verification')) for (const line of backupLines(order, facts)) add(line);
  if (has('email_deliverability')) for (const line of emailLines(facts)) add(line);
  if (has('wordpress')) for (const line of wordpressLines(facts.wordpress)) add(line);
  if (has('security_scans')) for (const line of scanLines(facts)) add(line);
  return csv;
}

function cellOf(value: Line[Column]) {
  // A negative number is no formula, and must stay a number.
  return typeof value === 'number' ? { json: value } : value === undefined || value === null ? null : String(value);
}

type ChecksOf = (sums: CheckSums) => Line;

function createChecksOf(percentUp: PercentUp): ChecksOf {
  return (sums) => ({
    observed_ms: sums.observedMs,
    up_ms: sums.upMs,
    left_out_ms: sums.leftOutMs,
    successful_checks: sums.good,
    failed_checks: sums.failed,
    response_us: sums.responseUs,
    uptime_percent: uptimeOf(sums, percentUp),
    response_ms: responseOf(sums),
  });
}

function* monitorLines(
  { period }: ReportOrder,
  monitors: readonly MonitorFacts[],
  checksOf: ChecksOf,
): Generator<Line> {
  for (const { id, name, createdMs, paused, outages, ...sums } of monitors) {
    const fromMs = createdMs ?? period.from_ms;
    const of = { record: 'monitor', id, name };
    yield {
      ...of,
      period: 'this',
      from: toIso(fromMs),
      to: toIso(period.to_ms),
      outages,
      paused,
      ...checksOf(sums.period),
      observed_percent: coverageOf(sums.period, period.to_ms - fromMs),
    };
    yield { ...of, period: 'before', ...checksOf(sums.before) };
  }
}

function* dayLines({ days, incidents }: ReportFacts, checksOf: ChecksOf): Generator<Line> {
  for (const [place, day] of days.entries())
    yield { record: 'day', period: 'this', from: toIso(day.fromMs), ...checksOf(day), ...incidents.days[place] };
}

function* incidentLines({ things, longest }: IncidentSums, period: 'this' | 'before'): Generator<Line> {
  for (const { name, total, bySeverity, outages, resolved, recoveryMs, totalMs, longestMs, open } of things)
    yield {
      record: 'incidents',
      period,
      name,
      incidents: total,
      ...bySeverity,
      outages,
      resolved,
      recovery_ms: recoveryMs,
      total_ms: totalMs,
      longest_ms: longestMs,
      open,
    };
  if (longest === null || period === 'before') return;
  const { name, startedMs, lastedMs, open } = longest;
  yield { record: 'longest_outage', period, name, from: toIso(startedMs), longest_ms: lastedMs, open: open ? 1 : 0 };
}

function* certificateLines({ certificates, withoutCertificate }: ReportFacts): Generator<Line> {
  for (const { monitor, issuer, grade, notAfterMs } of certificates)
    yield { record: 'certificate', name: monitor, issuer, grade, to: toIso(notAfterMs) };
  yield { record: 'https_monitors_without_certificate', count: withoutCertificate };
}

function* domainLines({ domains }: ReportFacts): Generator<Line> {
  for (const { name, status, registrar, expiresMs, checkedMs } of domains)
    yield {
      ...{ record: 'domain', name, status, issuer: registrar },
      to: expiresMs === null ? null : toIso(expiresMs),
      checked_at: checkedMs === null ? null : toIso(checkedMs),
    };
}

function* emailLines({ emailDomains }: ReportFacts): Generator<Line> {
  for (const { name, status, score, failing, warning, checkedMs } of emailDomains)
    yield {
      record: 'email_domain',
      name,
      status,
      score,
      // Names of areas contain no comma.
      to_improve: [...failing, ...warning].join(', '),
      checked_at: checkedMs === null ? null : toIso(checkedMs),
    };
}

function* wordpressLines({ sites, score }: WordpressFacts): Generator<Line> {
  if (sites.length > 0) yield { record: 'wordpress', score };
  for (const { id, name, url, status, seenMs, improve, vulnerable: _, ...figures } of sites)
    yield {
      record: 'wordpress_site',
      id,
      name,
      url,
      status,
      ...figures,
      // Names of checks contain no comma.
      to_improve: improve.join(', '),
      checked_at: seenMs === null ? null : toIso(seenMs),
    };
  const plugins = sites.flatMap(({ name: site, vulnerable }) => (vulnerable ?? []).map((plugin) => ({ site, plugin })));
  for (const { site, plugin } of plugins) {
    const { name, version, vulnerabilities, fixedIn } = plugin;
    yield { record: 'vulnerable_plugin', name, site, installed: version, count: vulnerabilities, fixed_in: fixedIn };
  }
  for (const name of new Set(plugins.flatMap(({ plugin }) => plugin.notices))) yield { record: 'notice', name };
}

function* scanLines({ scans }: ReportFacts): Generator<Line> {
  for (const { target, score, critical, high, medium, low, unknown, first, scannedMs } of scans)
    yield {
      record: 'scan',
      name: target,
      score,
      critical,
      high,
      medium,
      low,
      unknown,
      to_improve: first.join(' '),
      checked_at: toIso(scannedMs),
    };
}

function* blacklistLines({ reputation }: ReportFacts): Generator<Line> {
  for (const { target, status, score, listings, checkedMs } of reputation)
    yield {
      record: 'blacklist',
      name: target,
      status,
      score,
      // Names of lists contain no such signs.
      listings: listings.map(({ list, sinceMs }) => `${list} since ${toIso(sinceMs)}`).join('; '),
      checked_at: checkedMs === null ? null : toIso(checkedMs),
    };
}

function* backupLines({ period }: ReportOrder, { backups }: ReportFacts): Generator<Line> {
  for (const { id, name, sinceMs, succeeded, failed, missed, longestGapMs, lastGoodMs, sizeBytes } of backups)
    yield {
      record: 'backup',
      id,
      name,
      from: toIso(sinceMs),
      to: toIso(period.to_ms),
      succeeded,
      failed,
      missed,
      longest_gap_ms: longestGapMs,
      size_bytes: sizeBytes,
      last_good_at: lastGoodMs === null ? null : toIso(lastGoodMs),
    };
}
