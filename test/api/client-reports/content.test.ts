import t, { type Test } from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { ScanDocument } from '../../../control-plane/scans/documents.js';
import { listingOf, monitorOf } from '../../helpers/blacklist/documents.js';
import { DAY_MS, HOUR_MS, NOW, startReportsApp } from '../../helpers/client-reports/app.js';
import { faultsOf, infoOf, pagesOf, textOf } from '../../helpers/client-reports/pdf.js';
import { firingIncident } from '../../helpers/incidents/stored.js';
import { completedScan } from '../../helpers/scans/completed.js';

const FROM = Date.UTC(2031, 0, 10);
const TO = Date.UTC(2031, 0, 20);
const DAYS = 10;
const period = { from: new Date(FROM).toISOString(), to: new Date(TO).toISOString() };
const hours = (days: number, up: number | null) => Array.from({ length: days * 24 }, () => up);

const start = async (t: Test) => {
  const app = await startReportsApp();
  t.teardown(() => app.stop());
  return app;
};
type App = Awaited<ReturnType<typeof start>>;
const textFrom = async (app: App, body: Record<string, unknown> = {}) => {
  const report = await app.made({ period, ...body });
  return textOf((await app.download(report.id)).bytes);
};
/** Returns an incident of a monitor that lasted from one time to another; null: it is not over. */
function incidentOf(
  app: App,
  { _id: id, name }: { _id: string; name: string },
  fromMs: number,
  toMs: number | null,
  severity: 'critical' | 'warning' = 'critical',
): IncidentDocument {
  const { open, ...incident } = firingIncident(app.workspace.id, {
    ...{ monitor_id: id, monitor_name: name, resource: { type: 'monitor', id, name } },
    ...{ severity, started_at_ms: fromMs, resolved_at_ms: toMs, status: toMs === null ? 'firing' : 'resolved' },
  });
  return toMs === null && open === true ? { ...incident, open } : incident;
}

t.test('uptime, downtime and response time are those of the API, beside the period before', async (t) => {
  const app = await start(t);
  const monitor = await app.addMonitor(
    { name: 'Shop' },
    { fromMs: FROM - DAYS * DAY_MS, up: hours(DAYS, 0.9995) },
    // 72 min of downtime.
    { fromMs: FROM, up: [...hours(DAYS - 1, 1), ...hours(1, 0.95)] },
  );
  const text = await textFrom(app);
  t.match(text, /Nothing to do\./);
  t.match(text, /99\.50 %/);
  t.match(text, /99\.95 % in the period before/);
  t.match(text, /1 h 12 min/, 'downtime');
  t.match(text, /Shop 99\.50 % 100 % 1 h 12 min 0 80 ms/);
  t.match(text, /Shop worsened most: 1 h 12 min of downtime, after 7 min 12 s of downtime in the period before/);
  const hour = new Date(TO - HOUR_MS).toISOString();
  const metrics = await app.request<{ series: { uptime: { v: number }[] } }>(
    'GET',
    `/v1/monitors/${monitor._id}/metrics?from=${hour}&to=${period.to}&resolution=1h`,
  );
  const v = metrics.body.data.series.uptime[0]?.v;
  t.equal(v, 95);
  t.match(await textFrom(app, { period: { from: hour, to: period.to } }), new RegExp(`Shop ${v}\\.00 %`));
});

t.test('planned maintenance that does not count is left out, and the report says how much', async (t) => {
  const app = await start(t);
  const monitor = await app.addMonitor({ name: 'Shop' }, { fromMs: FROM, up: [...hours(DAYS - 1, 1), ...hours(1, 0)] });
  t.match(await textFrom(app), /90\.00 %/);
  const days = app.mongo.db.collection('result_hours');
  const lastDay = { monitor_id: monitor._id, start_ms: TO - DAY_MS };
  const slots = Object.entries((await days.findOne(lastDay))?.['slots'] ?? {}) as [string, object][];
  const leftOut = slots.map(([index, slot]) => [index, { ...slot, o: 0, u: 0, m: HOUR_MS }]);
  await days.updateOne(lastDay, { $set: { slots: Object.fromEntries(leftOut) } });
  const text = await textFrom(app);
  t.match(text, /The monitor worked without any downtime\./);
  t.match(text, /Uptime and downtime leave out 1 d of planned maintenance, summed over the monitors/);
  t.match(text, /100 % 100 % 0 s/, 'it was observed');
  t.match(text, /1 d of planned maintenance left out\)/);
  t.match(text, /Planned maintenance counts as any other time, unless/);
});

t.test('100 % means no downtime, and no data is never 0 or 100 %', async (t) => {
  const app = await start(t);
  const second = 1 - 1 / 3_600;
  await app.addMonitor(
    { name: 'Nearly' },
    { fromMs: FROM, up: [...hours(DAYS - 1, 1), second, ...hours(1, 1).slice(1)] },
  );
  await app.addMonitor({ name: 'Always' }, { fromMs: FROM, up: hours(DAYS, 1) });
  await app.addMonitor({ name: 'Silent' });
  await app.addMonitor(
    { name: 'Young', created_at_ms: FROM + 5 * DAY_MS },
    { fromMs: FROM + 5 * DAY_MS, up: hours(5, 1) },
  );
  await app.addMonitor({ name: 'Half' }, { fromMs: FROM, up: [...hours(5, 1), ...hours(5, null)] });
  const text = await textFrom(app);
  t.match(text, /Nearly 99\.99 % 100 % 1 s 0 80 ms/);
  t.match(text, /Always 100 % 100 % 0 s 0 80 ms/);
  t.match(text, /Silent no data 0\.00 % no data 0 no data/);
  t.match(text, /Young \(measured since 15 Jan 2031\) 100 % 100 %/);
  t.match(text, /Half 100 % 50\.00 % 0 s/);
  t.match(text, /no data of the period before/);
});

t.test('incidents by severity and by monitor, with the mean time to recover', async (t) => {
  const app = await start(t);
  const shop = await app.addMonitor({ name: 'Shop' }, { fromMs: FROM, up: hours(DAYS, 1) });
  const blog = await app.addMonitor({ name: 'Blog' }, { fromMs: FROM, up: hours(DAYS, 1) });
  const minute = 60_000;
  await app.addIncidents(
    incidentOf(app, shop, FROM + HOUR_MS, FROM + HOUR_MS + 10 * minute),
    incidentOf(app, shop, FROM + DAY_MS, FROM + DAY_MS + 30 * minute, 'warning'),
    incidentOf(app, blog, TO - HOUR_MS, null),
    // Before and after the period.
    incidentOf(app, blog, FROM - DAY_MS, FROM - DAY_MS + minute),
    incidentOf(app, shop, TO, TO + minute),
  );
  const text = await textFrom(app);
  t.match(text, /3 incidents began in this period, 1 in the period before/);
  t.match(text, /20 min\s/, 'mean of 10 and 30 minutes');
  t.match(text, /2 of 3 resolved/);
  t.match(text, /Shop 2 1 40 min 30 min –/);
  t.match(text, /Blog 1 1 1 h 1 h 1/, 'one that is not over is cut at the end of the period');
  t.match(text, /The longest of 3 outages, of Blog, began on 19 Jan 2031, 23:00 and was not over/);
  t.match(text, /Look into Blog: 1 incident not resolved/);
});

t.test('certificates and blacklists, with what has to be done', async (t) => {
  const app = await start(t);
  const certificate = (days: number, grade: 'A' | 'C' | 'F') => ({
    ...{ grade, not_after_ms: NOW + days * DAY_MS + HOUR_MS, fingerprint: 'f'.repeat(64), issuer: 'R11' },
    ...{ subject: 'shop.example', checked_at_ms: NOW },
  });
  await app.addMonitor({ name: 'Good', certificate: certificate(80, 'A') });
  await app.addMonitor({ name: 'Soon', certificate: certificate(6, 'C') });
  await app.addMonitor({ name: 'Over', certificate: certificate(-3, 'F') });
  await app.addMonitor({ name: 'Unseen' });
  const of = { workspace_id: app.workspace.id };
  const listed = monitorOf({
    ...of,
    target: 'mail.example.com',
    listings: [listingOf({ provider_name: 'SpamCop', listed_since_ms: FROM, policy: false })],
  });
  await app.mongo.db
    .collection<typeof listed>('blacklist_monitors')
    .insertMany([listed, monitorOf({ ...of, target: 'www.example.com' })]);
  const text = await textFrom(app);
  t.match(text, /3 things to do:/);
  t.match(text, /Renew the certificate of Soon: 6 days left\./);
  t.match(text, /Renew the certificate of Over: it has expired\./);
  t.match(text, /Ask for the delisting of mail\.example\.com from SpamCop\./);
  t.match(text, /Good R11 A 21 Apr 2031 80/);
  t.match(text, /1 https monitor without a certificate yet/);
  t.match(text, /mail\.example\.com listed no data SpamCop since 10 Jan 2031/);
  t.match(text, /www\.example\.com no data/);
});

t.test('only the chosen sections are in the report, and those without data say so', async (t) => {
  const app = await start(t);
  const all = await textFrom(app);
  t.match(all, /There is no data on WordPress yet/);
  t.match(all, /No security scan was completed in this period/);
  t.match(all, /No monitor was set up/);
  t.match(all, /There is no certificate data yet/);
  t.match(all, /There is no blacklist data yet/);
  t.match(all, /There is no backup data yet/);
  t.match(all, /There is no data on e-mail yet/);
  t.match(all, /No incident began in this period/);
  const names = ['executive_summary', 'email_deliverability', 'ssl_domain', 'backup_verification'];
  const off = Object.fromEntries([...names, 'wordpress', 'security_scans', 'reputation'].map((name) => [name, false]));
  const few = await textFrom(app, { sections: off });
  t.match(few, /Alerts Summary/);
  t.notMatch(few, /Executive Summary|Backup|WordPress Sites|Reputation/);
});

t.test('hundreds of rows: heads on each page, numbered pages, bookmarks, and names of any kind', async (t) => {
  const app = await start(t);
  for (let index = 0; index < 120; index++) await app.addMonitor({ name: `Monitor ${index}` });
  await app.addMonitor({ name: 'w'.repeat(200) }, { fromMs: FROM, up: hours(1, 0) });
  await app.addMonitor({ name: '中文商店 🚀 Łódź Ελλάδα Москва' }, { fromMs: FROM, up: hours(2, 0) });
  await app.addMonitor({ name: '<b>&amp; {{x}} متجر الرياض' }, { fromMs: FROM, up: hours(3, 0) });
  const report = await app.made({ period, title: 'Jänner & Co', time_zone: 'Europe/Vienna' });
  const { bytes } = await app.download(report.id);
  const pages = pagesOf(bytes);
  t.equal(pages.length, report.pages);
  for (const [index, page] of pages.slice(1).entries()) t.match(page, new RegExp(`${index + 2} of ${pages.length}`));
  const withRows = pages.filter((page) => /Monitor \d+ no data/.test(page));
  t.ok(withRows.length > 2);
  for (const page of withRows) t.match(page, /Monitor Uptime Observed Downtime Outages Response/);
  const text = pages.join('\n');
  t.match(text, /\uFFFD Łódź Ελλάδα Москва/, 'one sign for what the font lacks');
  t.match(text, /\uFFFD stands for characters that the font of this report does not have/);
  t.match(text, /<b>&amp; \{\{x\}\}/);
  t.match(text.replaceAll(/[^w]/g, ''), /w{200}/, 'a word without spaces is broken and not cut');
  t.match(text, /10 Jan 2031, 01:00 – 20 Jan 2031, 01:00 \(Europe\/Vienna\)/);
  const info = infoOf(bytes);
  t.equal(faultsOf(bytes), '');
  t.equal(info['Title'], 'Jänner & Co');
  const raw = bytes.toString('latin1');
  t.match(raw, /\/Lang \(en\)/);
  t.match(raw, /\/Outlines/);
});

t.test(
  'a workspace with more monitors than a report covers gets the reason, and the report does not count',
  async (t) => {
    const app = await start(t);
    const one = await app.addMonitor({ name: 'Shop' });
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      ...one,
      _id: `${one._id.slice(0, -4)}${1_000 + index}`,
    }));
    await app.mongo.db.collection<typeof one>('monitors').insertMany(many);
    const report = await app.made();
    t.match(report, { status: 'failed', error: /covers at most 1,000 monitors/, pages: null, size_bytes: null });
    const month = await app.mongo.db.collection('client_report_months').findOne({ workspace_id: app.workspace.id });
    t.equal(month?.['reports'], 0);
  },
);

t.test('the section on e-mail has the scores of the e-mail domains, the lowest first', async (t) => {
  const app = await start(t);
  const domain = (name: string, score: number, standing: 'failing' | 'passing') => ({
    _id: `eml_${name}`,
    workspace_id: app.workspace.id,
    name,
    dkim_selectors: [],
    next_at_ms: 0,
    requested_at_ms: null,
    areas: [
      {
        area: 'spf' as const,
        standing,
        failed_checks: 0,
        verdict: { status: standing, findings: [], evidence: [], proposal: null, applies: true },
      },
    ],
    score,
    checked_at_ms: TO - 3_600_000,
    trouble: null,
    checks: 1,
    created_at_ms: 0,
    updated_at_ms: 0,
    version: 1,
  });
  const domains = app.mongo.db.collection<ReturnType<typeof domain>>('email_domains');
  await domains.insertMany([domain('good.example.com', 95, 'passing'), domain('bad.example.com', 61, 'failing')]);
  await domains.insertOne({ ...domain('foreign.example.com', 1, 'failing'), workspace_id: 'ws_foreign' });
  const text = await textFrom(app);
  t.match(text, /1 of 2 e-mail domains failing in at least one area\./);
  t.match(text, /bad\.example\.com failing 61 SPF .*good\.example\.com passing 95/s);
  t.notMatch(text, /foreign\.example/);
});

t.test('the section on security scans has the last completed scan of each website in the period', async (t) => {
  const app = await start(t);
  const scans = app.mongo.db.collection<ScanDocument>('scans');
  const scan = (id: string, target: string, endedMs: number, more: Partial<ScanDocument>) =>
    completedScan({ _id: id, workspace_id: app.workspace.id, target, ended_at_ms: endedMs, ...more }, ['high', 'low']);
  await scans.insertMany([
    scan('scn_1', 'https://shop.example/', FROM + 1, { score: 11 }),
    scan('scn_2', 'https://shop.example/', TO - 1, { score: 77 }),
    scan('scn_3', 'https://shop.example/', TO - 1, { status: 'failed', score: null }),
    scan('scn_4', 'https://late.example/', TO + 1, { score: 22 }),
    scan('scn_5', 'https://foreign.example/', TO - 1, { score: 33, workspace_id: 'ws_foreign' }),
  ]);
  const text = await textFrom(app);
  t.match(text, /1 of 1 website with a critical or high finding in its last scan\./);
  t.match(text, /https:\/\/shop\.example\/ 77 0, 1 0, 1 Change the high thing\./);
  t.notMatch(text, /late\.example|foreign\.example/);
});
