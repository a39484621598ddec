import fc from 'fast-check';
import t from 'tap';
import { foreignText } from '../../../control-plane/mail/foreign-text.js';

const ZWNJ = '\u200c';

t.test('a plain name stays as it is', (t) => {
  for (const name of [
    'Example Shop',
    "O'Brien & Sons <IT>",
    'Zürich 2',
    '東京チーム',
    'v1.2',
    'Acme Inc.',
    '👩‍💻 Team',
    '3.5 GHz',
  ])
    t.equal(foreignText(name), name);
  t.end();
});

t.test('mail clients make no link of a name', (t) => {
  const cases = [
    ['http://evil.example/x', `http:${ZWNJ}//evil${ZWNJ}.example/x`],
    ['You won: www.evil.example', `You won: www${ZWNJ}.evil${ZWNJ}.example`],
    ['evil.example', `evil${ZWNJ}.example`],
    ['192.0.2.1.nip.io', `192.0.2.1${ZWNJ}.nip${ZWNJ}.io`],
    ['evil.рф', `evil${ZWNJ}.рф`],
    ['hxxp:\u200b//evil.example', `hxxp:${ZWNJ}//evil${ZWNJ}.example`],
  ];
  for (const [name = '', expected] of cases) t.equal(foreignText(name), expected);
  t.end();
});

t.test('a name from right to left is isolated from the text around it', (t) => {
  t.equal(foreignText('חנות'), '\u2068חנות\u2069');
  t.equal(foreignText('متجر 24'), '\u2068متجر 24\u2069');
  t.end();
});

t.test('a name is one short line without deceptive characters', (t) => {
  t.equal(foreignText('a\r\nBcc: x@y.z\u2028b'), `a Bcc: x@y${ZWNJ}.z b`);
  t.equal(foreignText('Pay\u202elap\u2066\u200f'), 'Paylap');
  t.equal(foreignText('a\u200bb\ufeffc\u00add\u{e0041}\ud800'), 'abcd');
  t.equal(foreignText(`e${'\u0301'.repeat(50)}`), `e${'\u0301'.repeat(4)}`);
  t.equal(foreignText('x'.repeat(500)).length, 100);
  t.notMatch(foreignText(`x${'🎉'.repeat(100)}`), /\p{Cs}/u, 'no character is cut in half');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const shown = foreignText(name);
      const isolates = [...shown].filter((char) => char === '\u2068').length;
      return (
        !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066\u2067]/u.test(shown) &&
        !/:\/\//.test(shown) &&
        !/[\p{L}\p{N}]\.\p{L}/u.test(shown) &&
        shown.endsWith('\u2069') === (isolates === 1) &&
        isolates <= 1 &&
        shown.replaceAll(ZWNJ, '').length <= 102
      );
    }),
  );
  t.end();
});
