import t from 'tap';
import { readFeed } from '../../../../control-plane/wordpress/vulnerabilities/read-feed.js';
import { range, readText, wordfenceRecord } from '../../../helpers/wordpress/feed.js';

const RANGE = { '* - 1.2.3': range({ to: '1.2.3' }) };
const feedOf = (...records: unknown[]) =>
  JSON.stringify(Object.fromEntries(records.map((record, index) => [`key-${index}`, record])));

t.test('a record of Wordfence Intelligence', async (t) => {
  const read = await readText(feedOf(wordfenceRecord('Example', RANGE)));
  t.same(read, [
    {
      vulnerability_id: '848ccbdc-c6f1-480f-a272-cd459706a713',
      slug: 'example',
      title: 'Example - Stored Cross-Site Scripting',
      ranges: [{ from: null, from_inclusive: true, to: '1.2.3', to_inclusive: true }],
      ...{ patched_versions: ['1.2.4'], cve: 'CVE-2026-10000', rating: 'Medium', source: 'wordfence' },
      url: 'https://www.wordfence.com/threat-intel/vulnerabilities/id/848ccbdc',
      notices: [
        {
          text: 'Copyright 2012-2026 Defiant Inc.',
          license_url: 'https://www.wordfence.com/wordfence-intelligence-terms/',
        },
        { text: 'Copyright 1999-2026 The MITRE Corporation', license_url: 'https://www.cve.org/Legal/TermsOfUse' },
      ],
    },
  ]);
  const { cvss, cve, informational, ...scanner } = wordfenceRecord('example', RANGE);
  t.match(await readText(JSON.stringify([scanner])), [{ slug: 'example', cve: null, rating: null }], 'scanner feed');
});

t.test('records of themes, of WordPress and for information only are no records of plugins', async (t) => {
  const theme = { type: 'theme', slug: 'example', affected_versions: RANGE, patched_versions: [] };
  const plugin = { ...theme, type: 'plugin', slug: 'both' };
  const read = await readText(
    feedOf(
      wordfenceRecord('told', RANGE, { informational: true }),
      wordfenceRecord('a-theme', RANGE, { software: [theme] }),
      wordfenceRecord('wordpress', RANGE, { software: [{ ...theme, type: 'core', slug: 'wordpress' }] }),
      wordfenceRecord('several', RANGE, { software: [theme, plugin, { ...plugin, slug: 'another' }] }),
    ),
  );
  t.same(
    read.map(({ slug }) => slug),
    ['both', 'another'],
  );
});

t.test('ranges that cannot be read are no ranges that nothing is in', async (t) => {
  const unreadable: Record<string, unknown> = {
    'no range': {},
    'a list without one': [],
    'a text': '<= 1.2.3',
    'no upper bound': { x: { ...range(), to_version: null } },
    'an empty bound': { x: range({ to: '' }) },
    'a bound without a number': { x: range({ to: 'latest' }) },
    'an object as a bound': { x: { ...range(), to_version: { $gt: '' } } },
    'a text as a flag': { x: { ...range(), to_inclusive: 'false' } },
    'the wrong way round': { x: range({ from: '2.0', to: '1.0' }) },
    'nothing between its bounds': { x: range({ from: '1.0', to: '1.0', toInclusive: false }) },
    'one of two': { x: range({ to: '1.0' }), y: 'later' },
    'too many': Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, range()])),
  };
  for (const [what, ranges] of Object.entries(unreadable)) {
    t.match(await readText(feedOf(wordfenceRecord('example', ranges as object))), [{ ranges: null }], what);
  }
  const whole = await readText(feedOf(wordfenceRecord('example', { '*': range() })));
  t.match(whole, [{ ranges: [{ from: null, to: null }] }], '* is any version');
  const single = await readText(feedOf(wordfenceRecord('example', { '1.0': range({ from: '1.0', to: '1.0.0' }) })));
  t.match(single, [{ ranges: [{ from: '1.0', to: '1.0.0' }] }], 'one version');
});

const WPVULNERABILITY = {
  error: 0,
  message: null,
  data: {
    ...{ name: 'Example', link: 'https://wordpress.org/plugins/example/', latest: '1606780800', closed: '0' },
    vulnerability: [
      {
        name: 'Example < 1.2.4',
        description: null,
        operator: {
          ...{ min_version: '1.0', min_operator: 'ge', max_version: '1.2.4', max_operator: 'lt' },
          ...{ unfixed: '0', closed: '0' },
        },
        source: [{ id: 'CVE-2026-10001', name: 'CVE', link: 'https://www.cve.org/CVERecord?id=CVE-2026-10001' }],
        impact: [],
      },
    ],
  },
};
const withOperator = (operator: unknown) => {
  const [vulnerability] = WPVULNERABILITY.data.vulnerability;
  return { ...WPVULNERABILITY, data: { ...WPVULNERABILITY.data, vulnerability: [{ ...vulnerability, operator }] } };
};

t.test('an answer of WPVulnerability, several of them, and those by slug', async (t) => {
  const expected = {
    ...{ slug: 'example', cve: 'CVE-2026-10001', source: 'wpvulnerability', patched_versions: ['1.2.4'] },
    ranges: [{ from: '1.0', from_inclusive: true, to: '1.2.4', to_inclusive: false }],
  };
  const one = JSON.stringify(WPVULNERABILITY);
  t.match(await readText(one), [expected]);
  t.match(await readText(`${one}\n${one}\n`), [expected, expected]);
  t.match(await readText(`[${one}]`), [expected]);
  const { link, ...unlinked } = WPVULNERABILITY.data;
  t.match(await readText(JSON.stringify({ example: { error: 0, data: unlinked } })), [expected]);
  const theme = { ...WPVULNERABILITY.data, link: 'https://wordpress.org/themes/example/' };
  t.same(await readText(JSON.stringify({ error: 0, data: theme })), [], 'a theme');
  const none = { ...WPVULNERABILITY.data, vulnerability: null };
  t.same(await readText(JSON.stringify({ error: 0, data: none })), [], 'a plugin without vulnerabilities');
});

t.test('the operators of WPVulnerability', async (t) => {
  const ranges = async (operator: unknown) => (await readText(JSON.stringify(withOperator(operator))))[0]?.ranges;
  t.match(await ranges({ max_version: '2.0', max_operator: 'le' }), [{ from: null, to: '2.0', to_inclusive: true }]);
  t.match(await ranges({ min_version: '1.0', min_operator: 'gt', max_version: null, max_operator: null }), [
    { from: '1.0', from_inclusive: false, to: null },
  ]);
  t.match(await ranges({ max_version: '1.5', max_operator: 'eq' }), [
    { from: '1.5', from_inclusive: true, to: '1.5', to_inclusive: true },
  ]);
  t.equal(await ranges({ max_version: '1.5', max_operator: 'ne' }), null);
  t.equal(await ranges({ max_version: '1.5' }), null);
  t.equal(await ranges({ max_version: { a: 1 }, max_operator: 'lt' }), null);
  t.equal(await ranges('< 1.5'), null);
  t.equal(await ranges({ min_version: null, min_operator: null }), undefined, 'neither bound: not applicable');
});

t.test('a feed that is not whole, or no feed, is refused', async (t) => {
  const whole = feedOf(wordfenceRecord('one', RANGE), wordfenceRecord('two', RANGE));
  for (let end = 0; end < whole.length; end += 97) {
    await t.rejects(readText(whole.slice(0, end)), { name: 'FeedProblem' }, `${end} of ${whole.length} bytes`);
  }
  await t.rejects(readText(whole.slice(0, -1)), /not complete/);
  await t.rejects(readText(`${whole}<html>`), /not complete/);
  await t.rejects(readText('<html>Sign in</html>'), /not complete/);
  for (const text of ['{}', '[]', 'null', '"feed"', '{"error":1,"message":"no"}', '']) {
    await t.rejects(readText(text), /no record/, text);
  }
  for (const record of [
    null,
    1,
    'x',
    [],
    {},
    { software: {} },
    { software: [null] },
    { software: [{ type: 'plugin' }] },
  ]) {
    await t.rejects(readText(feedOf(record)), /1 of 1 records/, JSON.stringify(record));
  }
});

t.test('one record in a hundred that cannot be read keeps nobody from the others', async (t) => {
  const records = Array.from({ length: 99 }, (_, index) => wordfenceRecord(`plugin-${index}`, RANGE));
  t.equal((await readText(feedOf(...records, { title: 'of another kind' }), 1_000)).length, 99);
  await t.rejects(readText(feedOf(...records, {}, {}), 1_000), /2 of 101 records/);
});

t.test('of a feed without an end, no more is read than its limits', async (t) => {
  const MIB = 1_048_576;
  const sent = { bytes: 0 };
  async function* endless(start: string, more: string) {
    yield Buffer.from(start);
    const chunk = Buffer.from(more.repeat(Math.ceil(MIB / more.length)));
    for (;;) {
      sent.bytes += chunk.length;
      yield chunk;
    }
  }
  const drain = async (bytes: AsyncIterable<Uint8Array>) => {
    sent.bytes = 0;
    for await (const _ of readFeed(bytes));
  };
  await t.rejects(drain(endless('{"a":{"title":"', 'x')), /larger than 1 MiB/, 'a text');
  t.ok(sent.bytes <= 3 * MIB, `${sent.bytes} bytes`);
  await t.rejects(drain(endless('{"a":', '[')), /larger than 1 MiB/, 'a depth');
  t.ok(sent.bytes <= 3 * MIB);
  await t.rejects(drain(endless('', ' ')), /larger than 1 MiB/, 'spaces');
  t.ok(sent.bytes <= 3 * MIB);
  await t.rejects(drain(endless('[{"software":[]}', ',{"software":[]}')), /more than 1000000 records/);
});
