import t from 'tap';
import { classify } from '../../../control-plane/blacklist/lists/classify.js';
import { chooseAddresses } from '../../../control-plane/blacklist/lookup/domain-addresses.js';
import { fastestOf } from '../../helpers/fastest.js';

/** As many addresses as fit into a DNS response of 64 KiB. */
const ADDRESSES = 4_000;
const MS_MAX = 500;
/** The number of codes that the history keeps. */
const CODES_KEPT_MAX = 32;
const NONE = { kind: 'none' } as const;

function addresses(firstOctet: number): string[] {
  return Array.from({ length: ADDRESSES }, (_, index) => `${firstOctet}.0.${index >> 8}.${index & 255}`);
}

t.test('what each list repeats of the addresses of a domain is short, however many it has', async (t) => {
  for (const [kind, firstOctet, chosen] of [
    ['public', 8, 8],
    ['private', 10, 0],
  ] as const) {
    const ms = fastestOf(1, () => {
      const found = chooseAddresses({ kind: 'addresses', addresses: addresses(firstOctet) }, NONE);
      t.equal(Array.isArray(found[4]) && found[4].length, chosen, kind);
      t.equal(found.skipped.length, 9);
      t.equal(found.skipped.at(-1), `${ADDRESSES - chosen - 8} more addresses`);
      t.ok(found.skipped.join('; ').length < 1_000);
    });
    t.ok(ms < MS_MAX, `${kind}: ${ms.toFixed(1)} ms`);
  }
});

t.test('all codes of an answer are classified, and the first ones are kept', async (t) => {
  const list = { listings: null, refusals: [], bitmask: null };
  const listed = classify(list, { kind: 'addresses', addresses: addresses(127) });
  t.match(listed, { status: 'listed', meanings: [] });
  t.equal(listed.codes.length, CODES_KEPT_MAX);
  t.same(listed.codes.slice(0, 2), ['127.0.0.0', '127.0.0.1']);
  const invalid = classify(list, { kind: 'addresses', addresses: [...addresses(127), '203.0.113.1'] });
  t.equal(invalid.status, 'invalid');
  t.equal(invalid.codes.length, CODES_KEPT_MAX);
});
