import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';

const folder = mkdtempSync(join(tmpdir(), 'picket-providers-'));
t.teardown(() => rmSync(folder, { recursive: true }));

const NO_KEYS: ReadonlyMap<string, string> = new Map();
const ROW = {
  id: 'one',
  name: 'One',
  zone: 'one.example',
  type: 'ip',
  website: 'https://one.example/',
  delist_url: 'https://one.example/delist',
};

function fileOf(content: unknown): string {
  const file = join(folder, `${Math.random()}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}
const read = (content: unknown, keys = NO_KEYS) => readProviders({ file: fileOf(content), keys });

t.test('the built-in catalogue has ten IP lists and two domain lists', async (t) => {
  const { providers, queryZone } = readProviders({ file: null, keys: NO_KEYS });
  t.equal(providers.length, 12);
  t.equal(providers.filter(({ type }) => type === 'ip').length, 10);
  t.equal(new Set(providers.map(({ zone }) => zone)).size, 12);
  for (const provider of providers) {
    t.ok(provider.test.listed.length > 0 && provider.test.not_listed !== null, `${provider.id} has test entries`);
    t.equal(queryZone(provider, 4), provider.zone, `${provider.id} is queried without a key`);
    t.equal(provider.ipv6, queryZone(provider, 6) !== null);
    t.ok(provider.terms !== null, `${provider.id} has terms of use`);
  }
});

t.test('the six required fields are enough, and the defaults follow RFC 5782', async (t) => {
  const { providers, queryZone } = read([ROW, { ...ROW, id: 'two', zone: 'two.example', type: 'domain' }]);
  const [ip, domain] = providers;
  if (ip === undefined || domain === undefined) throw new Error('no rows');
  t.match(ip, { listings: null, bitmask: null, ipv6: false, terms: null });
  t.same(ip.test, { listed: ['127.0.0.2'], not_listed: '127.0.0.1', codes: null });
  t.same(domain.test, { listed: ['test', '127.0.0.2'], not_listed: 'invalid', codes: null });
  t.equal(domain.names, 'registrable');
  t.equal(queryZone(ip, 6), null);
});

t.test('a key is only in the queried names', async (t) => {
  const catalogue = readProviders({ file: null, keys: new Map([['spamhaus-zen', 's3cretkey']]) });
  const zen = catalogue.providers.find(({ id }) => id === 'spamhaus-zen');
  if (zen === undefined) throw new Error('no such list');
  t.equal(catalogue.queryZone(zen, 4), 's3cretkey.zen.dq.spamhaus.net');
  t.equal(catalogue.queryZone(zen, 6), 's3cretkey.zen.dq.spamhaus.net', 'for IPv6 too');
  t.equal(zen.zone, 'zen.spamhaus.org');
  t.notMatch(JSON.stringify(catalogue), /s3cretkey/);
  const other = readProviders({ file: null, keys: new Map([['spamhaus-zen', 'another']]) });
  t.equal(catalogue.digest, other.digest, 'the digest cannot be used to guess the key');
  t.not(catalogue.digest, readProviders({ file: null, keys: NO_KEYS }).digest);
  const own = read([{ ...ROW, zone: '{key}.own.example', ipv6_zone: '{key}.six.example' }], new Map([['one', 'k']]));
  const [row] = own.providers;
  if (row === undefined) throw new Error('no row');
  t.equal(row.zone, '{key}.own.example', 'the displayed zone keeps the placeholder');
  t.equal(own.queryZone(row, 4), 'k.own.example');
  t.equal(own.queryZone(row, 6), 'k.six.example');
});

const WRONG: [what: string, content: unknown, message: RegExp][] = [
  ['no JSON', '[', /is not JSON$/],
  ['no list', {}, /at least one row/],
  ['an empty list', [], /at least one row/],
  ['too many rows', Array.from({ length: 51 }, (_, n) => ({ ...ROW, id: `l${n}`, zone: `l${n}.example` })), /50 rows/],
  ['no object', [3], /row 1: the row must be an object$/],
  ['a missing field', [{ ...ROW, name: undefined }], /row 1 \(one\): \/name is missing$/],
  ['an unknown field', [{ ...ROW, zones: 'x' }], /row 1 \(one\): \/zones is not a known field$/],
  ['another type', [{ ...ROW, type: 'url' }], /row 1 \(one\): \/type/],
  ['the same id twice', [ROW, { ...ROW, zone: 'two.example' }], /row 2 \(one\): \/id is also used in another row/],
  [
    'the same zone twice',
    [ROW, { ...ROW, id: 'two', zone: 'ONE.example' }],
    /row 2 \(two\): \/zone is also used in another/,
  ],
  ['a zone that is not a name', [{ ...ROW, zone: 'one example' }], /\/zone must be a domain name/],
  ['a zone with an empty label', [{ ...ROW, zone: 'one..example' }], /\/zone must be a domain name/],
  ['a zone with a label too long', [{ ...ROW, zone: `${'x'.repeat(64)}.example` }], /\/zone must be a domain name/],
  [
    'an IPv6 zone for domains',
    [{ ...ROW, type: 'domain', ipv6_zone: 'six.example' }],
    /\/ipv6_zone is only for lists of type ip/,
  ],
  ['names for addresses', [{ ...ROW, names: 'host' }], /\/names is only for lists of type domain/],
  ['a key that is not given', [{ ...ROW, zone: '{key}.one.example' }], /\/zone needs a key: .*KEYS has none for one/],
  ['a keyed zone without the placeholder', [{ ...ROW, keyed_zone: 'k.example' }], /\/keyed_zone must contain \{key\}/],
  [
    'a code outside 127/8',
    [{ ...ROW, codes: [{ code: '10.0.0.1', meaning: 'x' }] }],
    /\/codes\/0\/code has an invalid format$/,
  ],
  [
    'an octet too large',
    [{ ...ROW, codes: [{ code: '127.0.0.256', meaning: 'x' }] }],
    /\/codes\/0\/code must be an address/,
  ],
  [
    'a reversed range',
    [{ ...ROW, codes: [{ code: '127.0.0.9-127.0.0.2', meaning: 'x' }] }],
    /\/codes\/0\/code must be/,
  ],
  [
    'a code that every list uses for refusals',
    [{ ...ROW, codes: [{ code: '127.255.255.1', meaning: 'x' }] }],
    /\/codes\/0\/code is the code of a refusal/,
  ],
  [
    'a range that covers a refusal of its own',
    [
      {
        ...ROW,
        codes: [{ code: '127.0.0.2-127.0.0.9', meaning: 'x' }],
        refusals: [{ code: '127.0.0.5', meaning: 'y' }],
      },
    ],
    /\/codes\/0\/code is the code of a refusal/,
  ],
  [
    'a bit for a listing and a refusal',
    [{ ...ROW, bitmask: { bits: [{ bit: 1, meaning: 'x' }] } }],
    /\/bitmask\/bits\/0\/bit is the bit of a refusal/,
  ],
  [
    'a bit that is not a power of two',
    [{ ...ROW, bitmask: { bits: [{ bit: 6, meaning: 'x' }] } }],
    /\/bitmask must only have bits that are/,
  ],
  [
    'codes and bits',
    [{ ...ROW, codes: [{ code: '127.0.0.2', meaning: 'x' }], bitmask: { bits: [{ bit: 2, meaning: 'x' }] } }],
    /\/bitmask cannot be combined with codes/,
  ],
  [
    'a test entry of the wrong type',
    [{ ...ROW, test: { listed: 'test.example', not_listed: null } }],
    /\/test\/listed must be an IPv4 address/,
  ],
  ['a file too large', ' '.repeat(1_048_577), /larger than 1048576 bytes/],
];

t.test('an error in a file names the row and the field', async (t) => {
  for (const [what, content, message] of WRONG) {
    t.throws(() => read(content), { name: 'SettingError', message }, what);
    t.throws(() => read(content), { message: /^PICKET_BLACKLIST_PROVIDERS / }, `${what}: names the variable`);
  }
  t.throws(() => readProviders({ file: join(folder, 'none'), keys: NO_KEYS }), { message: /cannot be read: ENOENT/ });
  t.throws(() => readProviders({ file: null, keys: new Map([['psbl', 'k3y']]) }), {
    message: /^PICKET_BLACKLIST_KEYS has a key for psbl, which is not a list that takes a key$/,
  });
});
