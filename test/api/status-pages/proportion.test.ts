import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { buildIncident } from '../../helpers/notifications/build.js';
import { freshResults, MINUTE_MS, startStatusPages } from '../../helpers/status-pages/app.js';

const pages = await startStatusPages();
const { app, created, shown, clock } = pages;
t.teardown(pages.stop);

const LANGUAGES = {
  en: ['Some systems are partly down', '1 of 20 down', 'Shop: 1 of 20 is down', 'A part of Shop is not available.'],
  de: [
    'Einige Systeme sind teilweise ausgefallen',
    '1 von 20 ausgefallen',
    'Shop: 1 von 20 ist ausgefallen',
    'Ein Teil von Shop ist nicht verfügbar.',
  ],
  fr: [
    'Certains systèmes sont partiellement en panne',
    '1 sur 20 en panne',
    'Panne partielle (1 sur 20) : Shop',
    'Système partiellement indisponible : Shop.',
  ],
  es: [
    'Algunos sistemas están parcialmente caídos',
    'Caídos: 1 de 20',
    'Caída parcial (1 de 20): Shop',
    'Sistema parcialmente no disponible: Shop.',
  ],
} as const;

async function down(monitor: MonitorDocument) {
  await pages.changeMonitor(monitor, { state: { ...monitor.state, status: 'down' } });
  const incident = buildIncident(app.workspace.id, {
    subject: `monitor:${monitor._id}`,
    monitor_id: monitor._id,
    started_at_ms: clock.now() - 6 * MINUTE_MS,
  });
  await pages.addIncident(incident);
  return incident;
}

t.test('one of 20 that is down is not said to be the component, in any language and form', async (t) => {
  const monitors: MonitorDocument[] = [];
  for (let index = 0; index < 20; index++) monitors.push(await pages.addMonitor({ tags: ['shop'] }));
  const [first, ...others] = monitors;
  if (first === undefined) throw new Error('no monitor');
  const page = await created({
    slug: 'many',
    title: 'Many',
    incidents_after_minutes: 5,
    groups: [{ components: [{ name: 'Shop', tag: 'shop' }] }],
  });
  const incident = await down(first);
  t.match(await shown('many'), {
    status: { state: 'partial_outage' },
    groups: [{ components: [{ state: 'partial_outage', down: { count: 1, of: 20 } }] }],
  });
  for (const [language, [overall, state, title, began]] of Object.entries(LANGUAGES)) {
    const read = async (path: string) => (await pages.page(path, { 'accept-language': language })).text();
    const component = page.groups[0]?.components[0]?.id;
    const [html, json, atom] = [await read('many'), await read('many.json'), await read('many/feed.atom')];
    for (const text of [overall, state, title, began]) {
      t.ok(html.includes(text), `${language} page: ${text}`);
      t.ok(json.includes(text), `${language} JSON: ${text}`);
    }
    t.ok(atom.includes(title) && atom.includes(began), `${language} Atom`);
    t.ok((await read('many/badge.svg')).includes(overall), `${language} badge`);
    t.ok((await read(`many/components/${component}/badge.svg`)).includes(state), `${language} badge of the component`);
    t.notMatch(html + json + atom, /Shop is down|Shop ist ausgefallen|Panne : Shop|Caída: Shop/);
  }

  for (const monitor of others) await down(monitor);
  t.match(await shown('many'), {
    status: { state: 'major_outage' },
    groups: [{ components: [{ state: 'outage', text: 'Down', down: null }] }],
    incidents: [{ title: 'Shop is down', updates: [{ text: 'Shop is not available.' }] }],
  });

  const incidents = pages.mongo.db.collection<{ _id: string }>('incidents');
  const resolved = { status: 'resolved', resolution: 'recovered' };
  const end = (minutes: number) => ({
    $set: { ...resolved, resolved_at_ms: incident.started_at_ms + minutes * MINUTE_MS },
    $unset: { open: '' as const },
  });
  await incidents.updateMany({ _id: { $ne: incident._id } }, end(6));
  await incidents.updateOne({ _id: incident._id }, end(7));
  t.match(await shown('many'), { incidents: [{ title: 'Shop was down' }] }, 'all of them were down at the same time');
  await incidents.deleteMany({ _id: { $ne: incident._id } });
  for (const monitor of monitors) {
    await pages.changeMonitor(monitor, { state: first.state, live: freshResults(['fra'], clock.now()) });
  }
  t.match(await shown('many'), {
    status: { state: 'operational' },
    incidents: [
      {
        title: 'Shop: 1 of 20 was down',
        updates: [{ text: /^All of Shop is available again\. Down at the same time: 1 of 20 at most\./ }, {}],
      },
    ],
  });
});

t.test('things after each other are not added up, and what is paused is not counted', async (t) => {
  const [one, two] = [await pages.addMonitor({ tags: ['pair'] }), await pages.addMonitor({ tags: ['pair'] })];
  await pages.addMonitor({ tags: ['pair'] });
  await pages.addMonitor({ tags: ['pair'], paused_at_ms: clock.now() });
  await created({
    slug: 'pair',
    title: 'Pair',
    incidents_after_minutes: 0,
    groups: [{ components: [{ name: 'Pair', tag: 'pair' }] }],
  });
  for (const [monitor, from, to] of [
    [one, 60, 50],
    [two, 50, 40],
  ] as const) {
    const { open: _, ...closed } = buildIncident(app.workspace.id, {
      subject: `monitor:${monitor._id}`,
      started_at_ms: clock.now() - from * MINUTE_MS,
      resolved_at_ms: clock.now() - to * MINUTE_MS,
      status: 'resolved',
    });
    await pages.addIncident(closed);
  }
  t.match((await shown('pair')).incidents, [{ title: 'Pair: 1 of 3 was down' }]);
});

t.test('the votes of quarantined locations are void, as for monitors', async (t) => {
  const locations = ['fra', 'nyc', 'sin'];
  const monitor = await pages.addMonitor({ locations, live: freshResults(['fra', 'nyc'], clock.now()) });
  await created({
    slug: 'quarantine',
    title: 'Quarantine',
    groups: [{ components: [{ name: 'x', monitor_id: monitor._id }] }],
  });
  t.match(await shown('quarantine'), { status: { state: 'operational' } });
  pages.quarantined.add('fra');
  t.match(await shown('quarantine'), { status: { state: 'not_known' } }, 'one of three cannot decide');
  pages.quarantined.delete('fra');
  t.match(await shown('quarantine'), { status: { state: 'operational' } });
});
