import t from 'tap';
import { type FailedMonitor, suggestPairs } from '../../../control-plane/dependencies/suggestions/suggest.js';

const MINUTE_MS = 60_000;
const outage = (minute: number, minutes = 5) => ({
  startMs: minute * MINUTE_MS,
  endMs: (minute + minutes) * MINUTE_MS,
});
const failed = (id: string, type: string, url: string, outages: FailedMonitor['outages']): FailedMonitor => ({
  ...{ id, name: id, type, url, outages },
});
const pairs = (...monitors: FailedMonitor[]) =>
  suggestPairs(monitors).map(({ dependent, on, host, outages }) => `${dependent.id} on ${on.id} (${host}, ${outages})`);

t.test('monitors of one host that always failed together, what is nearer to the host first', async (t) => {
  const times = [outage(10), outage(100)];
  t.same(
    pairs(
      failed('b-page', 'http', 'https://Shop.example.com/a', times),
      failed('a-port', 'tcp', 'shop.example.com:443', [outage(11), outage(101)]),
      failed('c-ping', 'ping', 'shop.example.com', [outage(9), outage(106)]),
      failed('other', 'http', 'https://other.example.com/', times),
    ),
    ['a-port on c-ping (shop.example.com, 2)', 'b-page on c-ping (shop.example.com, 2)'],
  );
  const page = (id: string) => failed(id, 'http', 'https://[2001:db8::1]/', times);
  t.same(pairs(page('2'), page('1')), ['2 on 1 (2001:db8::1, 2)'], 'the older of two of the same type');
});

t.test('not those of which one failed alone, once only, or at another time', async (t) => {
  const url = 'https://shop.example.com/';
  const ping = failed('ping', 'ping', 'shop.example.com', [outage(10), outage(100)]);
  t.same(pairs(ping, failed('page', 'http', url, [outage(10), outage(100), outage(200)])), [], 'the page alone');
  t.same(pairs({ ...ping, outages: [...ping.outages, outage(300)] }, failed('page', 'http', url, ping.outages)), []);
  t.same(pairs({ ...ping, outages: [outage(10)] }, failed('page', 'http', url, [outage(10)])), [], 'once');
  t.same(pairs(ping, failed('page', 'http', url, [outage(10), outage(108)])), [], 'three minutes after its end');
  t.same(pairs(ping, failed('page', 'http', 'not a URL', ping.outages)), []);
  const lasting = [outage(10), { startMs: 100 * MINUTE_MS, endMs: null }];
  t.same(pairs(ping, failed('page', 'http', url, lasting)), ['page on ping (shop.example.com, 2)'], 'one that lasts');
});
