import t from 'tap';
import type { StatusPage } from '../../../control-plane/status-pages/schema.js';
import type { PageIncidentDocument } from '../../../control-plane/status-pages/updates/documents.js';
import type { PageIncident } from '../../../control-plane/status-pages/updates/schema.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { buildIncident } from '../../helpers/notifications/build.js';
import { DAY_MS, freshResults, MINUTE_MS, PATH, startStatusPages } from '../../helpers/status-pages/app.js';
import { parsedXml as parsed } from '../../helpers/status-pages/xml.js';

const pages = await startStatusPages();
const { app, created, shown, clock } = pages;
t.teardown(pages.stop);

const incidentsOf = (page: StatusPage) => `${PATH}/${page.id}/incidents`;
const componentOf = (page: StatusPage) => page.groups[0]?.components[0]?.id ?? '';
const post = async (path: string, body: object) => {
  const answer = await app.request<PageIncident>('POST', path, { body });
  if (answer.status > 201) throw new Error(answer.text);
  return answer.body.data;
};
async function pageWithMonitor(slug: string) {
  const monitor = await pages.addMonitor();
  const groups = [{ components: [{ name: 'Payments', monitor_id: monitor._id }] }];
  return { monitor, page: await created({ slug, title: 'Example Ltd', groups }) };
}

t.test('people write an incident, post updates, edit one and resolve it; the page shows it within 5 s', async (t) => {
  const { page, monitor } = await pageWithMonitor('people');
  const path = incidentsOf(page);
  const answer = await app.request<PageIncident>('POST', path, {
    body: { title: 'Payments fail', text: 'We look.', impact: 'degraded', component_ids: [componentOf(page)] },
  });
  const incident = answer.body.data;
  t.equal(answer.status, 201, answer.text);
  t.equal(answer.headers.get('location'), `${path}/${incident.id}`);
  t.match(incident, { id: /^spi_/, state: 'investigating', resolved_at: null, updates: [{ id: /^upd_/ }] });
  t.match(await shown('people'), {
    status: { state: 'degraded' },
    groups: [{ components: [{ state: 'degraded' }] }],
    incidents: [
      { title: 'Payments fail', state: 'investigating', components: ['Payments'], updates: [{ text: 'We look.' }] },
    ],
  });
  await clock.advance(MINUTE_MS);
  const second = await post(`${path}/${incident.id}/updates`, { state: 'identified', text: 'A provider is dwon.' });
  const [update] = second.updates;
  t.match(second, { state: 'identified', updates: [{ state: 'identified' }, { state: 'investigating' }] });
  await clock.advance(MINUTE_MS);
  const edit = `${path}/${incident.id}/updates/${update?.id}/text`;
  const edited = await app.request<PageIncident>('PUT', edit, { body: { text: 'A provider is down.' } });
  t.match(edited.body.data.updates[0], {
    text: 'A provider is down.',
    at: update?.at,
    edited_at: new Date(clock.now()).toISOString(),
    earlier: [{ text: 'A provider is dwon.' }],
  });
  const html = (await shown('people')) && (await pages.html('people'));
  t.match(html, /A provider is down\./);
  t.match(html, /\(edited\)/);
  t.notMatch(html + JSON.stringify(await shown('people')), /dwon|@example/, 'earlier texts and authors are not public');

  const renamed = await app.request<PageIncident>('PATCH', `${path}/${incident.id}`, { body: { title: 'Cards fail' } });
  t.match(renamed.body.data, { title: 'Cards fail', impact: 'degraded' });
  t.equal(renamed.headers.get('etag'), '"4"');
  const stale = { body: { title: 'x' }, headers: { 'if-match': '"1"' } };
  t.equal((await app.request('PATCH', `${path}/${incident.id}`, stale)).status, 412);
  await pages.changeMonitor(monitor, { live: freshResults(['fra'], clock.now()) });
  const resolved = await post(`${path}/${incident.id}/updates`, { state: 'resolved', text: 'It works.' });
  t.match(resolved, { state: 'resolved', resolved_at: new Date(clock.now()).toISOString() });
  t.match(await shown('people'), {
    status: { state: 'operational' },
    incidents: [{ title: 'Cards fail', state: 'resolved', updates: [{ text: 'It works.' }, {}, {}] }],
  });
  const again = await post(`${path}/${incident.id}/updates`, { state: 'monitoring', text: 'It fails again.' });
  t.match(again, { state: 'monitoring', resolved_at: null });
  t.match(await shown('people'), { status: { state: 'degraded' } });
  const list = await app.request<PageIncident[]>('GET', path);
  t.same(list.body.data, [again]);
  t.same((await app.request('GET', `${path}/${incident.id}`)).body.data, again);
  t.equal((await app.request('DELETE', `${path}/${incident.id}`)).status, 204);
  t.same((await shown('people')).incidents, []);
  const verbs = ['created', 'incident_created', 'update_posted', 'incident_updated', 'incident_updated'];
  t.same(
    await pages.actions(),
    [...verbs, 'update_posted', 'update_posted', 'incident_deleted'].map((verb) => `status_page.${verb}`),
  );
});

t.test('an outage about which people write is not shown as well; one before is', async (t) => {
  const { monitor, page } = await pageWithMonitor('both');
  const outage = (startedMs: number, over: object) =>
    buildIncident(app.workspace.id, { subject: `monitor:${monitor._id}`, started_at_ms: startedMs, ...over });
  const { open: _, ...past } = outage(clock.now() - DAY_MS, {
    status: 'resolved',
    resolved_at_ms: clock.now() - DAY_MS + 10 * MINUTE_MS,
  });
  await pages.addIncident(past);
  await pages.addIncident(outage(clock.now() - 10 * MINUTE_MS, {}));
  t.equal((await shown('both')).incidents.length, 2);
  const body = { title: 'We know', text: 'x', component_ids: [componentOf(page)] };
  await post(incidentsOf(page), body);
  t.same(
    (await shown('both')).incidents.map(({ title }) => title),
    ['We know', 'Payments was down'],
  );
});

t.test('an incident that lasts stays on the page, however many later ones are over', async (t) => {
  const { page } = await pageWithMonitor('lasts');
  const body = { title: 'Lasts', text: 'x', impact: 'outage', component_ids: [componentOf(page)] };
  const { id } = await post(incidentsOf(page), body);
  const incidents = pages.mongo.db.collection<PageIncidentDocument>('status_page_incidents');
  const stored = await incidents.findOne({ _id: id });
  if (stored === null) throw new Error('the incident is not stored');
  const later = Array.from({ length: 60 }, (_unused, index) => ({
    ...stored,
    _id: `spi_z${String(index).padStart(25, '0')}`,
    title: 'Over',
    impact: 'none' as const,
    resolved_at_ms: clock.now(),
  }));
  await incidents.insertMany(later);
  const seen = await shown('lasts');
  t.equal(seen.status.state, 'major_outage');
  t.equal(seen.incidents[0]?.title, 'Lasts');
  await pages.app.request('DELETE', `${PATH}/${page.id}`);
});

t.test('the texts of people have a bound, on a page and in the database', async (t) => {
  const { page } = await pageWithMonitor('texts');
  const text = 'x'.repeat(4_000);
  const { id } = await post(incidentsOf(page), { title: 'Long', text });
  const incidents = pages.mongo.db.collection<PageIncidentDocument>('status_page_incidents');
  const stored = await incidents.findOne({ _id: id });
  if (stored === null) throw new Error('the incident is not stored');
  const [update] = stored.updates;
  if (update === undefined) throw new Error('the incident has no update');
  const earlier = Array.from({ length: 20 }, () => ({ text, until_ms: 1, author: 'a@example.com' }));
  const updates = (length: number) => Array.from({ length }, () => ({ ...update, earlier }));
  await incidents.updateOne({ _id: id }, { $set: { updates: updates(11) } });
  const path = `${incidentsOf(page)}/${id}/updates`;
  t.equal((await app.request('POST', path, { body: { state: 'identified', text } })).status, 200);
  await incidents.updateOne({ _id: id }, { $set: { updates: updates(12) } });
  const refused = await app.request('POST', path, { body: { state: 'identified', text } });
  t.match(refused, { status: 409, body: { detail: /at most 1000000 characters/ } });
  const copies = Array.from({ length: 40 }, (_unused, index) => ({
    ...stored,
    _id: `spi_y${String(index).padStart(25, '0')}`,
    updates: updates(5),
  }));
  await incidents.insertMany(copies);
  await shown('texts');
  const json = await (await pages.page('texts.json')).text();
  t.ok(json.length < 300_000, `${json.length} characters`);
  t.equal((JSON.parse(json) as { incidents: object[] }).incidents.length, 41, 'each is there');
});

t.test('another workspace, an unknown component and too long texts are refused', async (t) => {
  const { page } = await pageWithMonitor('refused');
  const incident = await post(incidentsOf(page), { title: 'x', text: 'x' });
  const { key } = await buildKey(pages.mongo, await buildWorkspace(pages.mongo, {}));
  const path = `${incidentsOf(page)}/${incident.id}`;
  const update = { state: 'resolved', text: 'x' };
  for (const [method, where, body] of [
    ['GET', incidentsOf(page)],
    ['POST', incidentsOf(page), { title: 'mine', text: 'x' }],
    ['GET', path],
    ['PATCH', path, { title: 'mine' }],
    ['DELETE', path],
    ['POST', `${path}/updates`, update],
    ['PUT', `${path}/updates/${incident.updates[0]?.id}/text`, { text: 'mine' }],
  ] as const) {
    t.equal((await app.request(method, where, { key, body })).status, 404, `${method} ${where}`);
  }
  const other = (await pageWithMonitor('refused-other')).page;
  t.equal((await app.request('GET', `${incidentsOf(other)}/${incident.id}`)).status, 404, 'of another page');
  for (const [body, field] of [
    [{ title: 'x', text: '' }, '/text'],
    [{ title: 'x', text: 'a'.repeat(4_001) }, '/text'],
    [{ title: 'x', text: 'a\u0000b' }, '/text'],
    [{ title: 'a'.repeat(151), text: 'x' }, '/title'],
    [{ title: 'x', text: 'x', impact: 'operational' }, '/impact'],
    [{ title: 'x', text: 'x', component_ids: [componentOf(other)] }, '/component_ids/0'],
  ] as const) {
    const answer = await app.request('POST', incidentsOf(page), { body });
    t.match(answer, { status: 422, body: { errors: [{ path: field }] } }, field);
  }
});

t.test('texts of people are text: lines, paragraphs and http(s) links, nothing else', async (t) => {
  const { page } = await pageWithMonitor('prose');
  const text =
    'One <b>bold</b> & "quoted"\nline two\n\nSee https://status.example.com/a?b=1&c=2. Not javascript:alert(1) <script>alert(1)</script> http://x.example/"onmouseover="alert(1)';
  await post(incidentsOf(page), { title: '<i>\u202etitle', text });
  await shown('prose');
  const html = await pages.html('prose');
  t.match(html, '<p dir="auto">One &lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot;<br>line two</p>');
  const link = 'https://status.example.com/a?b=1&amp;c=2';
  t.match(html, `<a href="${link}" rel="nofollow noreferrer noopener">${link}</a>.`);
  t.notMatch(html, /<script|<i>|href="javascript|"onmouseover|\u202e/);
  t.match(html, 'http://x.example/</a>&quot;onmouseover=&quot;alert(1)');
});

t.test('the feed has an entry for each update, whose id stays; it is well-formed whatever is in it', async (t) => {
  const { page } = await pageWithMonitor('feed');
  const empty = parsed(await (await pages.page('feed/feed.atom')).text());
  t.same(empty['feed/title'], ['Example Ltd']);
  t.same(empty['entry/id'], undefined);
  const incident = await post(incidentsOf(page), { title: 'A & B <c> ]]>', text: 'First\nline & <b>' });
  await post(`${incidentsOf(page)}/${incident.id}/updates`, { state: 'resolved', text: 'Second' });
  await shown('feed');
  const answer = await pages.page('feed/feed.atom');
  t.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
  const feed = parsed(await answer.text());
  t.same(feed['entry/title'], ['Resolved: A & B <c> ]]>', 'Investigating: A & B <c> ]]>']);
  t.equal(feed['entry/id']?.length, 2);
  t.match(feed['entry/id']?.[0], /^http:\/\/picket\.test\/status\/feed#upd_/);
  const edit = `${incidentsOf(page)}/${incident.id}/updates/${incident.updates[0]?.id}/text`;
  await clock.advance(MINUTE_MS);
  await app.request('PUT', edit, { body: { text: 'First, better' } });
  await shown('feed');
  const later = parsed(await (await pages.page('feed/feed.atom')).text());
  t.same(later['entry/id'], feed['entry/id'], 'an edit is not a new entry');
  t.not(later['entry/updated']?.[1], feed['entry/updated']?.[1]);
});

t.test('badges of the page and of a component, well-formed, for other sites', async (t) => {
  const { monitor, page } = await pageWithMonitor('badge');
  const badge = await pages.page('badge/badge.svg');
  t.equal(badge.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
  t.equal(badge.headers.get('cross-origin-resource-policy'), 'cross-origin');
  t.same(parsed(await badge.text())['svg/title'], ['Example Ltd: All systems are up']);
  const path = `badge/components/${componentOf(page)}/badge.svg`;
  t.same(parsed(await (await pages.page(path)).text())['svg/title'], ['Payments: Up']);
  await pages.changeMonitor(monitor, { state: { ...monitor.state, status: 'down' } });
  await shown('badge');
  const text = await (await pages.page(path)).text();
  t.same(parsed(text)['svg/title'], ['Payments: Down']);
  t.match(text, '#c81e28');
  const unknown = `badge/components/cmp_${'0'.repeat(26)}/badge.svg`;
  t.equal((await pages.page(unknown)).status, 404);
});

t.test('a page has at most 1,000 incidents, also by requests at the same time; an incident 100 updates', async (t) => {
  const { page } = await pageWithMonitor('limits');
  const incident = await post(incidentsOf(page), { title: 'x', text: 'x' });
  const incidents = pages.mongo.db.collection<PageIncidentDocument>('status_page_incidents');
  const stored = await incidents.findOne({ _id: incident.id });
  if (stored === null) throw new Error('the incident is not stored');
  const copies = Array.from({ length: 998 }, (_, index) => ({
    ...stored,
    _id: `spi_${String(index).padStart(26, '0')}`,
  }));
  await incidents.insertMany(copies);
  const body = { title: 'x', text: 'x' };
  const answers = await Promise.all([1, 2, 3].map(() => app.request('POST', incidentsOf(page), { body })));
  t.same(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  const [update] = stored.updates;
  if (update === undefined) throw new Error('the incident has no update');
  await incidents.updateOne({ _id: incident.id }, { $set: { updates: Array.from({ length: 100 }, () => update) } });
  const path = `${incidentsOf(page)}/${incident.id}/updates`;
  t.equal((await app.request('POST', path, { body: { state: 'resolved', text: 'x' } })).status, 409);
  t.equal((await app.request('DELETE', `${PATH}/${page.id}`)).status, 204);
  t.equal(await incidents.countDocuments({ page_id: page.id }), 0, 'a deleted page leaves no incidents');
});

t.test('four languages by Accept-Language; English for all others', async (t) => {
  const { page } = await pageWithMonitor('languages');
  await post(incidentsOf(page), { title: 'x', text: 'x', state: 'identified' });
  await shown('languages');
  for (const [asked, language, text] of [
    ['de-AT,en;q=0.5', 'de', 'Alle Systeme sind verfügbar'],
    ['fr', 'fr', 'Tous les systèmes sont disponibles'],
    ['es-MX', 'es', 'Todos los sistemas están disponibles'],
    ['ja', 'en', 'All systems are up'],
  ] as const) {
    const answer = await pages.page('languages', { 'accept-language': asked });
    const html = await answer.text();
    t.equal(answer.headers.get('content-language'), language);
    t.match(html, text);
    t.match(html, `<html lang="${language}">`);
  }
});
