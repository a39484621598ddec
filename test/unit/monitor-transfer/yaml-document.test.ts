import t from 'tap';
import { parse, parseDocument } from 'yaml';
import { documentOf } from '../../../control-plane/monitor-transfer/yaml-document.js';

const TEXTS = [
  '',
  'text',
  'a: 1\nb:\n  - c\n  - d: [1, {e: f}, []]\n    g: {h: i, j: [k]}\n\nl: m # comment\n',
  '- - - a\n    - b\n- c: d\n  e:\n    - f\n-\n- ~\n',
  '? a\n: - b\n  - c\n? [d, e]\n: f\n',
  '? - a\n  - {b: c}\n: d\n? {e: f}\n: g\n',
  '[a, b: c, {d: [e, f], g}, "h\n i", ]',
  '{"a": {"b": [1, 2.5, true, null, "c"]}, "d": []}',
  'a: |\n  one\n  two\nb: >-\n  three\n  four\nc: "five\\n"\n',
  '--- # first\na: &x\n  b: [c]\nd: *x\ne: !!str 1\n...\n',
  '# only\n- a\n\n# in between\n- b\n  # deeper\n- c\n# last\n',
  '%YAML 1.2\n---\na:\nb: \n- c\n',
];

t.test('a document is the one that the library reads', async (t) => {
  for (const text of TEXTS) {
    const document = documentOf(text);
    t.ok(typeof document === 'object', text);
    if (typeof document === 'object') t.same(document.toJS(), parse(text, { uniqueKeys: false }), text);
  }
});

t.test('what is wrong is said with its line and column, as by the library', async (t) => {
  const wrong = [
    'a: b: c',
    'a: 1\n b: 2\n',
    'a:\n  - b\n - c\n',
    '[a, b',
    'a: [1, 2\nb: 3\n',
    'a: "b\n',
    '- a\n- !!js/function b\n',
    '{? ? ? a',
    'a: 1\n---\n',
  ];
  for (const text of wrong) {
    const { errors, warnings } = parseDocument(text, { uniqueKeys: false });
    const [first = ''] = [...errors, ...warnings].map(({ message }) => message.split('\n', 1)[0]?.replace(/:$/, ''));
    if (first.includes('multiple documents')) t.equal(documentOf(text), 'it contains multiple documents');
    else t.equal(documentOf(text), first, text);
    t.match(first, /line \d+, column \d+/);
  }
});
