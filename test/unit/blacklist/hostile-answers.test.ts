import t from 'tap';
import { classify } from '../../../control-plane/blacklist/lists/classify.js';
import { chooseAddresses } from '../../../control-plane/blacklist/lookup/domain-addresses.js';
import { startStepCounter } from '../../helpers/count-steps.js';

/** As many addresses as fit into a DNS response of 64 KiB. */
const ADDRESSES = 4_000;
/** The number of codes that the history keeps. */
const CODES_KEPT_MAX = 32;
const NONE = { kind: 'none' } as const;

const counter = startStepCounter();
t.teardown(() => counter.stop());

function addresses(firstOctet: number, count = ADDRESSES): string[] {
  return Array.from({ length: count }, (_, index) => `${firstOctet}.0.${index >> 8}.${index & 255}`);
}

t.test('what each list repeats of the addresses of a domain is short, however many it has', async (t) => {
  for (const [kind, firstOctet, chosen] of [
    ['public', 8, 8],
    ['private', 10, 0],
  ] as const) {
    const choose = (count: number) =>
      chooseAddresses({ kind: 'addresses', addresses: addresses(firstOctet, count) }, NONE);
    const found = choose(ADDRESSES);
    t.equal(Array.isArray(found[4]) && found[4].length, chosen, kind);
    t.same(
      [found.skipped.length, found.skipped.at(-1), found.refused.length],
      kind === 'public'
        ? [9, `${ADDRESSES - chosen - 8} more addresses`, 0]
        : [1, 'the domain points to an address that is not allowed', 8],
    );
    t.ok(found.skipped.join('; ').length < 1_000);
    const few = await counter.stepsOf(() => void choose(ADDRESSES / 4));
    const many = await counter.stepsOf(() => void choose(ADDRESSES));
    t.ok(many < 8 * few, `${kind}: ${few} steps, then ${many} for four times as many addresses`);
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
