import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { isHttps, parseTarget } from '../../../control-plane/monitors/settings/target.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { shownUrl } from '../../../kernel/urls/shown-url.js';
import { guard } from '../../helpers/monitors/settings.js';

const open = createTargetGuard({ allowPrivate: true });

t.test('each type parses its own targets', async (t) => {
  const good: [Parameters<typeof parseTarget>[0], string, string, string, number | null][] = [
    ['http', 'https://example.com', 'https://example.com', 'example.com', 443],
    ['http', 'HTTP://Example.COM:8080/a?b#c', 'HTTP://Example.COM:8080/a?b#c', 'example.com', 8080],
    ['http', 'https://user:secret@example.com/', 'https://user:secret@example.com/', 'example.com', 443],
    ['http', 'https://bücher.example/', 'https://bücher.example/', 'xn--bcher-kva.example', 443],
    ['http', 'http://[2606:4700::1111]/', 'http://[2606:4700::1111]/', '2606:4700::1111', 80],
    ['tcp', 'example.com:25', 'example.com:25', 'example.com', 25],
    ['tcp', 'tcp://Example.com:65535', 'example.com:65535', 'example.com', 65_535],
    ['tcp', '[2606:4700::1111]:443', '[2606:4700::1111]:443', '2606:4700::1111', 443],
    ['tcp', 'bücher.example:1', 'xn--bcher-kva.example:1', 'xn--bcher-kva.example', 1],
    ['ping', '1.1.1.1', '1.1.1.1', '1.1.1.1', null],
    ['ping', '2606:4700::1111', '2606:4700::1111', '2606:4700::1111', null],
    ['ping', '[2606:4700::1111]', '2606:4700::1111', '2606:4700::1111', null],
    ['ping', 'Example.com.', 'example.com.', 'example.com.', null],
  ];
  for (const [type, url, canonical, host, port] of good) {
    t.same(parseTarget(type, url, guard), { ok: true, target: { host, port, canonical } }, `${type} ${url}`);
  }
  const bad: [Parameters<typeof parseTarget>[0], string][] = [
    ['http', 'example.com'],
    ['http', 'ftp://example.com'],
    ['http', 'https:example.com'],
    ['http', 'https://'],
    ['http', 'https:///path'],
    ['http', 'https://exa mple.com'],
    ['http', 'https://example.com\\@evil.example'],
    ['http', 'https://example.com:0/'],
    ['http', 'https://example.com:70000/'],
    ['http', 'https://a..b/'],
    ['http', `https://${'a'.repeat(64)}.example/`],
    ['http', 'https://example.com/\u0000'],
    ['http', 'https://exa\tmple.com/'],
    ['tcp', 'example.com'],
    ['tcp', 'example.com:0'],
    ['tcp', 'example.com:65536'],
    ['tcp', ':80'],
    ['tcp', '2606:4700::1111:80'],
    ['tcp', '[1.1.1.1]:80'],
    ['tcp', 'user@example.com:80'],
    ['tcp', 'example.com:80/'],
    ['tcp', 'https://example.com:80'],
    ['tcp', 'exam%70le.com:80'],
    ['tcp', '[example.com]:80'],
    ['ping', 'https://example.com'],
    ['ping', 'example.com:80'],
    ['ping', 'example.com/'],
    ['ping', 'a b'],
    ['ping', '[example.com]'],
    ['ping', ''],
    ['ping', 'fe80::1%eth0'],
    ['ping', 'a?b'],
    ['ping', 'a#b'],
  ];
  for (const [type, url] of bad) t.equal(parseTarget(type, url, open).ok, false, `${type} ${JSON.stringify(url)}`);
});

t.test('private addresses are refused in every notation unless they are allowed', async (t) => {
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '10.1.2.3',
    '169.254.169.254',
    '100.64.0.1',
    '192.168.0.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '１２７.0.0.1',
  ];
  for (const host of hosts) {
    for (const [type, url] of [
      ['http', `http://${host}/`],
      ['tcp', `${host}:80`],
      ['ping', host],
    ] as const) {
      const refused = parseTarget(type, url, guard);
      t.match(refused, { ok: false, message: /private or reserved/ }, url);
    }
  }
  t.equal(parseTarget('http', 'http://127.0.0.1:8080/', open).ok, true);
  t.equal(parseTarget('ping', '224.0.0.1', open).ok, false, 'a multicast address is never a valid target');
});

t.test(
  'property: an accepted target parses to the same target again, and no text makes the parser throw',
  async (t) => {
    const type = fc.constantFrom('http' as const, 'tcp' as const, 'ping' as const);
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.tuple(fc.domain(), fc.integer({ min: -5, max: 70_000 })).map(([host, port]) => `${host}:${port}`),
      fc.tuple(fc.ipV6(), fc.nat(65_535)).map(([host, port]) => `[${host}]:${port}`),
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.domain(),
    );
    t.doesNotThrow(() =>
      fc.assert(
        fc.property(type, texts, (kind, text) => {
          const parsed = parseTarget(kind, text, guard);
          if (!parsed.ok) return;
          const { host, port, canonical } = parsed.target;
          assert.equal(guard.hostRefusal(host), null);
          assert.deepEqual(parseTarget(kind, canonical, guard), parsed, 'canonical is a fixed point');
          if (kind !== 'ping') assert.ok(port !== null && port >= 1 && port <= 65_535);
          if (kind === 'http') assert.equal(new URL(text).hostname.replace(/^\[|\]$/g, ''), host);
        }),
        { numRuns: 2_000 },
      ),
    );
  },
);

t.test('user names, passwords and values of queries in URLs are masked', async (t) => {
  t.equal(shownUrl('https://me:s3cret@example.com/a@b'), 'https://***@example.com/a@b');
  t.equal(shownUrl('https://me:s3c@ret@example.com/'), 'https://***@example.com/');
  t.equal(shownUrl('https://token@example.com/'), 'https://***@example.com/');
  t.equal(shownUrl('https://example.com/?a=b:c@d&flag=&e&#f?g=h'), 'https://example.com/?a=***&flag=&***&#f?g=h');
  t.equal(shownUrl('example.com:80'), 'example.com:80');
  t.equal(isHttps('http', 'HTTPS://x'), true);
  t.equal(isHttps('tcp', 'x:443'), false);
});
