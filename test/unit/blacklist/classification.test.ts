import t from 'tap';
import { classify } from '../../../control-plane/blacklist/lists/classify.js';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import { chooseAddresses } from '../../../control-plane/blacklist/lookup/domain-addresses.js';
import { mergeAddresses } from '../../../control-plane/blacklist/lookup/merge-addresses.js';
import { summarize } from '../../../control-plane/blacklist/lookup/score.js';
import type { ListStatus } from '../../../control-plane/blacklist/results.js';

const { providers } = readProviders({ file: null, keys: new Map() });
const of = (id: string) => {
  const found = providers.find((provider) => provider.id === id);
  if (found === undefined) throw new Error(`no list ${id}`);
  return found;
};
const classifyFor = (id: string, ...addresses: string[]) => classify(of(id), { kind: 'addresses', addresses });

/** The codes of each list: listings with their meanings, and unknown codes. */
const CODES: Record<string, { listed: Record<string, string>; policy?: string[]; unknown: string[] }> = {
  'spamhaus-zen': {
    listed: {
      '127.0.0.2': 'SBL',
      '127.0.0.3': 'CSS',
      '127.0.0.4': 'XBL',
      '127.0.0.7': 'XBL',
      '127.0.0.9': 'DROP',
      '127.0.0.10': 'PBL, by the provider',
      '127.0.0.11': 'PBL, by Spamhaus',
      '127.0.0.30': 'BCL',
    },
    policy: ['127.0.0.10', '127.0.0.11'],
    unknown: ['127.0.0.8', '127.0.0.12', '127.0.0.255', '127.0.1.2', '127.1.0.2'],
  },
  spamcop: { listed: { '127.0.0.2': 'reported spam' }, unknown: ['127.0.0.3'] },
  barracuda: { listed: { '127.0.0.2': 'spam source' }, unknown: ['127.0.0.3'] },
  psbl: { listed: { '127.0.0.2': 'mail to a spam trap' }, unknown: ['127.0.0.3'] },
  mailspike: {
    listed: { '127.0.0.2': 'part of a wave of spam', '127.0.0.10': 'worst reputation', '127.0.0.12': 'bad reputation' },
    unknown: ['127.0.0.13', '127.0.0.18', '127.0.0.20'],
  },
  dronebl: {
    listed: {
      '127.0.0.2': 'sample',
      '127.0.0.3': 'IRC drone',
      '127.0.0.17': 'botnet',
      '127.0.0.255': 'another threat',
    },
    policy: ['127.0.0.2'],
    unknown: ['127.0.0.4', '127.0.0.20'],
  },
  s5h: { listed: { '127.0.0.2': 'spam or attacks' }, unknown: ['127.0.0.3'] },
  'blocklist-de': { listed: { '127.0.0.14': 'ssh', '127.0.0.22': 'mysql' }, unknown: ['127.0.0.23'] },
  spameatingmonkey: {
    listed: { '127.0.0.2': 'mail to a spam trap', '127.0.0.3': 'mail to a spam trap' },
    unknown: ['127.0.0.4'],
  },
  'uceprotect-1': { listed: { '127.0.0.2': 'mail to a spam trap' }, unknown: ['127.0.0.3'] },
  'spamhaus-dbl': {
    listed: { '127.0.1.2': 'spam', '127.0.1.4': 'phishing', '127.0.1.106': 'abused, botnet control' },
    unknown: ['127.0.0.2', '127.0.1.3', '127.0.2.2'],
  },
  surbl: {
    listed: { '127.0.0.4': 'DM', '127.0.0.8': 'PH', '127.0.0.80': 'MW ABUSE', '127.0.0.254': 'DM PH MW CT ABUSE CR' },
    unknown: ['127.0.0.0', '127.0.0.2', '127.0.1.8'],
  },
};
const REFUSALS = ['127.255.255.252', '127.255.255.254', '127.255.255.255', '127.255.255.0', '127.0.0.1', '127.0.1.255'];

t.test('every list of the catalogue: listings, refusals and unknown codes', async (t) => {
  t.same(Object.keys(CODES).sort(), providers.map(({ id }) => id).sort(), 'the table is complete');
  for (const [id, { listed, policy = [], unknown }] of Object.entries(CODES)) {
    for (const [code, meanings] of Object.entries(listed)) {
      const classification = classifyFor(id, code);
      t.match(
        classification,
        { status: 'listed', codes: [code], policy: policy.includes(code), reason: null },
        `${id} ${code}`,
      );
      t.equal(classification.meanings.join(' '), meanings, `${id} ${code}`);
    }
    for (const code of unknown)
      t.match(classifyFor(id, code), { status: 'invalid', codes: [code], meanings: [] }, `${id} ${code}`);
    for (const code of REFUSALS) {
      const classification = classifyFor(id, code);
      t.match(classification, { status: 'blocked', codes: [code], meanings: [], policy: false }, `${id} ${code}`);
      t.match(classification.reason, /^The list refused the query: /);
    }
    for (const answer of [['192.0.2.1'], ['0.0.0.0'], [Object.keys(listed)[0] ?? '', '198.51.100.9'], ['::1'], ['x']]) {
      t.equal(classifyFor(id, ...answer).status, 'invalid', `${id} ${answer.join(' ')}: not an answer of a list`);
    }
  }
});

t.test('bit 1 of a bitmask is a refusal, alone and with other bits', async (t) => {
  for (const last of [1, 3, 5, 9, 65, 129, 255])
    t.equal(classifyFor('surbl', `127.0.0.${last}`).status, 'blocked', `${last}`);
  t.equal(
    classifyFor('surbl', '127.0.0.1', '127.0.0.8').status,
    'listed',
    'a listing in another record takes precedence',
  );
});

t.test('only the listings of a mixed answer count, in any order', async (t) => {
  for (const codes of [
    ['127.255.255.254', '127.0.0.4'],
    ['127.0.0.4', '127.255.255.254'],
  ]) {
    t.match(classifyFor('spamhaus-zen', ...codes), {
      status: 'listed',
      meanings: ['XBL'],
      codes: ['127.0.0.4', '127.255.255.254'],
    });
  }
  t.match(classifyFor('spamhaus-zen', '127.0.0.11', '127.0.0.2', '127.0.0.4', '127.0.0.2'), {
    codes: ['127.0.0.2', '127.0.0.4', '127.0.0.11'],
    meanings: ['SBL', 'XBL', 'PBL, by Spamhaus'],
    policy: false,
  });
  t.match(classifyFor('spamhaus-zen', '127.0.0.11', '127.0.0.10'), { status: 'listed', policy: true });
  t.match(classifyFor('spamhaus-zen', '127.0.0.77', '127.255.255.254'), { status: 'blocked' });
  t.match(classifyFor('spamhaus-zen', '127.0.0.77', '127.0.0.10'), { status: 'listed', policy: true });
});

t.test('only NXDOMAIN and NODATA are clean, not timeouts and errors', async (t) => {
  const zen = of('spamhaus-zen');
  t.match(classify(zen, { kind: 'none' }), { status: 'clean', codes: [], reason: null });
  t.match(classify(zen, { kind: 'addresses', addresses: [] }), { status: 'clean' });
  t.match(classify(zen, { kind: 'timeout' }), { status: 'timeout', reason: /did not answer/ });
  t.match(classify(zen, { kind: 'failed', error: 'SERVFAIL' }), { status: 'error', reason: /SERVFAIL/ });
});

t.test('without codes in the catalogue, any code that is not a refusal is a listing', async (t) => {
  const open = { listings: null, refusals: [], bitmask: null };
  t.match(classify(open, { kind: 'addresses', addresses: ['127.9.9.9'] }), { status: 'listed', meanings: [] });
  t.match(classify(open, { kind: 'addresses', addresses: ['127.0.0.1'] }), { status: 'blocked' });
  t.match(classify(open, { kind: 'addresses', addresses: ['128.0.0.2'] }), { status: 'invalid' });
});

const many = (clean: number, listed: number, rest: ListStatus[] = []) =>
  [...Array(clean).fill('clean'), ...Array(listed).fill('listed'), ...rest].map((status: ListStatus) => ({ status }));

t.test('the score only counts answers', async (t) => {
  t.match(summarize(many(12, 0), true), {
    score: 100,
    rating: 'excellent',
    asked: 12,
    responding: 12,
    clean: 12,
    listed: 0,
  });
  t.equal(summarize(many(19, 1), true).rating, 'excellent', 'exactly 95');
  t.equal(summarize(many(11, 1), true).score, 91.7, 'rounded to tenths');
  t.equal(summarize(many(11, 1), true).rating, 'healthy');
  t.match(summarize(many(8, 2), true), { score: 80, rating: 'healthy' });
  t.match(summarize(many(79, 21), true), { score: 79, rating: 'listed' });
  t.match(summarize(many(0, 3, ['timeout']), true), { score: 0, rating: 'listed', responding: 3, asked: 4 });
  const unanswered: ListStatus[] = ['blocked', 'invalid', 'error', 'timeout'];
  t.match(summarize(many(1, 1, unanswered), true), { score: 50, responding: 2, asked: 6 });
  t.match(summarize(many(0, 0, unanswered), true), { score: null, rating: null, responding: 0, asked: 4 });
  t.match(summarize([], true), { score: null, rating: null, responding: 0, asked: 0 });
  t.match(summarize(many(2, 0), false), { score: null, rating: 'unresolvable', responding: 2, clean: 2 });
  t.match(summarize(many(1, 1), false), { score: 50, rating: 'listed' }, 'a listing counts even if the domain is gone');
});

const row = (address: string, status: ListStatus, more: object = {}) => ({
  ...{ address, status, codes: [], meanings: [], policy: false, reason: `${address} ${status}`, tookMs: 5 },
  ...more,
});
const failure = { status: 'timeout' as const, reason: 'The lookup of the domain’s addresses timed out.' };

t.test('a domain is listed if one of its addresses is, and clean only if all of them are', async (t) => {
  const clean = row('192.0.2.1', 'clean', { reason: null });
  t.match(mergeAddresses([clean, row('192.0.2.2', 'clean', { reason: null, tookMs: 9 })], []), {
    ...{ status: 'clean', reason: null, tookMs: 9 },
    addresses: [{ address: '192.0.2.1' }, { address: '192.0.2.2' }],
  });
  for (const status of ['blocked', 'invalid', 'error', 'timeout'] as const) {
    t.equal(mergeAddresses([clean, row('192.0.2.2', status)], []).status, status, `${status} is never clean`);
  }
  t.match(
    mergeAddresses([clean], [failure]),
    { status: 'timeout', reason: failure.reason },
    'an unknown address is not clean either',
  );
  t.match(mergeAddresses([], [failure]), { status: 'timeout', tookMs: null, addresses: [] });
  const pbl = row('192.0.2.2', 'listed', { codes: ['127.0.0.10'], meanings: ['PBL'], policy: true });
  const sbl = row('192.0.2.3', 'listed', { codes: ['127.0.0.2'], meanings: ['SBL'] });
  t.match(mergeAddresses([row('192.0.2.4', 'timeout'), pbl, clean], [failure]), { status: 'listed', policy: true });
  t.match(mergeAddresses([pbl, sbl], []), {
    ...{ status: 'listed', policy: false, codes: ['127.0.0.2', '127.0.0.10'], meanings: ['PBL', 'SBL'] },
    reason: '192.0.2.3 listed',
  });
});

t.test('the same eight public addresses of a domain are always chosen', async (t) => {
  const found = (addresses: string[]) => ({ kind: 'addresses' as const, addresses });
  const none = { kind: 'none' as const };
  t.same(chooseAddresses(found(['8.8.8.8', '10.0.0.1', '8.8.4.4']), found(['2001:4860:4860::8888', '::1'])), {
    4: ['8.8.4.4', '8.8.8.8'],
    6: ['2001:4860:4860::8888'],
    exists: true,
    skipped: ['the domain points to an address that is not allowed'],
    refused: ['10.0.0.1 is a private address', '::1 is a loopback address'],
  });
  const nine = Array.from({ length: 9 }, (_, n) => `8.8.8.${9 - n}`);
  const chosen = chooseAddresses(found(nine), found(['2001:4860:4860::8888']));
  t.equal(Array.isArray(chosen[4]) && chosen[4].length, 8);
  t.same(chosen[6], []);
  t.same(chosen.skipped, ['8.8.8.9 is beyond the first 8', '2001:4860:4860::8888 is beyond the first 8']);
  t.same(chooseAddresses(none, found(['::ffff:8.8.8.8']))[6], [], 'no IPv4-mapped address');
  t.match(chooseAddresses({ kind: 'timeout' }, none)[4], { status: 'timeout' });
  t.match(chooseAddresses(none, { kind: 'failed', error: 'SERVFAIL' })[6], { status: 'error', reason: /SERVFAIL/ });
});
