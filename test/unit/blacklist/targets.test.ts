import t from 'tap';
import { listedPart, queryName } from '../../../control-plane/blacklist/lookup/query-names.js';
import { readTarget } from '../../../control-plane/blacklist/lookup/targets.js';
import { AppError } from '../../../control-plane/errors.js';

const ACCEPTED: [given: string, type: 'ip' | 'domain', name: string][] = [
  ['8.8.8.8', 'ip', '8.8.8.8'],
  [' 8.8.4.4 ', 'ip', '8.8.4.4'],
  ['2001:4860:4860::8888', 'ip', '2001:4860:4860::8888'],
  ['2001:4860:4860:0000:0000:0000:0000:8888', 'ip', '2001:4860:4860::8888'],
  ['2A00:1450:4001:0:0:0:0:200E', 'ip', '2a00:1450:4001::200e'],
  ['2001:4860:0:0:1:0:0:1', 'ip', '2001:4860::1:0:0:1'],
  ['::ffff:8.8.8.8', 'ip', '8.8.8.8'],
  ['::ffff:808:808', 'ip', '8.8.8.8'],
  ['example.com', 'domain', 'example.com'],
  ['Mail.EXAMPLE.com.', 'domain', 'mail.example.com'],
  ['bücher.de', 'domain', 'xn--bcher-kva.de'],
  ['例え.テスト', 'domain', 'xn--r8jz45g.xn--zckzah'],
  ['xn--bcher-kva.de', 'domain', 'xn--bcher-kva.de'],
  ['_dmarc.example.com', 'domain', '_dmarc.example.com'],
  ['foo.github.io', 'domain', 'foo.github.io'],
  ['github.io', 'domain', 'github.io'],
  ['example.co.uk', 'domain', 'example.co.uk'],
  ['1.2.3.4.example.com', 'domain', '1.2.3.4.example.com'],
  [`${'a'.repeat(63)}.example.com`, 'domain', `${'a'.repeat(63)}.example.com`],
];

const REFUSED: [given: string, message: RegExp][] = [
  ['', /must not be empty/],
  ['   ', /must not be empty/],
  ['http://example.com', /not a URL/],
  ['example.com/path', /not a URL/],
  ['//example.com', /not a URL/],
  ['https://8.8.8.8/', /not a URL/],
  ['postmaster@example.com', /not an e-mail address/],
  ['8.8.8.0/24', /single address, not a network/],
  ['2001:db8::/32', /single address, not a network/],
  ['8.8.8.8:25', /without a port/],
  ['example.com:443', /without a port/],
  ['[2001:4860:4860::8888]', /without brackets/],
  ['[2001:4860:4860::8888]:53', /without brackets/],
  ['fe80::1%eth0', /without a zone/],
  ['2130706433', /four decimal numbers/],
  ['0x7f.1', /four decimal numbers/],
  ['0x7f000001', /four decimal numbers/],
  ['017700000001', /four decimal numbers/],
  ['8.8.8', /four decimal numbers/],
  ['8.8.8.256', /four decimal numbers/],
  ['1.2.3.4.5', /four decimal numbers/],
  ['08.8.8.8', /four decimal numbers/],
  ['１.２.３.４', /IPv4 address with four decimal numbers/],
  ['localhost', /local to each network/],
  ['db.localhost', /local to each network/],
  ['printer.local', /local to each network/],
  ['vault.internal', /local to each network/],
  ['router.home.arpa', /local to each network/],
  ['expyuzz4wqqyqhjn.onion', /local to each network/],
  ['intranet', /at least two parts/],
  ['com', /at least two parts/],
  ['co.uk', /below co\.uk/],
  ['example..com', /letters, digits and hyphens/],
  ['.example.com', /letters, digits and hyphens/],
  ['-example.com', /letters, digits and hyphens/],
  ['exa mple.com', /spaces/],
  ['example.com\u0000', /spaces|control/],
  ['exam\\ple.com', /not a URL/],
  ['*.example.com', /letters, digits and hyphens/],
  ['example.com..', /letters, digits and hyphens/],
  ['…', /must be/],
  [`${'a'.repeat(64)}.example.com`, /longer than 63/],
  [`${`${'a'.repeat(60)}.`.repeat(5)}com`, /longer than 253/],
  ['127.0.0.1', /private or reserved address: 127\.0\.0\.1 is a loopback/],
  ['127.0.0.2', /private or reserved/],
  ['10.1.2.3', /private or reserved/],
  ['172.16.0.1', /private or reserved/],
  ['192.168.1.1', /private or reserved/],
  ['169.254.169.254', /private or reserved/],
  ['100.64.0.1', /private or reserved/],
  ['192.0.2.1', /private or reserved/],
  ['203.0.113.7', /private or reserved/],
  ['224.0.0.1', /private or reserved/],
  ['255.255.255.255', /private or reserved/],
  ['0.0.0.0', /private or reserved/],
  ['::1', /private or reserved/],
  ['::', /private or reserved/],
  ['fe80::1', /private or reserved/],
  ['fd00::1', /private or reserved/],
  ['2001:db8::1', /private or reserved/],
  ['::ffff:10.0.0.1', /private or reserved/],
  ['64:ff9b::7f00:1', /private or reserved/],
  ['2002:7f00:1::', /private or reserved/],
];

t.test('addresses and domains are returned in canonical form', async (t) => {
  for (const [given, type, name] of ACCEPTED) t.same(readTarget(given), { type, name }, given);
});

t.test('anything else is 422 with a specific message at /target', async (t) => {
  for (const [given, message] of REFUSED) {
    try {
      t.fail(`${JSON.stringify(given)} was accepted as ${JSON.stringify(readTarget(given))}`);
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      t.equal(err.code, 'validation_failed', given);
      t.equal(err.extra.errors?.[0]?.path, '/target');
      t.match(err.message, message, given);
    }
  }
});

t.test('query names have the form that lists need', async (t) => {
  t.equal(queryName('203.0.113.7', 'zen.example'), '7.113.0.203.zen.example');
  t.equal(
    queryName('2001:db8::7', 'zen.example'),
    '7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.zen.example',
  );
  t.equal(
    queryName('::ffff:127.0.0.1', 'zen.example'),
    '1.0.0.0.0.0.f.7.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.zen.example',
  );
  t.equal(queryName('mail.example.com', 'dbl.example'), 'mail.example.com.dbl.example');
  t.equal(queryName(`${'a.'.repeat(120)}com`, 'multi.surbl.example'), null, 'longer than the maximum name');
});

t.test('a domain is queried by its registrable domain or its whole name', async (t) => {
  t.equal(listedPart('a.mail.example.co.uk', 'registrable'), 'example.co.uk');
  t.equal(listedPart('a.mail.example.co.uk', 'host'), 'a.mail.example.co.uk');
  t.equal(
    listedPart('shop.foo.github.io', 'registrable'),
    'foo.github.io',
    'the domain of a customer, not of the hoster',
  );
  t.equal(listedPart('github.io', 'registrable'), 'github.io');
  t.equal(listedPart('www.xn--bcher-kva.de', 'registrable'), 'xn--bcher-kva.de');
  t.equal(listedPart('mail.example.test', 'registrable'), 'example.test');
});
