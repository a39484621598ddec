import t from 'tap';
import { parsedCalendar } from '../../helpers/calendar/parsed.js';
import { buildIncident } from '../../helpers/notifications/build.js';
import { DAY_MS, freshResults, HOUR_MS, MINUTE_MS, NOW, startStatusPages } from '../../helpers/status-pages/app.js';

const pages = await startStatusPages();
const { app, created, shown, clock } = pages;
t.teardown(pages.stop);

/** 28 hours of 31 and 30 January until 12:00: up, but for half an hour on the 30th and a whole hour on the 31st. */
const TODAY_MS = NOW - (NOW % DAY_MS);
const HISTORY = {
  fromMs: TODAY_MS - 16 * HOUR_MS,
  up: Array.from({ length: 28 }, (_, hour) => (hour === 2 ? 0.5 : hour === 20 ? 0 : 1)),
};

t.test('a monitor: its state now, its days, and nothing of its name, address and errors', async (t) => {
  const monitor = await pages.addMonitor({ name: 'secret-name', url: 'https://secret.example.net:8443/' }, HISTORY);
  const group = { name: 'Shop', components: [{ name: 'Checkout', description: 'Pay', monitor_id: monitor._id }] };
  await created({ slug: 'one', title: 'Example Ltd', groups: [group] });
  const page = await shown('one');
  t.match(page, {
    page: { title: 'Example Ltd', url: 'http://picket.test/status/one', time_zone: 'UTC' },
    status: { state: 'operational', text: 'All systems are up' },
    groups: [{ name: 'Shop', components: [{ id: /^cmp_/, name: 'Checkout', state: 'operational', text: 'Up' }] }],
    incidents: [],
    maintenance: [],
  });
  const component = page.groups[0]?.components[0];
  t.equal(component?.days?.length, 90);
  t.equal(component?.uptime, 94.6428, '26.5 of 28 hours');
  const [before, yesterday, today] = component?.days?.slice(-3) ?? [];
  t.same(before, { date: '2031-01-29', uptime: null, coverage: 0 });
  t.same(yesterday, { date: '2031-01-30', uptime: 96.875, coverage: 66.6666 }, '15.5 of 16 hours, of 24');
  t.match(today, { date: '2031-01-31', uptime: 91.6666 }, '11 of 12 hours');
  t.ok((today?.coverage ?? 0) > 95 && (today?.coverage ?? 0) < 96, 'of the day until now');

  const html = await pages.html('one');
  t.match(html, /All systems are up/);
  t.match(html, /94\.64\u00a0% uptime · 1\.3\u00a0% observed/);
  t.match(html, /30 Jan: 96\.87\u00a0% uptime/);
  t.match(html, /aria-label="2 days with downtime"/);
  const error = { code: 'connection_refused' as const, message: 'connect 192.0.2.7:8443 refused' };
  const [result] = Object.values(monitor.live);
  if (result === undefined) throw new Error('no result');
  await pages.changeMonitor(monitor, {
    state: { ...monitor.state, status: 'down' },
    live: { fra: { ...result, checked_at_ms: clock.now(), received_at_ms: clock.now(), up: false, error } },
  });
  t.match(await shown('one'), {
    status: { state: 'major_outage' },
    groups: [{ components: [{ state: 'outage', text: 'Down' }] }],
  });
  const all = (await pages.html('one')) + JSON.stringify(await shown('one'));
  for (const secret of ['secret', '8443', '192.0.2.7', 'refused', 'fra', monitor._id, app.workspace.id]) {
    t.notMatch(all, secret, `does not say ${secret}`);
  }
});

t.test('what nobody has seen is not known: no result, an old one, too few locations, a pause', async (t) => {
  const up = await pages.addMonitor();
  const never = await pages.addMonitor({ live: {} });
  const old = await pages.addMonitor({ live: freshResults(['fra'], clock.now() - 3 * MINUTE_MS) });
  const few = await pages.addMonitor({ locations: ['fra', 'nyc', 'sin'], live: freshResults(['fra'], clock.now()) });
  const paused = await pages.addMonitor({ paused_at_ms: clock.now() });
  const components = [up, never, old, few, paused].map(({ _id }) => ({ name: 'x', monitor_id: _id }));
  await created({ slug: 'unknown', title: 'Unknown', groups: [{ components }] });
  const page = await shown('unknown');
  t.same(
    page.groups[0]?.components.map(({ state }) => state),
    ['operational', 'not_known', 'not_known', 'not_known', 'not_known'],
  );
  t.match(page.status, { state: 'not_known', text: 'The state of some systems is not known' });
  const html = await pages.html('unknown');
  t.match(html, /class="e">Not known/);
  t.notMatch(html, /All systems are up/);
});

t.test('a tag: what gets it appears within 5 s, together or each with a line', async (t) => {
  const tags = ['public'];
  const up = await pages.addMonitor({ tags, name: 'Up' });
  const other = await pages.addMonitor({ name: 'Other' });
  const server = await pages.addServer({ name: 'web-1', tags: ['machines'], status: 'online' });
  const groups = [
    { components: [{ name: 'Together', tag: 'public' }] },
    { components: [{ name: 'Each', tag: 'public', show_each: true }] },
    {
      components: [
        { name: 'Machines', tag: 'machines' },
        { name: 'Web', server_id: server._id },
      ],
    },
    { components: [{ name: 'Nothing', tag: 'nobody-has-it' }] },
  ];
  await created({ slug: 'tags', title: 'Tags', groups });
  const names = (page: Awaited<ReturnType<typeof shown>>) =>
    page.groups.map(({ components }) => components.map(({ name, state }) => `${name} ${state}`));
  const rest = [['Machines operational', 'Web operational'], ['Nothing not_known']];
  t.same(names(await shown('tags')), [['Together operational'], ['Up operational'], ...rest]);
  await pages.changeMonitor(other, { tags, state: { ...up.state, status: 'down' } });
  const both = [['Together partial_outage'], ['Up operational', 'Other outage'], ...rest];
  t.same(names(await shown('tags')), both);
  t.match(await shown('tags'), { status: { state: 'partial_outage', text: 'Some systems are down' } });
});

t.test('an outage is an incident after its minutes, in neutral words; it ends, and is then a past one', async (t) => {
  const monitor = await pages.addMonitor();
  const group = { components: [{ name: 'Mail', monitor_id: monitor._id }] };
  await created({ slug: 'outage', title: 'Outage', groups: [group], incidents_after_minutes: 5 });
  const incident = buildIncident(app.workspace.id, {
    subject: `monitor:${monitor._id}`,
    monitor_id: monitor._id,
    started_at_ms: clock.now() - 4 * MINUTE_MS,
    message: 'internal: 10.0.0.1 refused',
  });
  await pages.addIncident(incident);
  const expiry = { kind: 'certificate', subject: `monitor:${monitor._id}` };
  const past = { started_at_ms: clock.now() - DAY_MS, resolved_at_ms: clock.now() - DAY_MS + HOUR_MS };
  const { open: _, ...closed } = buildIncident(app.workspace.id, { ...expiry, ...past, status: 'resolved' });
  await pages.addIncident(closed);
  t.same((await shown('outage')).incidents, [], 'too short; and a certificate is no outage');
  await clock.advance(MINUTE_MS);
  const [open] = (await shown('outage')).incidents;
  t.match(open, {
    title: 'Mail is down',
    state: 'investigating',
    resolved_at: null,
    components: ['Mail'],
    started_at: new Date(incident.started_at_ms).toISOString(),
    updates: [{ state: 'investigating', text: 'Mail is not available.' }],
  });
  t.match(await pages.html('outage'), /Current incidents.*Mail is down/s);
  const resolvedMs = incident.started_at_ms + 65 * MINUTE_MS;
  clock.stall(HOUR_MS);
  const incidents = pages.mongo.db.collection<{ _id: string }>('incidents');
  const resolve = (resolution: string) =>
    incidents.updateOne(
      { _id: incident._id },
      { $set: { resolved_at_ms: resolvedMs, status: 'resolved', resolution }, $unset: { open: '' } },
    );
  await resolve('manual');
  const closedByHand = (await shown('outage')).incidents[0]?.updates[0]?.text;
  t.equal(
    closedByHand,
    'This incident of Mail was closed after 1 hour 5 minutes.',
    'nobody has seen that it is up again',
  );
  await resolve('recovered');
  const ended = await shown('outage');
  t.match(ended.incidents, [{ id: open?.id, state: 'resolved', resolved_at: new Date(resolvedMs).toISOString() }]);
  t.equal(ended.incidents[0]?.updates[0]?.text, 'Mail is available again. It was down for 1 hour 5 minutes.');
  const html = await pages.html('outage');
  t.notMatch(html, /Current incidents/);
  t.match(html, /Past incidents.*1 hour 5 minutes/s);
  t.notMatch(html, /internal|10\.0\.0\.1/);
  clock.stall(15 * DAY_MS);
  t.same((await shown('outage')).incidents, [], 'after two weeks it is gone');
});

t.test('maintenance: ahead, under way, over; what is down in it is no outage', async (t) => {
  const monitor = await pages.addMonitor({ tags: ['db'] });
  await created({
    slug: 'planned',
    title: 'Planned',
    incidents_after_minutes: 0,
    groups: [{ components: [{ name: 'Database', monitor_id: monitor._id }] }],
  });
  const [startsMs, endsMs] = [clock.now() + HOUR_MS, clock.now() + 2 * HOUR_MS];
  const times = { starts_at: new Date(startsMs).toISOString(), ends_at: new Date(endsMs).toISOString() };
  const body = { name: 'internal window', tags: ['db'], ...times };
  t.equal((await app.request('POST', '/v1/maintenance-windows', { body })).status, 201);
  t.match(await shown('planned'), {
    maintenance: [{ state: 'planned', ...times, components: ['Database'] }],
  });
  const ics = await pages.page('planned/maintenance.ics', { 'accept-language': 'de' });
  t.equal(ics.headers.get('content-type'), 'text/calendar; charset=utf-8');
  const text = await ics.text();
  t.match(parsedCalendar(text).events, [
    {
      DTSTART: times.starts_at.replace('.000Z', '+00:00'),
      DTEND: times.ends_at.replace('.000Z', '+00:00'),
      SUMMARY: 'Wartung: Database',
      URL: 'http://picket.test/status/planned',
    },
  ]);
  t.notMatch(text, /internal window|mnt_/);
  t.match(await pages.html('planned'), '<a href="planned/maintenance.ics">Calendar (iCal)</a>');
  clock.stall(HOUR_MS);
  const live = freshResults(['fra'], clock.now());
  await pages.changeMonitor(monitor, { live, state: { ...monitor.state, status: 'down' } });
  const active = await shown('planned');
  t.match(active, {
    status: { state: 'maintenance', text: 'Maintenance is in progress' },
    groups: [{ components: [{ state: 'maintenance' }] }],
    maintenance: [{ state: 'active' }],
  });
  t.notMatch(await pages.html('planned'), /internal window/);
  clock.stall(HOUR_MS);
  await pages.changeMonitor(monitor, { live: freshResults(['fra'], clock.now()) });
  t.match(await shown('planned'), { status: { state: 'major_outage' }, maintenance: [] });
});

t.test('an unknown address, a deleted page and a stopped workspace give the same 404', async (t) => {
  const page = await created({ slug: 'gone', title: 'Gone' });
  t.equal((await pages.page('gone')).status, 200);
  t.equal((await pages.page('gone.json')).status, 200);
  pages.stopped.add(app.workspace.id);
  await clock.advance(5_000);
  const answers = [await pages.page('gone'), await pages.page('gone.json')];
  pages.stopped.delete(app.workspace.id);
  await app.request('DELETE', `/v1/status-pages/${page.id}`);
  await clock.advance(5_000);
  const paths = ['gone', 'never', 'a', '', 'x/y/z', `${'a'.repeat(64)}`, 'a%00b', '..%2f..%2fv1', 'gone.xml'];
  for (const path of paths) answers.push(await pages.page(path));
  const texts = new Set(await Promise.all(answers.map((answer) => answer.text())));
  t.same([...new Set(answers.map(({ status }) => status))], [404]);
  t.equal(texts.size, 1);
  t.equal(answers[0]?.headers.get('cache-control'), 'private, no-store');
});

t.test('headers: no cookie, no script, a cache can keep it for a second and check it with an ETag', async (t) => {
  const monitor = await pages.addMonitor();
  const group = { components: [{ name: 'x', monitor_id: monitor._id }] };
  await created({ slug: 'headers', title: 'Headers', groups: [group] });
  const first = await pages.page('headers');
  const { headers } = first;
  t.match(headers.get('content-type'), 'text/html; charset=utf-8');
  t.match(headers.get('cache-control'), /^public, max-age=1,/);
  t.match(headers.get('vary'), /Accept-Language/);
  t.equal(headers.get('set-cookie'), null);
  const policy = headers.get('content-security-policy') ?? '';
  t.match(policy, /default-src 'none'; style-src 'sha256-/);
  t.notMatch(policy, /unsafe|script-src/);
  t.notMatch(await first.text(), /<script|<link rel="(?!alternate)|<img| on\w+=/);
  const again = { 'if-none-match': headers.get('etag') ?? '' };
  t.equal((await pages.page('headers', again)).status, 304);
  await pages.changeMonitor(monitor, { state: { ...monitor.state, status: 'down' } });
  await clock.advance(5_000);
  t.equal((await pages.page('headers', again)).status, 200, 'a change has another ETag');
  const json = await pages.page('headers.json');
  t.equal(json.headers.get('access-control-allow-origin'), '*');
  t.equal((await fetch(`${app.url}/status/headers`, { method: 'POST' })).status, 405);
  t.equal((await fetch(`${app.url}/status/headers`, { method: 'HEAD' })).status, 200);
});

t.test('hostile names are text', async (t) => {
  const name = '<img src=x onerror=alert(1)>"\'&\u202egnp';
  const monitor = await pages.addMonitor({ tags: ['hostile'], name: `${'<b>'.repeat(60)}` });
  const groups = [
    { name, components: [{ name, description: name, monitor_id: monitor._id }] },
    { components: [{ name: 'x', tag: 'hostile', show_each: true }] },
  ];
  await created({ slug: 'hostile', title: name, description: name, groups });
  const html = await pages.html('hostile');
  t.notMatch(html, /<img|<b><b>|\u202e/);
  t.match(html, /&lt;img src=x onerror=alert\(1\)&gt;&quot;&#39;&amp;gnp/);
});
