import fc from 'fast-check';
import t from 'tap';
import { classify, refusalOf } from '../../control-plane/blacklist/lists/classify.js';
import { codeNumber, isLoopback, isWithin } from '../../control-plane/blacklist/lists/codes.js';
import { type Provider, readProviders } from '../../control-plane/blacklist/lists/providers.js';
import { evaluateTestAnswers } from '../../control-plane/blacklist/lists/test-answers.js';
import { mergeAddresses } from '../../control-plane/blacklist/lookup/merge-addresses.js';
import { withoutFailingList } from '../../control-plane/blacklist/lookup/query-list.js';
import { queryName } from '../../control-plane/blacklist/lookup/query-names.js';
import { summarize } from '../../control-plane/blacklist/lookup/score.js';
import { LIST_STATUSES } from '../../control-plane/blacklist/results.js';
import type { Answer } from '../../kernel/dns/answer.js';

const RUNS = { numRuns: 3_000 };
const { providers } = readProviders({ file: null, keys: new Map() });
const provider = fc.constantFrom(...providers);

const REFUSED = ['127.255.255.252', '127.255.255.254', '127.255.255.255', '127.0.0.1', '127.0.1.255'];
const octet = fc.integer({ min: 0, max: 255 });
/** Codes that lists use, more often than random addresses, and any other address. */
const address = fc.oneof(
  octet.map((last) => `127.0.0.${last}`),
  octet.map((last) => `127.0.1.${last}`),
  fc.constantFrom(...REFUSED),
  fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.')),
);
const answer: fc.Arbitrary<Answer> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(address, { maxLength: 6 }).map((addresses): Answer => ({ kind: 'addresses', addresses })),
  },
  fc.constant<Answer>({ kind: 'none' }),
  fc.constant<Answer>({ kind: 'timeout' }),
  fc.constantFrom('SERVFAIL', 'REFUSED', 'CONNREFUSED').map((error): Answer => ({ kind: 'failed', error })),
);

/** The definition: returns whether this code is a listing of this list. */
function isListing(list: Provider, text: string): boolean {
  const code = codeNumber(text);
  if (code === null || !isLoopback(code) || REFUSED.includes(text) || text.startsWith('127.255.255.')) return false;
  if (list.bitmask === null) return list.listings?.some((range) => isWithin(range, code)) ?? true;
  const last = Number(text.split('.')[3]);
  return text.startsWith('127.0.0.') && last % 2 === 0 && list.bitmask.bits.some(({ bit }) => (last & bit) !== 0);
}

t.test('a listing has a code that the list uses for listings, and no unknown code', async () => {
  fc.assert(
    fc.property(provider, answer, (list, said) => {
      const { status } = classify(list, said);
      const addresses = said.kind === 'addresses' ? said.addresses : [];
      const isForeign = addresses.some((each) => !each.startsWith('127.'));
      return (status === 'listed') === (!isForeign && addresses.some((each) => isListing(list, each)));
    }),
    RUNS,
  );
});

t.test('refusals alone are never a listing and never clean', async () => {
  const refusals = fc.array(fc.constantFrom(...REFUSED), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      provider,
      refusals,
      (list, addresses) => classify(list, { kind: 'addresses', addresses }).status === 'blocked',
    ),
    RUNS,
  );
});

t.test('only NXDOMAIN and NODATA are clean, never a missing answer', async () => {
  fc.assert(
    fc.property(provider, answer, (list, said) => {
      const isNothing = said.kind === 'none' || (said.kind === 'addresses' && said.addresses.length === 0);
      return (classify(list, said).status === 'clean') === isNothing;
    }),
    RUNS,
  );
});

t.test('the order of records and their repetition do not matter', async () => {
  fc.assert(
    fc.property(
      provider,
      fc
        .array(address, { minLength: 1, maxLength: 6 })
        .chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
        ),
      (list, [all, shuffled]) => {
        const [a, b] = [all, shuffled].map((addresses) => classify(list, { kind: 'addresses', addresses }));
        return JSON.stringify(a) === JSON.stringify(b);
      },
    ),
    RUNS,
  );
});

t.test('a score is a number from 0 to 100, and null only if no list responded', async () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...LIST_STATUSES), { maxLength: 60 }), (statuses) => {
      const { score, rating, listed, clean, responding, asked } = summarize(
        statuses.map((status) => ({ status })),
        true,
      );
      const answers = statuses.filter((status) => status === 'clean' || status === 'listed').length;
      const isSound = score === null ? rating === null : score >= 0 && score <= 100 && rating !== null;
      return (
        isSound &&
        (score === null) === (answers === 0) &&
        responding === answers &&
        asked === statuses.length &&
        listed + clean === responding &&
        (score !== 100 || listed === 0)
      );
    }),
    RUNS,
  );
});

t.test('a domain is listed if any of its addresses is, and clean if all of them are, in any order', async () => {
  const rows = fc.array(fc.tuple(provider, answer), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(rows, fc.boolean(), (asked, isKnown) => {
      const all = asked.map(([list, said], n) => ({ ...classify(list, said), tookMs: n, address: `192.0.2.${n}` }));
      const failures = isKnown ? [] : [{ status: 'error' as const, reason: 'unknown' }];
      const { status } = mergeAddresses(all, failures);
      const statuses = all.map((row) => row.status);
      const isListed = statuses.includes('listed');
      const isClean = isKnown && statuses.every((each) => each === 'clean');
      return (
        (status === 'listed') === isListed &&
        (status === 'clean') === isClean &&
        JSON.stringify(mergeAddresses([...all].reverse(), failures)) === JSON.stringify(mergeAddresses(all, failures))
      );
    }),
    RUNS,
  );
});

t.test('only observed answers change the health of a list, and a failing list gives no answers', async () => {
  fc.assert(
    fc.property(provider, answer, answer, answer, (list, positive, negative, said) => {
      const health = evaluateTestAnswers(list, { positives: [positive], negative, negative6: null })?.health;
      const proves = (each: Answer) =>
        each.kind === 'none' ||
        (each.kind === 'addresses' &&
          (each.addresses.length === 0 ||
            (each.addresses.every((one) => one.startsWith('127.')) &&
              each.addresses.some((one) => refusalOf(list, codeNumber(one) ?? 0) === null))));
      if (health === 'passing' && !(proves(positive) && proves(negative))) return false;
      if (health === 'failing' && !(proves(positive) || proves(negative))) return false;
      if (health === undefined && proves(positive) && proves(negative)) return false;
      const classified = withoutFailingList(classify(list, said), {
        health: 'failing',
        reason: 'why',
        tested_at_ms: 0,
      }).status;
      return classified !== 'clean' && classified !== 'listed';
    }),
    RUNS,
  );
});

t.test('every address has a unique name in a zone', async () => {
  const v6 = fc.ipV6().filter((text) => !text.includes('.'));
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), v6), (text) => {
      const name = queryName(text, 'zone.example');
      const labels = name?.split('.') ?? [];
      return labels.length === (text.includes(':') ? 34 : 6) && (labels.at(-1) ?? '') === 'example';
    }),
    RUNS,
  );
});
