import t from 'tap';
import {
  type MonitoredDomainDocument,
  PENDING,
  type Registration,
} from '../../../control-plane/domain-expiry/documents.js';
import type { AreaName, KnownStatus } from '../../../control-plane/email-domains/areas/area.js';
import type { EmailDomainDocument } from '../../../control-plane/email-domains/documents.js';
import type { ScanDocument } from '../../../control-plane/scans/documents.js';
import { CHECK_IDS } from '../../../control-plane/wordpress/checks/catalogue.js';
import type { CheckStatus, JobDocument, SiteDocument } from '../../../control-plane/wordpress/documents.js';
import { listingOf, monitorOf } from '../../helpers/blacklist/documents.js';
import { DAY_MS, HOUR_MS, NOW, PATH, startReportsApp } from '../../helpers/client-reports/app.js';
import { textOf } from '../../helpers/client-reports/pdf.js';
import { figuresBySection, recompute, type SectionFigures } from '../../helpers/client-reports/recompute.js';
import { firingIncident } from '../../helpers/incidents/stored.js';
import { completedScan } from '../../helpers/scans/completed.js';

const FROM = Date.UTC(2031, 0, 10);
const TO = Date.UTC(2031, 0, 20);
const DAYS = 10;
const MINUTE_MS = 60_000;
const period = { from: new Date(FROM).toISOString(), to: new Date(TO).toISOString() };
const hours = (days: number, up: number | null) => Array.from({ length: days * 24 }, () => up);
const EMPTY = { texts: [], list: [], cards: {}, days: [], rows: [], notes: [] };

type App = Awaited<ReturnType<typeof startReportsApp>>;
type Shop = Awaited<ReturnType<App['addMonitor']>>;

/** An e-mail domain whose areas have these statuses. */
function emailDomain(
  app: App,
  name: string,
  { score, statuses }: { score: number | null; statuses: Partial<Record<AreaName, KnownStatus>> },
): EmailDomainDocument {
  const known = Object.entries(statuses) as [AreaName, KnownStatus][];
  const areas = known.map(([area, status]) => ({
    area,
    verdict: { status, findings: [], evidence: [], proposal: null, applies: true },
    standing: status,
    failed_checks: 0,
  }));
  return {
    ...{ _id: `eml_${name}`, workspace_id: app.workspace.id, name, dkim_selectors: [], areas, score, trouble: null },
    ...{ checked_at_ms: score === null ? null : NOW, next_at_ms: NOW + DAY_MS, requested_at_ms: null, checks: 1 },
    ...{ created_at_ms: FROM, updated_at_ms: FROM, version: 1 },
  };
}

/** The registered domain of a monitor. */
function registeredDomain(app: App, name: string, registration: Partial<Registration>): MonitoredDomainDocument {
  return {
    ...{ _id: `dmn_${name}`, workspace_id: app.workspace.id, name, suffix: 'com', is_of_others: false },
    ...{ monitor_ids: [], monitors: 1 },
    registration: { ...PENDING, registrar: name === 'example.com' ? 'A, "B"' : null, ...registration },
    ...{ next_at_ms: NOW + DAY_MS, checks: 1, created_at_ms: FROM },
  };
}

/** A WordPress site, the first of whose checks have these statuses. */
function site(
  app: App,
  name: string,
  statuses: readonly CheckStatus[],
  more: Partial<SiteDocument> = {},
): SiteDocument {
  const readings = statuses.map((status, place) => [
    CHECK_IDS[place],
    {
      inside: { status, evidence: 'measured', at_ms: NOW },
      ...{ outside: null, applied: false, obstacle: '', pasteable: true, changed_at_ms: null },
    },
  ]);
  return {
    ...{ _id: `site_${name}`, workspace_id: app.workspace.id, name, url: `https://${name.toLowerCase()}.example` },
    ...{ code: null, secret: 'sealed', connected_at_ms: FROM, disconnected_at_ms: null, seen_at_ms: NOW },
    ...{ proven_at_ms: NOW, about: null, readings: Object.fromEntries(readings), nudge_at_ms: null, nudges_failed: 0 },
    ...{ look_at_ms: null, created_at_ms: FROM, updated_at_ms: FROM, version: 1 },
    ...more,
  };
}

async function addSites(app: App): Promise<void> {
  const { db } = app.mongo;
  const vulnerability = (id: string, fixedIn: string | null) => ({
    ...{ plugin: 'The Forms', slug: 'forms', version: '1.2.3', active: true, id, title: 'XSS', fixed_in: fixedIn },
    ...{ cve: null, rating: null, url: null, source: 'wordfence' as const },
    notices: [{ text: 'Copyright 2012-2026 Defiant Inc.', license_url: null }],
  });
  const vulnerable = {
    generation: 'one',
    feed: { sources: ['wordfence' as const], as_of_ms: NOW },
    found: [
      vulnerability('a', '1.2.4'),
      vulnerability('b', '1.3'),
      { ...vulnerability('c', null), slug: 'old', plugin: 'Old' },
    ],
    total: 3,
  };
  const all = CHECK_IDS.map((id) => (id === 'vulnerable-plugins' ? 'failing' : 'passing'));
  await db
    .collection<SiteDocument>('wp_sites')
    .insertMany([
      site(app, 'Shop', all, { vulnerable }),
      site(app, 'Blog', ['failing', 'failing', 'unknown', 'passing'], { seen_at_ms: NOW - 2 * DAY_MS }),
      site(app, 'Gone', [], { secret: null, disconnected_at_ms: NOW - DAY_MS }),
      site(app, 'Waiting', [], { secret: null }),
    ]);
  const job = (id: string, endedMs: number, more: Partial<JobDocument> = {}): JobDocument => ({
    ...{ _id: `job_${id}`, workspace_id: app.workspace.id, site_id: 'site_Blog', check: 'hide-version', kind: 'fix' },
    ...{ status: 'verified', open: false, error: null, created_at_ms: FROM, delivered_at_ms: null },
    ...{ applied_at_ms: endedMs, ended_at_ms: endedMs, expires_at_ms: TO },
    ...more,
  });
  await db
    .collection<JobDocument>('wp_jobs')
    .insertMany([
      job('first', FROM),
      job('last', TO - 1),
      job('earlier', FROM - 1),
      job('later', TO),
      job('undone', TO - 1, { kind: 'undo' }),
      job('failed', TO - 1, { status: 'failed' }),
    ]);
  const ofSite = (fromMs: number) => {
    const { open: _, ...rest } = firingIncident(app.workspace.id, {
      kind: 'wordpress',
      ...{ monitor_id: null, monitor_name: null, resource: { type: 'site', id: 'site_Blog', name: 'Blog' } },
      ...{ severity: 'warning', started_at_ms: fromMs, resolved_at_ms: fromMs + HOUR_MS, status: 'resolved' },
    });
    return rest;
  };
  await app.addIncidents(ofSite(FROM + DAY_MS), ofSite(TO - DAY_MS), ofSite(FROM - DAY_MS));
}

async function addWorld(app: App): Promise<Shop> {
  const certificate = (days: number, grade: 'A' | 'C' | 'F' | 'T') => ({
    grade,
    not_after_ms: NOW + days * DAY_MS + HOUR_MS,
    fingerprint: 'f'.repeat(64),
    issuer: 'R11',
    subject: 'shop.example',
    checked_at_ms: NOW,
  });
  const shop = await app.addMonitor(
    { name: 'Shop, "new"', certificate: certificate(6, 'C') },
    { fromMs: FROM - DAYS * DAY_MS, up: hours(DAYS, 0.9995) },
    { fromMs: FROM, up: [...hours(DAYS - 1, 1), ...hours(1, 0.951)] },
  );
  const blog = await app.addMonitor(
    { name: 'Блог\nmagazín', certificate: certificate(-3, 'F') },
    { fromMs: FROM - DAYS * DAY_MS, up: hours(DAYS, 0.9) },
    { fromMs: FROM, up: [...hours(3, 1 - 1 / 3_600), ...hours(2, null), ...hours(5, 1)] },
  );
  await app.addMonitor({ name: 'Silent', paused_at_ms: NOW, certificate: certificate(400, 'A') });
  const young = await app.addMonitor(
    { name: 'Young', created_at_ms: FROM + 5 * DAY_MS + 1_234 },
    { fromMs: FROM + 6 * DAY_MS, up: hours(4, 1) },
  );
  const maintained = { monitor_id: young._id, start_ms: FROM + 6 * DAY_MS };
  const leftOut = { 'slots.3.o': 0, 'slots.3.u': 0, 'slots.3.m': HOUR_MS };
  const changed = await app.mongo.db.collection('result_hours').updateOne(maintained, { $set: leftOut });
  if (changed.modifiedCount !== 1) throw new Error('no hour was left out of uptime');
  for (let index = 0; index < 210; index++)
    await app.addMonitor({ name: `Monitor ${index}` }, { fromMs: FROM, up: [1, index % 7 === 0 ? 0.97 : 1] });
  const incident = (of: Shop, fromMs: number, toMs: number | null, severity: 'critical' | 'warning') => {
    const { open, ...rest } = firingIncident(app.workspace.id, {
      monitor_id: of._id,
      monitor_name: of.name,
      resource: { type: 'monitor', id: of._id, name: of.name },
      severity,
      started_at_ms: fromMs,
      resolved_at_ms: toMs,
      status: toMs === null ? 'firing' : 'resolved',
    });
    return toMs === null && open === true ? { ...rest, open } : rest;
  };
  await app.addIncidents(
    incident(shop, FROM + HOUR_MS, FROM + HOUR_MS + 10 * MINUTE_MS + 500, 'critical'),
    incident(shop, FROM + DAY_MS, FROM + DAY_MS + 30 * MINUTE_MS, 'warning'),
    incident(shop, TO - DAY_MS, TO + DAY_MS, 'warning'),
    incident(blog, TO - HOUR_MS, null, 'critical'),
    incident(blog, FROM - DAY_MS, FROM - DAY_MS + 95_000, 'critical'),
  );
  const of = { workspace_id: app.workspace.id };
  const listings = ['SpamCop', 'Spamhaus ZEN'].map((provider_name) =>
    listingOf({ provider_name, listed_since_ms: FROM, policy: false }),
  );
  const rows = [
    monitorOf({ ...of, target: 'mail.example.com', listings }),
    monitorOf({ ...of, target: 'www.example.com' }),
  ];
  await app.mongo.db.collection<(typeof rows)[number]>('blacklist_monitors').insertMany(rows);
  await app.mongo.db
    .collection<EmailDomainDocument>('email_domains')
    .insertMany([
      emailDomain(app, 'example.com', { score: 70, statuses: { mx: 'passing', spf: 'failing', dkim: 'warning' } }),
      emailDomain(app, 'example.org', { score: null, statuses: {} }),
    ]);
  await app.mongo.db
    .collection<MonitoredDomainDocument>('monitored_domains')
    .insertMany([
      registeredDomain(app, 'example.de', { status: 'unsupported' }),
      registeredDomain(app, 'example.com', { status: 'known', expires_at_ms: NOW + 5 * DAY_MS }),
      registeredDomain(app, 'example.net', { status: 'not_registered', expires_at_ms: NOW - 5 * DAY_MS }),
      registeredDomain(app, 'example.org', { status: 'unreachable', expires_at_ms: NOW + 500 * DAY_MS }),
      registeredDomain(app, 'example.info', { status: 'pending' }),
    ]);
  await addSites(app);
  const scans = app.mongo.db.collection<ScanDocument>('scans');
  const scan = (id: string, target: string, endedMs: number, more: Partial<ScanDocument> = {}) => ({
    ...{ _id: id, workspace_id: app.workspace.id, target, ended_at_ms: endedMs, ...more },
  });
  await scans.insertMany([
    completedScan(scan('scn_1', 'https://shop.example/', FROM + HOUR_MS, { score: 10 }), ['critical']),
    completedScan(scan('scn_2', 'https://shop.example/', TO - HOUR_MS, { score: 69 }), [
      'high',
      'medium',
      'low',
      'unknown',
    ]),
    completedScan(scan('scn_3', 'https://blog.example/', TO - DAY_MS, { score: 100 }), ['passed', 'info']),
    completedScan(scan('scn_4', 'https://late.example/', TO + HOUR_MS, { score: 1 }), ['critical']),
  ]);
  return shop;
}

const app = await startReportsApp();
t.teardown(() => app.stop());

t.test('docs/recompute-report.py recomputes what a report says from its CSV, with figures and charts', async (t) => {
  const shop = await addWorld(app);
  const report = await app.made({ period, time_zone: 'America/Lima' });
  const { status, headers, bytes } = await app.download(report.id, {}, 'data.csv');
  t.equal(status, 200);
  t.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  t.match(headers.get('content-disposition'), /filename="Example Ltd - January\.csv"/);
  const ran = recompute(bytes, '--json');
  t.match(ran, { status: 0, stderr: '' });
  const computed = JSON.parse(ran.stdout) as Record<string, SectionFigures>;
  const said = figuresBySection(await app.content(report.id));
  t.same(Object.keys(computed), Object.keys(said));
  for (const [name, figures] of Object.entries(said)) t.same({ ...EMPTY, ...computed[name] }, figures, name);
  t.same(computed['SSL & Domain Monitoring']?.rows?.slice(-5), [
    ['example.net', '–', '26 Jan 2031', 'expired'],
    ['example.com', 'A, "B"', '5 Feb 2031', '5'],
    ['example.org', '–', '14 Jun 2032', '500'],
    ['example.de', '–', 'not published', '–'],
    ['example.info', '–', 'not checked yet', '–'],
  ]);
  t.match(computed['Executive Summary']?.list, [
    /certificate/,
    /certificate/,
    /Renew the domain example\.net: its registration/,
    'Renew the domain example.com: 5 days left.',
    /delisting/,
    /Look into/,
    /Look into/,
    'Improve the e-mail settings of example.com: SPF, DKIM.',
    'Reconnect the WordPress site Gone: it was disconnected.',
    'Reconnect the WordPress site Blog: no contact for 24 hours.',
    'Harden the WordPress site Blog: 2 checks failing.',
    'Harden the WordPress site Shop: 1 check failing.',
    'Look into https://shop.example/: 1 critical or high finding in its last scan.',
  ]);
  t.same(computed['WordPress Sites'], {
    texts: ['3 of 30 checks of 3 WordPress sites failing. 17 without data.'],
    cards: {
      Score: ['33', 'of 100'],
      Failing: ['3', 'checks'],
      'No data': ['17', 'checks'],
      Fixes: ['2', 'verified in the period'],
      Incidents: ['2', 'began in the period'],
    },
    rows: [
      ['Gone (disconnected)', '0', '0', '0', '10', '0', '–'],
      ['Blog (no contact for 24 hours)', '10', '1', '2', '7', '2', 'XML-RPC disabled, Debug mode off'],
      ['Shop', '90', '9', '1', '0', '0', 'No vulnerable plugins'],
      ['The Forms', 'Shop', '1.2.3', '2', '1.3'],
      ['Old', 'Shop', '1.2.3', '1', 'no version known'],
    ],
    notes: ['Copyright 2012-2026 Defiant Inc.'],
  });
  const text = textOf((await app.download(report.id)).bytes).replaceAll(/\s+/g, '');
  const missing = Object.values(computed)
    .flatMap(({ texts = [], list = [], cards = {}, rows = [], notes = [] }) => [
      ...[...texts, ...list, ...notes].map((sentence) => [sentence]),
      ...Object.values(cards),
      ...rows.map((row) => row.slice(1)),
    ])
    .flat()
    .filter((figure) => !text.includes(figure.replaceAll(/\s+/g, '')));
  // Sentences of the PDF are broken by the page they stand beside, so only whole words of cards and tables must be found.
  t.same(
    missing.filter((figure) => figure.length < 20),
    [],
    'every figure is in the text of the PDF',
  );
  const metrics = await app.request<{ series: { uptime: { v: number }[] } }>(
    'GET',
    `/v1/monitors/${shop._id}/metrics?from=${new Date(TO - HOUR_MS).toISOString()}&to=${period.to}&resolution=1h`,
  );
  t.equal(metrics.body.data.series.uptime[0]?.v, 95.1);
  const hour = await app.made({ period: { from: new Date(TO - HOUR_MS).toISOString(), to: period.to } });
  const ofHour = recompute((await app.download(hour.id, {}, 'data.csv')).bytes, '--json').stdout;
  const rows = (JSON.parse(ofHour) as Record<string, SectionFigures>)['Executive Summary']?.rows ?? [];
  t.equal(rows.find(([name]) => name === shop.name)?.[1], '95.10 %', 'as the API of metrics says');
});

t.test('the script fails on a file whose percentage does not fit its sums', async (t) => {
  const { id } = await app.made({ period });
  const csv = (await app.download(id, {}, 'data.csv')).bytes.toString();
  const changed = csv.replace('"99.51"', '"99.52"');
  t.not(changed, csv);
  t.match(recompute(Buffer.from(changed)), { status: 1, stderr: /uptime_percent is 99\.52, computed 99\.51/ });
  const better = csv.replace(/^("wordpress_site".*"connected",)"90"/m, '$1"91"');
  t.not(better, csv);
  t.match(recompute(Buffer.from(better)), { status: 1, stderr: /wordpress_site Shop: score is 91, computed 90/ });
  t.match(recompute(Buffer.from(csv)), { status: 0, stdout: /Uptime: \d+\.\d\d %/ });
});

t.test('the data of a report never changes, has only what its sections say, and is deleted with it', async (t) => {
  const sections = Object.fromEntries(['executive_summary', 'alerts', 'reputation'].map((name) => [name, false]));
  const { id } = await app.made({ period, sections });
  const before = await app.download(id, {}, 'data.csv');
  t.match(before.bytes.toString(), /^"certificate"/m);
  t.notMatch(before.bytes.toString(), /^"(?:monitor|day|incidents|blacklist)"/m);
  const shown = { executive_summary: true, wordpress: false, security_scans: false };
  const few = await app.made({ period, sections: shown });
  const said = figuresBySection(await app.content(few.id))['Executive Summary']?.list?.join(' ') ?? '';
  t.match(said, /Improve the e-mail settings/);
  t.notMatch(said, /WordPress|scan/, 'of sections that the report leaves out, it asks for nothing');
  await app.addMonitor({ name: 'Later' });
  t.ok((await app.download(id, {}, 'data.csv')).bytes.equals(before.bytes));
  t.equal((await app.request('DELETE', `${PATH}/${id}`)).status, 204);
  t.equal((await app.download(id, {}, 'data.csv')).status, 404);
  t.equal(await app.parts(id), 0);
});

t.test('there is no data before a report is completed', async (t) => {
  const { body } = await app.create();
  t.match(await app.request('GET', `${PATH}/${body.data.id}/data.csv`), { status: 409, body: { code: 'conflict' } });
});
