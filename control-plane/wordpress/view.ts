import { isoOrNull, toIso } from '../../kernel/clock.js';
import { CHECKS, type CheckId, whyUnmeasured } from './checks/catalogue.js';
import { snippetOf } from './checks/snippets.js';
import { countsOf, READING_VALID_MS, scoreOf, stateOf } from './checks/status.js';
import { type CheckReadings, type JobDocument, readingsOf, type SiteDocument } from './documents.js';
import type { Check, HardeningCenter, Job, Site } from './schema.js';
import { summaryOf } from './site-summary.js';

/** Returns the ten checks of a site; `jobs` has the newest job of each check. */
export function checksView(site: SiteDocument, jobs: readonly JobDocument[], nowMs: number): Check[] {
  return CHECKS.map(({ id, name, severity, isFixable }) => {
    const readings = readingsOf(site, id);
    const { status, evidence, checkedAtMs } = stateOf(readings, nowMs);
    const { outside, applied } = readings;
    const job = jobs.find(({ check }) => check === id);
    return {
      id,
      name,
      severity,
      status,
      checked_at: isoOrNull(checkedAtMs),
      applied,
      evidence: checkedAtMs === null ? whyUnmeasured(id) : evidence,
      fixable: isFixable,
      manual: isFixable ? manualView(id, readings, site.about?.server ?? '') : null,
      outside:
        outside === null ? null : { status: outside.status, evidence: outside.evidence, at: toIso(outside.at_ms) },
      fix: job === undefined ? null : fixView(job),
    };
  });
}

function manualView(check: CheckId, { obstacle, pasteable }: CheckReadings, server: string): Check['manual'] {
  if (obstacle === '') return null;
  return { reason: obstacle, snippet: pasteable ? snippetOf(check, server) : null };
}

function fixView(job: JobDocument): NonNullable<Check['fix']> {
  const { _id, kind, status, error, plugin, note = null, created_at_ms, before_plugins = false } = job;
  const created_at = toIso(created_at_ms);
  return { job_id: _id, kind, plugin: plugin?.slug ?? null, status, error, note, created_at, before_plugins };
}

export function siteView(site: SiteDocument, nowMs: number): Site {
  const { about, code } = site;
  const { status, score } = summaryOf(site, nowMs);
  return {
    ...{ id: site._id, name: site.name, url: site.url, status, score },
    connected_at: isoOrNull(site.connected_at_ms),
    seen_at: isoOrNull(site.seen_at_ms),
    proven_at: isoOrNull(site.proven_at_ms),
    home: homeView(site),
    undo_before_plugins: undoView(site, nowMs),
    code_expires_at: code === null || code.expires_at_ms <= nowMs ? null : toIso(code.expires_at_ms),
    plugin_version: about?.plugin_version ?? null,
    wordpress_version: about?.wp_version ?? null,
    php_version: about?.php_version ?? null,
    server: about?.server ?? null,
    created_at: toIso(site.created_at_ms),
    updated_at: toIso(site.updated_at_ms),
  };
}

function homeView({ home, secret }: SiteDocument): Site['home'] {
  if (home === undefined || secret === null) return null;
  return { status: home.status, evidence: home.evidence, at: toIso(home.at_ms) };
}

function undoView({ undo_before_plugins: undo, secret }: SiteDocument, nowMs: number): Site['undo_before_plugins'] {
  if (undo === undefined || secret === null || nowMs - undo.at_ms > READING_VALID_MS) return null;
  const { obstacle, at_ms } = undo;
  return obstacle === ''
    ? { status: 'passing', evidence: 'the must-use plugin is loaded', at: toIso(at_ms) }
    : { status: 'failing', evidence: obstacle, at: toIso(at_ms) };
}

export function jobView(job: JobDocument): Job {
  return {
    ...{ id: job._id, site_id: job.site_id, check: job.check, kind: job.kind, status: job.status, error: job.error },
    ...{ plugin: job.plugin?.slug ?? null, note: job.note ?? null },
    created_at: toIso(job.created_at_ms),
    delivered_at: isoOrNull(job.delivered_at_ms),
    applied_at: isoOrNull(job.applied_at_ms),
    ended_at: isoOrNull(job.ended_at_ms),
    before_plugins: job.before_plugins ?? false,
  };
}

/** Returns the checks of all sites together. Sites that were never connected are listed and not counted. */
export function hardeningCenterView(
  sites: readonly SiteDocument[],
  jobs: readonly JobDocument[],
  nowMs: number,
): HardeningCenter {
  const rows = sites.map((site) => {
    const { status, score } = summaryOf(site, nowMs);
    const own = jobs.filter(({ site_id }) => site_id === site._id);
    return { id: site._id, name: site.name, url: site.url, status, score, checks: checksView(site, own, nowMs) };
  });
  const counted = rows.filter(({ status }) => status !== 'waiting').map(({ checks }) => checks);
  const all = counted.flat();
  const counts = countsOf(all);
  return {
    summary: { sites: counted.length, ...counts, score: scoreOf(counts) },
    checks: CHECKS.map(({ id, name, severity }) => ({
      ...{ id, name, severity },
      ...countsOf(all.filter((check) => check.id === id)),
    })),
    sites: rows,
  };
}
