import { createHash } from 'node:crypto';
import t from 'tap';
import { DAY_MS, NOW, PATH, startReportsApp } from '../../helpers/client-reports/app.js';
import { firingIncident } from '../../helpers/incidents/stored.js';

const FROM = Date.UTC(2031, 0, 20);
const app = await startReportsApp();
t.teardown(() => app.stop());
const hostile = '<img src=x onerror=alert(1)> "&amp;\u202e';
const shop = await app.addMonitor({ name: hostile }, { fromMs: FROM, up: Array.from({ length: 240 }, () => 0.995) });
await app.addIncidents(
  firingIncident(app.workspace.id, {
    monitor_id: shop._id,
    monitor_name: shop.name,
    resource: { type: 'monitor', id: shop._id, name: shop.name },
    started_at_ms: FROM + DAY_MS,
  }),
);
const visit = async (path: string) => {
  const answer = await fetch(`${app.url}${PATH}${path}`, { headers: { authorization: `Bearer ${app.key}` } });
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
};
/** Returns the texts of a page between its tags. */
const textOf = (html: string) =>
  html
    .replaceAll(/<style>[\s\S]*?<\/style>|<svg[\s\S]*?<\/svg>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');

t.test('the page of a report says everything that its PDF says', async (t) => {
  const { id } = await app.made({ title: hostile, branding: { color: '#ffcc00' } });
  const { status, headers, html } = await visit(`/${id}/preview`);
  t.equal(status, 200);
  t.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  const text = textOf(html);
  const flat = (said: string) => said.replace('\u202e', '').replaceAll(/\s+/g, ' ');
  for (const { title, blocks } of (await app.content(id)).sections) {
    t.match(text, title);
    for (const block of blocks) {
      const said =
        block.type === 'text' || block.type === 'note'
          ? [block.text]
          : block.type === 'list'
            ? block.items
            : block.type === 'cards'
              ? block.cards.flatMap(({ label, value, note }) => [label, value, note])
              : block.type === 'table'
                ? block.rows.flat().map((cell) => cell.text)
                : block.days.map(({ label }) => label);
      for (const one of said) t.ok(text.includes(flat(one)), one);
    }
  }
  t.notMatch(html, /<img|<script|onerror=alert\(1\)>(?!&| )/, 'names are no markup');
  const audited = app.mongo.db.collection('audit_log').find({ action: 'report.downloaded', 'resource.id': id });
  t.match(await audited.toArray(), [{ metadata: { form: 'html' } }]);
});

t.test('the page may load nothing but its own style', async (t) => {
  const { html, headers } = await visit('/preview?title=January&client_name=Example');
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = headers.get('content-security-policy') ?? '';
  t.ok(policy.includes(`style-src 'sha256-${hash}'`));
  t.match(policy, /^default-src 'none';.*frame-ancestors 'none'$/);
  t.notMatch(policy, /unsafe|script-src/);
  t.notMatch(html, / style="| on\w+="/);
  t.equal(headers.get('cache-control'), 'no-store');
});

t.test('a preview is the page of the report that the same fields create, and stores nothing', async (t) => {
  const query = new URLSearchParams({
    title: 'January',
    client_name: 'Example Ltd',
    time_zone: 'Europe/Berlin',
    color: '#aa0000',
    from: new Date(FROM).toISOString(),
    to: new Date(NOW).toISOString(),
    sections: 'executive_summary,alerts',
  });
  const before = await app.mongo.db.collection('client_reports').countDocuments();
  const { status, html } = await visit(`/preview?${query}`);
  t.equal(status, 200);
  t.match(html, 'This is a preview');
  const [entry] = await app.mongo.db
    .collection('audit_log')
    .find({ action: 'report.previewed' })
    .sort({ _id: -1 })
    .toArray();
  t.match(entry, { resource: { type: 'workspace' }, metadata: { title: 'January', client_name: 'Example Ltd' } });
  t.equal(await app.mongo.db.collection('client_reports').countDocuments(), before);
  const names = [
    'email_deliverability',
    'ssl_domain',
    'backup_verification',
    'reputation',
    'wordpress',
    'security_scans',
  ];
  const { id } = await app.made({
    time_zone: 'Europe/Berlin',
    branding: { color: '#aa0000' },
    period: { from: new Date(FROM).toISOString(), to: new Date(NOW).toISOString() },
    sections: Object.fromEntries(names.map((name) => [name, false])),
  });
  const made = (await visit(`/${id}/preview`)).html;
  const withoutCode = (page: string) =>
    page.replace(/<p class="draft"[^\n]*/, '').replace(/<h3>Verification[^\n]*/, '');
  t.equal(withoutCode(html), withoutCode(made));
  t.match(made, 'To confirm it, open');
});

t.test('wrong fields, and reports without a page', async (t) => {
  const of = 'title=January&client_name=Example';
  const cases: [string, string][] = [
    ['title=January', '/query/client_name'],
    [`${of}&sections=weather`, '/query/sections'],
    [`${of}&from=2031-01-01T00:00:00Z`, '/query/to'],
    [`${of}&from=2031-01-09T00:00:00Z&to=2031-01-01T00:00:00Z`, '/query/from'],
    [`${of}&time_zone=Europe/Atlantis`, '/query/time_zone'],
    [`${of}&tags=${Array.from({ length: 21 }, (_, index) => index).join(',')}`, '/query/tags'],
  ];
  for (const [query, path] of cases)
    t.match(await app.request('GET', `${PATH}/preview?${query}`), { status: 422, body: { errors: [{ path }] } }, query);
  const waiting = (await app.create()).body.data.id;
  t.match(await app.request('GET', `${PATH}/${waiting}/preview`), { status: 409, body: { code: 'conflict' } });
  t.equal((await visit(`/rpt_${'0'.repeat(26)}/preview`)).status, 404);
});
