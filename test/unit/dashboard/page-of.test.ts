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
