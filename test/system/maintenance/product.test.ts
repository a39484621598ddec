import t from 'tap';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const WINDOWS = '/v1/maintenance-windows';

const site = await countedSite();
const receiver = await startReceiver();
const product = await startProduct({ PICKET_LOCATIONS: 'fra,nyc' });
t.teardown(async () => {
  await product.remove();
  await site.close();
  await receiver.close();
});

const created = async (path: string, body: object) => {
  const answer = await product.api('POST', path, body);
  t.match(answer, { status: 201 }, JSON.stringify(answer.body));
  return answer.body.data;
};
await created('/v1/channels', { type: 'webhook', name: 'Pager', config: { url: receiver.url } });

/** A monitor of a page of the site that fails while `isDown`, and the page itself. */
async function page(name: string) {
  const monitor = await created('/v1/monitors', {
    ...{ name, type: 'http', url: `${site.url}/${name}`, interval_seconds: 10, tags: [name] },
  });
  await waitFor('the first result', 60_000, async () => {
    return (await product.api('GET', `/v1/monitors/${monitor.id}`)).body.data.last_checked_at !== null;
  });
  const alert = async () => (await product.api('GET', `/v1/alerts?monitor_id=${monitor.id}`)).body.data[0];
  return {
    id: monitor.id as string,
    alert,
    down: () => site.failWhen(({ path }) => path === `/${name}`),
    up: () => site.failWhen(() => false),
    becomes: (status: string) =>
      waitFor(`an incident that is ${status}`, 90_000, async () => {
        const found = await alert();
        return found?.status === status ? found : null;
      }),
    /** The events that the channel was notified of, without those of tests. */
    told: () =>
      receiver.requests
        .map(({ json }) => json)
        .filter(({ data }) => JSON.stringify(data).includes(monitor.id))
        .map(({ type }) => type as string),
  };
}

t.test('what fails in a window notifies once, after its end, although the control plane was killed then', async (t) => {
  const shop = await page('shop');
  const window = await created(WINDOWS, {
    ...{ name: 'Upgrade', monitor_ids: [shop.id] },
    starts_at: new Date(Date.now() - SECOND_MS).toISOString(),
    ends_at: new Date(Date.now() + HOUR_MS).toISOString(),
  });
  t.match(window, { state: 'active', active_until: window.ends_at });
  shop.down();
  t.match(await shop.becomes('silenced'), { maintenance: { id: window.id, name: 'Upgrade', until: window.ends_at } });
  t.same((await shop.alert()).notifications_sent, []);

  const endsMs = Date.now() + 3 * SECOND_MS;
  const ends_at = new Date(endsMs).toISOString();
  t.match(await product.api('PATCH', `${WINDOWS}/${window.id}`, { ends_at }), { status: 200 });
  await waitFor('the end of the window', 30_000, () => Date.now() >= endsMs);
  t.match(await shop.alert(), { status: 'silenced', notifications_sent: [] }, 'no check is newer than the window yet');
  const killed = await product.pid('control-plane');
  process.kill(killed, 'SIGKILL');
  await waitFor('a new control plane', 60_000, async () => (await product.pid('control-plane')) !== killed);
  await waitFor('Picket to be ready', 60_000, async () => (await fetch(`${product.url}/readyz?probes=2`)).ok);

  t.match(await shop.becomes('firing'), { silenced_at: null, maintenance: null });
  await receiver.arrived(1);
  t.equal((await product.api('GET', `${WINDOWS}/${window.id}`)).body.data.state, 'ended');
  shop.up();
  await shop.becomes('resolved');
  await waitFor('the notification of the recovery', 60_000, () => shop.told().length >= 2);
  t.same(shop.told(), ['incident.opened', 'incident.resolved'], 'once each');
});

t.test('what fails and recovers in a window notifies nobody; one ended early no longer silences', async (t) => {
  const blog = await page('blog');
  const begin = new Date(Date.now() - MINUTE_MS);
  const window = await created(WINDOWS, {
    ...{ name: 'Nightly', tags: ['blog'] },
    recurrence: {
      ...{ cron: `${begin.getUTCMinutes()} ${begin.getUTCHours()} * * *`, time_zone: 'Etc/UTC' },
      duration_minutes: 60,
    },
    starts_at: new Date(Date.now() - HOUR_MS).toISOString(),
  });
  t.equal(window.state, 'active');
  blog.down();
  const first = await blog.becomes('silenced');
  blog.up();
  t.match(await blog.becomes('resolved'), { id: first.id, resolution: 'recovered', notifications_sent: [] });

  blog.down();
  await blog.becomes('silenced');
  const ended = await product.api('POST', `${WINDOWS}/${window.id}/end`);
  t.match(ended, { status: 200, body: { data: { state: 'scheduled', active_until: null } } });
  t.not((await blog.becomes('firing')).id, first.id);
  await waitFor('the notification', 60_000, () => blog.told().length > 0);
  t.same(blog.told(), ['incident.opened']);
});
