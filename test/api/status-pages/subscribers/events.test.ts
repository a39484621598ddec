import t from 'tap';
import { buildIncident } from '../../../helpers/notifications/build.js';
import { HOUR_MS, MINUTE_MS } from '../../../helpers/status-pages/app.js';
import { startSubscribers } from '../../../helpers/status-pages/subscribers.js';

const all = await startSubscribers(t);
const { app, clock, mongo, created, subscribed, mailsTo, settled, mailbox } = all;
const subjectsTo = (address: string) =>
  mailbox.mails.filter(({ to }) => to.includes(address)).map(({ headers }) => headers['subject']);

t.test('an outage that the page shows: its begin and its end, in neutral words, and nothing from before', async (t) => {
  const monitor = await all.addMonitor({ name: 'internal-name', url: 'https://internal.example.net/' });
  const other = await all.addMonitor();
  const components = [
    { name: 'Mail', monitor_id: monitor._id },
    { name: 'Other', monitor_id: other._id },
  ];
  const outage = (of: { _id: string }, over: object = {}) =>
    buildIncident(app.workspace.id, {
      subject: `monitor:${of._id}`,
      monitor_id: of._id,
      started_at_ms: clock.now(),
      message: 'internal: 10.0.0.1 refused',
      ...over,
    });
  const page = await created({ slug: 'outage', title: 'Outage', groups: [{ components }], incidents_after_minutes: 5 });
  await all.addIncident(outage(other, { started_at_ms: clock.now() - HOUR_MS }));
  const address = 'outage@example.com';
  await subscribed(page, address);
  const incident = outage(monitor);
  await all.addIncident(incident);
  await clock.advance(4 * MINUTE_MS);
  await settled();
  t.equal(subjectsTo(address).length, 1, 'too short, and the other one began before');
  await clock.advance(2 * MINUTE_MS);
  await mailsTo(address, 2);
  await mongo.db.collection<{ _id: string }>('incidents').updateOne(
    { _id: incident._id },
    {
      $set: { resolved_at_ms: incident.started_at_ms + 6 * MINUTE_MS, status: 'resolved', resolution: 'recovered' },
      $unset: { open: '' },
    },
  );
  const mails = await mailsTo(address, 3);
  await settled();
  t.same(subjectsTo(address).slice(1), ['[Outage] Mail is down', '[Outage] Mail was down']);
  t.match(mails[2]?.parts['text/plain'], /Mail is available again\. It was down for 6 minutes\./);
  for (const { raw } of mails) t.notMatch(raw, /internal|10\.0\.0\.1|mon_/);
});

t.test('maintenance: announced, started and ended; a window that repeats is announced once', async (t) => {
  const monitor = await all.addMonitor({ tags: ['db'] });
  const group = { components: [{ name: 'Database', monitor_id: monitor._id }] };
  const page = await created({ slug: 'planned', title: 'Planned', groups: [group] });
  const address = 'planned@example.com';
  await subscribed(page, address);
  const [startsMs, endsMs] = [clock.now() + HOUR_MS, clock.now() + 2 * HOUR_MS];
  const times = { starts_at: new Date(startsMs).toISOString(), ends_at: new Date(endsMs).toISOString() };
  const body = { name: 'internal window', tags: ['db'], ...times };
  t.equal((await app.request('POST', '/v1/maintenance-windows', { body })).status, 201);
  const [, planned] = await mailsTo(address, 2);
  t.match(planned?.parts['text/plain'], /Affected: Database/);
  clock.stall(HOUR_MS);
  await mailsTo(address, 3);
  clock.stall(HOUR_MS);
  await mailsTo(address, 4);
  await settled();
  t.same(subjectsTo(address).slice(1), [
    '[Planned] Maintenance is planned',
    '[Planned] Maintenance has started',
    '[Planned] Maintenance is over',
  ]);
  const recurrence = { cron: '0 3 * * *', time_zone: 'UTC', duration_minutes: 30 };
  const cron = { name: 'internal cron', tags: ['db'], recurrence };
  t.equal((await app.request('POST', '/v1/maintenance-windows', { body: cron })).status, 201);
  await mailsTo(address, 5);
  await settled();
  t.equal(subjectsTo(address).length, 5);
  for (const { raw } of mailbox.mails) t.notMatch(raw, /internal|mnt_/);
});

t.test('an incident that is deleted, a stopped workspace, and what is older than a day', async (t) => {
  const page = await created({ slug: 'gone', title: 'Gone' });
  const address = 'gone@example.com';
  await subscribed(page, address);
  const removed = await all.incident(page, { title: 'Mistake', text: 'x' });
  t.equal((await app.request('DELETE', `/v1/status-pages/${page.id}/incidents/${removed}`)).status, 204);
  await settled();
  t.equal(subjectsTo(address).length, 1, 'deleted before it was sent');
  all.stopped.add(app.workspace.id);
  await all.incident(page, { title: 'While stopped', text: 'x' });
  await clock.advance(20_000);
  clock.stall(25 * HOUR_MS);
  all.stopped.delete(app.workspace.id);
  await settled();
  t.equal(subjectsTo(address).length, 1, 'no news');
  await all.incident(page, { title: 'News', text: 'x' });
  await mailsTo(address, 2);
});

t.test('with the page, its subscribers are deleted', async (t) => {
  const page = await created({ slug: 'deleted', title: 'Deleted' });
  await subscribed(page, 'deleted@example.com');
  t.equal((await app.request('DELETE', `/v1/status-pages/${page.id}`)).status, 204);
  const names = ['subscribers', 'watches', 'broadcasts', 'deliveries'].map((name) => `status_page_${name}`);
  const left = async () => {
    const ofPage = { $or: [{ page_id: page.id }, { _id: page.id as never }] };
    const counts = await Promise.all(names.map((name) => mongo.db.collection(name).countDocuments(ofPage)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  await all.until('all of it to be deleted', async () => (await left()) === 0);
});

t.test('mails of another workspace that its mail servers defer hold up nobody else', async (t) => {
  const page = await created({ slug: 'deferred', title: 'Deferred' });
  await subscribed(page, 'deferred@example.com');
  const later = all.clock.now() + 3_600_000;
  const of = { workspace_id: 'ws_other', state: 'pending', urgency: 3, next_attempt_ms: later, expires_at_ms: later };
  const mails = all.mongo.db.collection<{ _id: string }>('mails');
  await mails.insertMany(Array.from({ length: 1_000 }, (_, index) => ({ ...of, _id: `mail_deferred_${index}` })));
  t.teardown(() => mails.deleteMany({ _id: /^mail_deferred_/ }));
  await all.clock.advance(1_000);
  await all.incident(page, { title: 'Now', text: 'x' });
  t.match((await all.mailsTo('deferred@example.com', 2))[1]?.headers['subject'], /Now/);
});

t.test(
  'of more outages than the page shows, subscribers hear each end; one that lasts for months is told once',
  async (t) => {
    const monitors = await Promise.all(Array.from({ length: 25 }, () => all.addMonitor()));
    const components = monitors.map(({ _id }, index) => ({ name: `Part ${index}`, monitor_id: _id }));
    const page = await created({ slug: 'many', title: 'Many', groups: [{ components }], incidents_after_minutes: 1 });
    const address = 'many@example.com';
    await subscribed(page, address);
    const startedMs = clock.now();
    const incidents = monitors.map(({ _id }) =>
      buildIncident(app.workspace.id, { subject: `monitor:${_id}`, monitor_id: _id, started_at_ms: startedMs }),
    );
    for (const incident of incidents) await all.addIncident(incident);
    clock.stall(2 * MINUTE_MS);
    await mailsTo(address, 26);
    const [first] = incidents;
    await mongo.db.collection<{ _id: string }>('incidents').updateOne(
      { _id: first?._id ?? '' },
      {
        $set: { resolved_at_ms: clock.now(), status: 'resolved', resolution: 'recovered' },
        $unset: { open: '' },
      },
    );
    const mails = await mailsTo(address, 27);
    t.match(mails.at(-1)?.headers['subject'], /Part 0 was down/, 'behind 24 that last');
    const broadcasts = mongo.db.collection<{ page_id: string; expires_at: Date }>('status_page_broadcasts');
    const soon = new Date(clock.now() + HOUR_MS);
    await broadcasts.updateMany({ page_id: page.id }, { $set: { expires_at: soon } });
    await clock.advance(20_000);
    await settled();
    const kept = { page_id: page.id, expires_at: { $gt: soon } };
    t.equal(await broadcasts.countDocuments(kept), 26, 'as long as the page says it');
  },
);
