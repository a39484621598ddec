import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface Pasted {
  monitors: unknown[];
  bad: unknown[];
  repeated: number;
}

interface Order {
  requestOf(operation: object, selection: object): unknown;
  settingsOf(edited: object): unknown;
  tagsOf(text: string): string[];
  UNEDITED: object;
  MAJORITY: string;
}

const { pastedLines } = await browserModule<{ pastedLines(text: string): Pasted }>('parts/monitors/bulk/pasted.ts');
const { requestOf, settingsOf, tagsOf, UNEDITED, MAJORITY } =
  await browserModule<Order>('parts/monitors/bulk/order.ts');

t.test('pasted lines become monitors: addresses, or names and addresses', (t) => {
  const { monitors, bad, repeated } = pastedLines(
    [
      'https://shop.example/health',
      'Database, db.example:5432',
      'Mail; in and out, mx.example:25\r',
      '',
      '"Office, ""old""",203.0.113.7',
      'Tab\tdns.example',
      'https://shop.example/health',
      'no port, db.example:99999',
    ].join('\n'),
  );
  t.same(monitors, [
    { name: 'shop.example/health', type: 'http', url: 'https://shop.example/health' },
    { name: 'Database', type: 'tcp', url: 'db.example:5432' },
    { name: 'Mail; in and out', type: 'tcp', url: 'mx.example:25' },
    { name: 'Office, "old"', type: 'ping', url: '203.0.113.7' },
    { name: 'Tab', type: 'http', url: 'https://dns.example/' },
  ]);
  t.same(bad, [{ line: 8, text: 'no port, db.example:99999', problem: 'badPort' }]);
  t.equal(repeated, 1);
  t.end();
});

t.test('a pasted URL keeps its commas and semicolons, with and without a name', (t) => {
  const { monitors } = pastedLines(
    ['https://a.example/p;id=1', 'Shop, old, https://b.example/?ids=1,2', 'Two;https://c.example/'].join('\n'),
  );
  t.same(monitors, [
    { name: 'a.example/p;id=1', type: 'http', url: 'https://a.example/p;id=1' },
    { name: 'Shop, old', type: 'http', url: 'https://b.example/?ids=1,2' },
    { name: 'Two', type: 'http', url: 'https://c.example/' },
  ]);
  t.end();
});

t.test('the request of an operation on a selection', (t) => {
  const pause = { operation: 'pause' };
  t.same(requestOf(pause, { kind: 'ids', ids: new Set(['mon_1', 'mon_2']) }), { ...pause, ids: ['mon_1', 'mon_2'] });
  const matching = { kind: 'matching', filter: { q: 'shop', tag: '' }, except: new Set<string>() };
  t.same(requestOf(pause, matching), { ...pause, filter: { q: 'shop' } });
  t.same(requestOf(pause, { ...matching, except: new Set(['mon_1']) }), {
    ...{ ...pause, filter: { q: 'shop' } },
    except: ['mon_1'],
  });
  t.end();
});

t.test('only what somebody chose is set', (t) => {
  t.equal(settingsOf(UNEDITED), null);
  t.same(settingsOf({ ...UNEDITED, interval_seconds: '30', retries: '0' }), { interval_seconds: 30, retries: 0 });
  t.same(settingsOf({ ...UNEDITED, confirmations: MAJORITY }), { confirmations: null });
  t.same(tagsOf(' shop, web,,shop '), ['shop', 'web']);
  t.end();
});
