import t from 'tap';
import {
  createBootstrapReader,
  serverOf,
  serversOf,
} from '../../../control-plane/domain-expiry/rdap/bootstrap-file.js';
import { retryAfterMs } from '../../../control-plane/domain-expiry/rdap/retry-after.js';
import { stageOf } from '../../../control-plane/domain-expiry/rules/stage.js';
import { readBootstrapSetting } from '../../../control-plane/domain-expiry/setting.js';
import { readSettings } from '../../../kernel/settings.js';

const NOW = Date.UTC(2031, 0, 31, 12);
const DAY_MS = 86_400_000;

t.test('the server is that of the longest listed suffix, by https where there is one', (t) => {
  const services = createBootstrapReader()(
    JSON.stringify({
      version: '1.0',
      services: [
        [
          ['UK', 'com'],
          ['http://a.example/', 'https://b.example/rdap'],
        ],
        [['co.uk'], ['http://c.example/']],
        [['org'], ['ftp://d.example/', 'nonsense']],
        [[], ['https://e.example/']],
      ],
    }),
  );
  const servers = serversOf(services);
  t.equal(serverOf(servers, 'example.com'), 'https://b.example/rdap/');
  t.equal(serverOf(servers, 'example.uk'), 'https://b.example/rdap/');
  t.equal(serverOf(servers, 'example.co.uk'), 'http://c.example/');
  t.equal(serverOf(servers, 'example.org'), null);
  t.equal(serverOf(servers, 'com'), null, 'a suffix itself is no domain');
  t.equal(serverOf(servers, 'example.__proto__'), null);
  t.end();
});

t.test('Retry-After is seconds or a date, and at most a day', (t) => {
  t.equal(retryAfterMs('120', NOW), 120_000);
  t.equal(retryAfterMs(new Date(NOW + 60_000).toUTCString(), NOW), 60_000);
  t.equal(retryAfterMs(new Date(NOW - 60_000).toUTCString(), NOW), 0);
  t.equal(retryAfterMs('999999999', NOW), DAY_MS);
  for (const text of ['', 'soon', '-1x', '1e400x']) t.equal(retryAfterMs(text, NOW), null, text);
  t.end();
});

t.test('the stages begin with exactly 30, 14, 7 and 3 days left', (t) => {
  const stage = (days: number, moreMs = 0) =>
    stageOf({ expires_at_ms: NOW + days * DAY_MS + moreMs, phase: null }, NOW);
  t.same(
    [stage(30, 1), stage(30), stage(14, 1), stage(14), stage(7, 1), stage(7), stage(3, 1), stage(3), stage(-400)],
    [null, 30, 30, 14, 14, 7, 7, 3, 3],
  );
  t.equal(stageOf({ expires_at_ms: null, phase: null }, NOW), null);
  t.end();
});

t.test('the setting is a URL or off', (t) => {
  const read = (value?: string) => readBootstrapSetting(readSettings({ PICKET_RDAP_BOOTSTRAP: value }));
  t.equal(read(), 'https://data.iana.org/rdap/dns.json');
  t.equal(read('off'), null);
  t.equal(read('http://mirror.example/dns.json'), 'http://mirror.example/dns.json');
  for (const value of ['no', '/etc/dns.json', 'file:///x', 'https://']) {
    t.throws(() => read(value), { message: /^PICKET_RDAP_BOOTSTRAP must be `off`, or a URL/ }, value);
  }
  t.end();
});
