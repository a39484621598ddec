import t from 'tap';
import { compare, judgePlugins } from '../../../../control-plane/wordpress/vulnerabilities/compare.js';
import type { InstalledPlugin } from '../../../../control-plane/wordpress/vulnerabilities/documents.js';
import { range, readText, wordfenceRecord } from '../../../helpers/wordpress/feed.js';

const FEED = { generation: 'g', sources: ['wordfence' as const], as_of_ms: Date.UTC(2026, 0, 31) };
const TO = { x: range({ to: '1.2.3' }) };

const plugin = (slug: string, version: string, active = true): InstalledPlugin => ({
  ...{ slug, name: `The ${slug}`, version, active },
});
async function judged(plugins: InstalledPlugin[], records: unknown[], complete = true) {
  const read = await readText(JSON.stringify(records), 500);
  return judgePlugins({ at_ms: 0, complete, plugins }, compare(plugins, read), FEED);
}

t.test('a plugin in a range is named with the version that has the fix, and the feed', async (t) => {
  const found = await judged([plugin('forms', '1.2.3'), plugin('other', '9')], [wordfenceRecord('forms', TO)]);
  t.same(found, {
    status: 'failing',
    evidence: 'The forms 1.2.3: fixed in 1.2.4 (Wordfence Intelligence of 2026-01-31)',
  });
  t.match(
    await judged([plugin('forms', '1.2.3', false)], [wordfenceRecord('forms', TO)]),
    { status: 'failing' },
    'its files are there all the same',
  );
  t.match(await judged([plugin('forms', '1.2.4')], [wordfenceRecord('forms', TO)]), {
    status: 'passing',
    evidence: 'none of 1 plugins has a known vulnerability (Wordfence Intelligence of 2026-01-31)',
  });
});

t.test('what ends all vulnerabilities of a plugin is its fix', async (t) => {
  const later = wordfenceRecord('forms', TO, { id: 'another' });
  const software = (patched_versions: string[]) => [{ ...later.software[0], patched_versions }];
  const fixOf = async (...patched: string[][]) =>
    (
      await judged(
        [plugin('forms', '1.0')],
        [
          wordfenceRecord('forms', TO),
          ...patched.map((versions, index) => ({ ...later, id: `r${index}`, software: software(versions) })),
        ],
      )
    ).evidence;
  t.match(await fixOf(['1.10', '1.9', '0.9']), 'fixed in 1.9 ', 'the first later version');
  t.match(await fixOf(['1.2.4'], []), 'no fixed version is known');
  t.match(await fixOf(['0.9']), 'no fixed version is known', 'an earlier version is no way out');
});

t.test('what cannot be compared is unknown, never passing', async (t) => {
  const unreadable = wordfenceRecord('forms', {});
  t.match(await judged([plugin('forms', '1.0')], [unreadable]), { status: 'unknown', evidence: /The forms/ });
  t.match(
    await judged([plugin('forms', '')], [wordfenceRecord('forms', TO)]),
    { status: 'unknown' },
    'without a version',
  );
  t.match(
    await judged([plugin('forms', '')], [wordfenceRecord('forms', { x: range() })]),
    { status: 'failing' },
    'any version',
  );
  t.match(
    await judged([plugin('other', '')], [wordfenceRecord('forms', TO)]),
    { status: 'passing' },
    'not in the feed',
  );
  t.match(await judged([plugin('other', '1')], [wordfenceRecord('forms', TO)], false), {
    status: 'unknown',
    evidence: /more plugins/,
  });
  t.match(await judged([plugin('forms', '1')], [wordfenceRecord('forms', TO)], false), { status: 'failing' });
  t.match(await judged([], [wordfenceRecord('forms', TO)]), { status: 'unknown' });
});

t.test('a record that the feed has twice is one vulnerability, and the evidence is limited', async (t) => {
  const records = await readText(JSON.stringify([wordfenceRecord('forms', TO), wordfenceRecord('forms', TO)]), 500);
  t.equal(compare([plugin('forms', '1.0')], records).found.length, 1);
  const many = Array.from({ length: 60 }, (_, index) => plugin(`${'p'.repeat(90)}-${index}`, '1.0'));
  const { evidence } = await judged(
    many,
    many.map(({ slug }, index) => wordfenceRecord(slug, TO, { id: `r${index}` })),
  );
  t.ok(evidence.length <= 300, evidence);
  t.match(evidence, /; and 57 more \(Wordfence Intelligence of 2026-01-31\)$/);
});
