import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

t.test('objects that lists name lead to their pages', async (t) => {
  const { pageOf } = await browserModule<{ pageOf(resource: { type: string; id: string }): string | null }>(
    'api/page-of.ts',
  );
  t.equal(pageOf({ type: 'server', id: 'srv_1' }), '/servers/srv_1');
  t.equal(pageOf({ type: 'blacklist_monitor', id: 'blm_1' }), '/blacklists/blm_1');
  t.equal(pageOf({ type: 'alert', id: 'inc_1' }), '/incidents/inc_1');
  t.equal(pageOf({ type: 'api_key', id: 'key_1' }), null, 'a kind without pages');
  t.equal(pageOf({ type: 'constructor', id: 'x' }), null);
});

interface Place {
  label: string;
  to: string;
}

const { listAbove } = await browserModule<{ listAbove(path: string, places: Place[]): Place | null }>(
  'app/list-above.ts',
);

t.test('what is not there leads to the list of its kind', (t) => {
  const places = ['/', '/monitors', '/incidents', '/settings', '/settings/channels'].map((to) => ({ label: to, to }));
  const above = (path: string) => listAbove(path, places)?.to ?? null;
  t.equal(above('/incidents/nonsense'), '/incidents');
  t.equal(above('/settings/channels/chn_1'), '/settings/channels', 'the nearest');
  t.equal(above('/settings/nope'), '/settings');
  t.equal(above('/monitors'), null, 'not to itself');
  t.equal(above('/monitorsx/1'), null);
  t.equal(above('/no/such/page'), null);
  t.end();
});
