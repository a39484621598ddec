import t, { type Test } from 'tap';
import { hostOf } from '../../../control-plane/client-reports/facts/host-of.js';
import { monitorOf } from '../../helpers/blacklist/documents.js';
import { DAY_MS, NOW, PATH, startReportsApp } from '../../helpers/client-reports/app.js';
import { infoOf, textOf } from '../../helpers/client-reports/pdf.js';
import { recompute } from '../../helpers/client-reports/recompute.js';
import { firingIncident } from '../../helpers/incidents/stored.js';

const start = async (t: Test) => {
  const app = await startReportsApp();
  t.teardown(() => app.stop());
  return app;
};
const SECTIONS = ['executive_summary', 'email_deliverability', 'ssl_domain', 'backup_verification', 'reputation'];
const ALL = [...SECTIONS, 'wordpress', 'alerts', 'security_scans'];

t.test('if_data leaves out the sections that have nothing to say', async (t) => {
  const app = await start(t);
  const sections = Object.fromEntries(ALL.map((name) => [name, 'if_data']));
  const empty = await app.made({ sections });
  t.equal(empty.sections.alerts, 'if_data');
  t.same((await app.content(empty.id)).sections, []);
  t.match(textOf((await app.download(empty.id)).bytes), /About the figures/);
  await app.addMonitor({ name: 'Shop' });
  const some = await app.made({ sections: { ...sections, wordpress: true, alerts: false } });
  t.same(
    (await app.content(some.id)).sections.map(({ name }) => name),
    ['executive_summary', 'wordpress'],
  );
  t.match(recompute((await app.download(some.id, {}, 'data.csv')).bytes), { status: 0, stdout: /Executive Summary/ });
});

t.test('a report about chosen monitors names nothing of the others', async (t) => {
  const app = await start(t);
  const of = async (name: string, host: string, tags: string[]) =>
    app.addMonitor({ name, url: `https://${host}/`, tags }, { fromMs: Date.UTC(2031, 0, 30), up: [1, 0.9, 1] });
  const shop = await of('Shop', 'shop.client.example', []);
  const blog = await of('Blog', 'blog.client.example', ['client']);
  const foreign = await of('Foreign', 'www.foreign.example', ['other']);
  await app.addIncidents(
    ...[shop, blog, foreign].map(({ _id: id, name }) =>
      firingIncident(app.workspace.id, {
        monitor_id: id,
        monitor_name: name,
        resource: { type: 'monitor', id, name },
        started_at_ms: NOW - DAY_MS,
      }),
    ),
  );
  const targets = ['client.example', 'foreign.example', 'ent.example'].map((target) =>
    monitorOf({ workspace_id: app.workspace.id, target }),
  );
  await app.mongo.db.collection<(typeof targets)[number]>('blacklist_monitors').insertMany(targets);
  const report = await app.made({ monitors: { ids: [shop._id], tags: ['client'] } });
  t.same(report.monitors, { ids: [shop._id], tags: ['client'] });
  for (const form of ['download', 'data.csv', 'preview']) {
    const { bytes } = await app.download(report.id, {}, form);
    const text = form === 'download' ? textOf(bytes) : bytes.toString();
    t.match(text, /Shop/);
    t.match(text, /Blog/);
    t.match(text, /client\.example/);
    t.notMatch(text, /foreign|ent\.example(?<!client\.example)/i, form);
  }
  t.match(textOf((await app.download(report.id)).bytes), /2 incidents began in this period/);
  const none = await app.made({ monitors: { tags: ['nobody'] } });
  t.match(none, { status: 'failed', error: /no monitor has one of the chosen tags/ });
  for (const [monitors, path] of [
    [{}, '/monitors'],
    [{ ids: ['x'] }, '/monitors/ids/0'],
    [{ tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, '/monitors/tags'],
  ] as const)
    t.match(await app.create({ monitors }), { status: 422, body: { errors: [{ path }] } });
});

t.test('the host of each kind of target', async (t) => {
  const cases: [string, string | null][] = [
    ['https://WWW.example.com/shop', 'www.example.com'],
    ['www.example.com:25', 'www.example.com'],
    ['192.0.2.1', '192.0.2.1'],
    ['[2001:db8::1]:25', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['https://[2001:db8::1]/', '2001:db8::1'],
    ['not a host', null],
  ];
  for (const [target, host] of cases) t.equal(hostOf(target), host, target);
});

t.test('A4 and Letter', async (t) => {
  const app = await start(t);
  await app.addMonitor({ name: 'Shop' });
  const sizeOf = async (body: Record<string, unknown>) =>
    infoOf((await app.download((await app.made(body)).id)).bytes)['Page size'];
  t.match(await sizeOf({}), /A4/);
  t.match(await sizeOf({ paper_size: 'Letter' }), /612 x 792 pts \(letter\)/);
  t.match(await app.request('POST', PATH, { body: { title: 'a', client_name: 'b', paper_size: 'A5' } }), {
    status: 422,
    body: { errors: [{ path: '/paper_size' }] },
  });
});
