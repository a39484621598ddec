import t from 'tap';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { startProduct } from '../../helpers/processes/product.js';
import type { ShownPage } from '../../helpers/status-pages/app.js';
import { waitFor } from '../../helpers/wait.js';

const site = await countedSite();
const product = await startProduct({ PICKET_LOCATIONS: 'fra,nyc' });
t.teardown(async () => {
  await product.remove();
  await site.close();
});

const created = async (path: string, body: object) => {
  const answer = await product.api('POST', path, body);
  t.match(answer, { status: 201 }, JSON.stringify(answer.body));
  return answer.body.data;
};
const shown = async () => (await (await fetch(`${product.url}/status/example.json`)).json()) as ShownPage;
const becomes = (what: string, is: (page: ShownPage) => boolean) =>
  waitFor(what, 90_000, async () => {
    const page = await shown();
    return is(page) ? page : null;
  });

t.test('probes find an outage: the public page says so, with an incident, and says when it is over', async (t) => {
  const monitor = await created('/v1/monitors', {
    name: 'internal-name',
    type: 'http',
    url: `${site.url}/shop`,
    interval_seconds: 10,
    tags: ['shop'],
  });
  await created('/v1/status-pages', {
    slug: 'example',
    title: 'Example Ltd',
    incidents_after_minutes: 0,
    groups: [
      {
        components: [
          { name: 'Shop', monitor_id: monitor.id },
          { name: 'All', tag: 'shop' },
        ],
      },
    ],
  });
  const up = await becomes('the page to be green', ({ status }) => status.state === 'operational');
  t.same(
    up.groups[0]?.components.map(({ state }) => state),
    ['operational', 'operational'],
  );
  t.same(up.incidents, []);
  site.failWhen(({ path }) => path === '/shop');
  const down = await becomes('the incident', ({ incidents }) => incidents.length === 2);
  t.match(down, {
    status: { state: 'major_outage', text: 'All systems are down' },
    incidents: [{ state: 'investigating' }, { state: 'investigating' }],
  });
  const html = await (await fetch(`${product.url}/status/example`)).text();
  t.match(html, /Shop is down/);
  for (const secret of ['internal-name', site.url.replace('http://', ''), monitor.id, 'fra', 'nyc']) {
    t.notMatch(html + JSON.stringify(down), secret);
  }
  site.failWhen(() => false);
  const over = await becomes('the recovery', ({ status }) => status.state === 'operational');
  t.match(over.incidents, [{ state: 'resolved' }, { state: 'resolved' }]);
  const today = over.groups[0]?.components[0]?.days?.at(-1);
  t.ok((today?.coverage ?? 0) > 0, 'the day has a bar');
});
