import t from 'tap';
import { readableOnWhite, textOn } from '../../../control-plane/client-reports/charts/colors.js';
import { percent } from '../../../control-plane/client-reports/content/wording.js';
import { daysOf } from '../../../control-plane/client-reports/facts/days.js';
import { createGlyphs } from '../../../control-plane/client-reports/pdf/glyphs.js';
import { percentUp } from '../../../control-plane/results/uptime/uptime.js';

const HOUR_MS = 3_600_000;

t.test('a percentage is rounded down, and a second of downtime in any time is not 100 %', async (t) => {
  const shown = (up_ms: number, observed_ms: number) => percent(percentUp({ up_ms, observed_ms }));
  t.equal(shown(24_999, 25_000), '99.99 %');
  t.equal(shown(90 * 86_400 - 1, 90 * 86_400), '99.99 %');
  t.equal(shown(30 * 86_400, 30 * 86_400), '100 %');
  t.equal(shown(998_996, 1_000_000), '99.89 %');
  t.equal(shown(9_999_999_999, 10_000_000_000), '99.99 %');
  t.equal(shown(0, 1), '0.00 %');
  t.equal(shown(0, 0), 'no data');
  for (let hundredths = 0; hundredths < 10_000; hundredths++)
    if (shown(hundredths, 10_000) !== `${(hundredths / 100).toFixed(2)} %`) t.fail(`${hundredths} of 10,000`);
});

t.test('days are those of the time zone, also where a day has 23 or 25 hours', async (t) => {
  // Summer time ends in Berlin on 25 October 2026.
  const from = Date.UTC(2026, 9, 23, 22);
  const to = Date.UTC(2026, 9, 26, 23);
  const days = daysOf(from, to, 'Europe/Berlin');
  t.same(
    days.starts.map((start) => (start - from) / HOUR_MS),
    [0, 24, 49],
  );
  t.equal(days.placeOf(from + 23 * HOUR_MS), 0);
  t.equal(days.placeOf(from + 48 * HOUR_MS), 1, 'the hour that the clocks go through twice');
  t.equal(days.placeOf(to - 1), 2);
  t.equal(days.placeOf(from - 1), 0);
  t.same(daysOf(from, from + 1, 'UTC').starts, [from]);
});

t.test('characters that the font lacks become one sign for each run', async (t) => {
  const isLatin = (codePoint: number) =>
    codePoint < 0x250 || codePoint === 0xfffd || (codePoint >= 0x600 && codePoint < 0x700);
  const glyphs = createGlyphs(isLatin);
  t.equal(glyphs.shown('Łódź'), 'Łódź');
  t.equal(glyphs.shown('Zoe\u0308'), 'Zoë', 'composed');
  t.equal(glyphs.shown('a\u200Db\u202E'), 'ab', 'what is invisible is left out');
  t.notOk(glyphs.hasSubstituted());
  t.equal(glyphs.shown('中文商店 shop 👩‍👩‍👧‍👦!'), '\uFFFD shop \uFFFD!');
  t.ok(glyphs.hasSubstituted());
  t.same(glyphs.shown('a متجر الرياض: b'), ['a ', 'الرياض', ' ', 'متجر', ': b'], 'words from right to left');
});

t.test('any colour of a customer can be read', async (t) => {
  t.equal(textOn('#ffff00'), '#000000');
  t.equal(textOn('#1f4e79'), '#ffffff');
  t.equal(readableOnWhite('#1f4e79'), '#1f4e79');
  t.not(readableOnWhite('#ffff00'), '#ffff00');
  t.match(readableOnWhite('#ffffff'), /^#([0-7][0-9a-f]){3}$/);
});
