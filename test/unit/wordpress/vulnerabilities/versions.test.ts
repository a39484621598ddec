import t from 'tap';
import { compareVersions, includesVersion } from '../../../../control-plane/wordpress/vulnerabilities/versions.js';

/** Each is lower than the next. */
const ASCENDING = [
  'final',
  '0.9',
  '1.0-dev',
  '1.0-alpha',
  '1.0-alpha2',
  '1.0-beta',
  '1.0-beta.2',
  '1.0-beta10',
  '1.0-rc1',
  '1.0',
  '1.0.0.1',
  '1.0.1',
  // Above 1.0.1 in PHP too.
  '1.0-pl1',
  '1.2',
  '1.10',
  '2',
  '2.0.0.0.1',
  '20240101123456789012',
  '20240101123456789013',
];

t.test('versions are in the order of version_compare', async (t) => {
  for (const [index, one] of ASCENDING.entries()) {
    for (const [otherIndex, other] of ASCENDING.entries()) {
      const order = Math.sign(compareVersions(one, other));
      t.equal(order, Math.sign(index - otherIndex), `${one} and ${other}`);
    }
  }
});

t.test('versions that people mean as the same are equal', async (t) => {
  const equal = [
    ['1.0', '1.0.0'],
    ['2.0', '2'],
    ['1', '1.0.0.0.0'],
    ['v1.2', '1.2'],
    ['V1.2', '1.2.0'],
    ['1.02', '1.2'],
    ['1-2_3+4', '1.2.3.4'],
    ['1.0RC1', '1.0-rc.1'],
    ['1.0b2', '1.0 Beta 2'],
    [' 1.0 ', '1.0'],
    ['1..0', '1.0'],
  ] as const;
  for (const [one, other] of equal) {
    t.equal(compareVersions(one, other), 0, `${one} and ${other}`);
    t.equal(compareVersions(other, one), 0, `${other} and ${one}`);
  }
});

t.test('a range includes its bounds only if it says so', async (t) => {
  const within = (version: string, from: string | null, to: string | null, inclusive = true) =>
    includesVersion({ from, from_inclusive: inclusive, to, to_inclusive: inclusive }, version);
  t.equal(within('1.0.0', null, '1.0'), true, 'an installed 1.0.0 is not above 1.0');
  t.equal(within('1.0', null, '1.0.0'), true);
  t.equal(within('1.0.0', null, '1.0', false), false);
  t.equal(within('1.0.1', null, '1.0'), false);
  t.equal(within('1.5.0', '1.5', null), true);
  t.equal(within('1.5.0', '1.5', null, false), false);
  t.equal(within('1.5-beta', '1.5', null), false);
  t.equal(within('1.10', '1.2', '1.11'), true);
  t.equal(within('0', null, null), true);
});
