import t, { type Test } from 'tap';
import { KEYWORD_CHARS_MAX } from '../../../control-plane/monitors/schema.js';
import { BODY_BYTES_MAX, containsText } from '../../../probe/checks/http/body-text.js';
import { HEAD_BYTES_MAX, parseHead, type ResponseHead } from '../../../probe/checks/http/head.js';
import { createHttpParser } from '../../../probe/checks/http/parser.js';
import { redirectedHop } from '../../../probe/checks/http/redirect.js';
import { CheckFailure } from '../../../probe/checks/outcome.js';
import { startStepCounter } from '../../helpers/count-steps.js';

const MIB = 1024 * 1024;
/**
 * Work that grows with the square of a text takes seconds for 64 KiB, so for this much it takes hours, and the test does not
 * end. V8 does not count the steps of an expression, and a text has no limit here.
 */
const FAR_TOO_LONG = 4 * MIB;
/** The longest text that Node.js searches for in linear time, see `find-bytes.ts`. */
const SEARCHED_BYTES_MAX = 250;
/** Far above the steps for each byte that a loop takes, and far below the number of bytes. */
const STEPS_PER_BYTE_MAX = 40;
/** The limit of a `Location`. */
const LOCATION_BYTES_MAX = 16 * 1024;

const counter = startStepCounter();
t.teardown(() => counter.stop());

/** Records what each call of a function gets, until the end of the test. */
function recordCalls<Key extends string>(t: Test, of: Record<Key, unknown>, name: Key): unknown[][] {
  const calls: unknown[][] = [];
  const original = of[name] as (...args: unknown[]) => unknown;
  const recording = function (this: unknown, ...args: unknown[]) {
    calls.push([this, ...args]);
    return Reflect.apply(original, this, args);
  };
  of[name] = recording;
  t.teardown(() => {
    of[name] = original;
  });
  return calls;
}

function headWith(contentType: string): ResponseHead {
  return { status: 200, headers: new Map([['content-type', contentType]]), setCookies: [] };
}

t.test('a Content-Type is searched once, however long it is', async (t) => {
  const hostile = [
    '<?xml '.repeat(FAR_TOO_LONG / 6),
    '<?xml'.repeat(FAR_TOO_LONG / 5) + ' '.repeat(100),
    'charset '.repeat(FAR_TOO_LONG / 8),
    `charset${' '.repeat(FAR_TOO_LONG)}`,
    'charset=klingon;'.repeat(FAR_TOO_LONG / 16),
  ];
  for (const contentType of hostile) {
    t.notOk(containsText(Buffer.from('x'), headWith(contentType), 'y'), `${contentType.slice(0, 12)}…`);
  }
});

t.test('a body of the maximum size is searched as bytes, whatever its characters are', async (t) => {
  const body = Buffer.alloc(BODY_BYTES_MAX, 0x80);
  body.write('\x93end\x94', BODY_BYTES_MAX - 5, 'latin1');
  const decoded = recordCalls(t, TextDecoder.prototype, 'decode');
  const texts = recordCalls(t, Buffer.prototype, 'toString');
  for (const head of [headWith('text/html'), headWith('text/html; charset=windows-1252')]) {
    t.notOk(containsText(body, head, '“End”'));
    t.ok(containsText(body, head, '€“end”'));
    t.notOk(containsText(body, head, '\u0093end'), 'the characters are those of windows-1252, not of latin1');
    t.notOk(containsText(body, head, '日本'), 'a keyword that windows-1252 cannot contain');
  }
  t.same(decoded, []);
  t.same(
    texts.filter(([bytes]) => Buffer.isBuffer(bytes) && bytes.length > 1024),
    [],
    'only its start, which may declare a character set, becomes a text',
  );
});

t.test('a keyword that nearly repeats itself is searched once in a body that repeats itself', async (t) => {
  const halfChars = KEYWORD_CHARS_MAX / 2;
  const bodyBytes = BODY_BYTES_MAX / 16;
  const body = Buffer.alloc(bodyBytes, 'a');
  const utf16 = Buffer.alloc(bodyBytes, 'a', 'utf16le');
  // Boyer-Moore compares the most characters for these texts.
  const keywords = [
    `${'a'.repeat(halfChars)}b${'a'.repeat(halfChars - 1)}`,
    `${'a'.repeat(halfChars * 2 - 1)}b`,
    `b${'a'.repeat(halfChars * 2 - 1)}`,
    `${'a'.repeat(125)}b${'a'.repeat(124)}`,
    `${'a'.repeat(251)}b`,
    'ab'.repeat(halfChars),
  ];
  const searches = [recordCalls(t, Buffer.prototype, 'includes'), recordCalls(t, Buffer.prototype, 'indexOf')];
  for (const keyword of keywords) {
    for (const [bytes, charset] of [
      [body, 'text/html'],
      [body, 'text/html; charset=windows-1252'],
      [utf16, 'text/html; charset=utf-16le'],
    ] as const) {
      const what = `${keyword.slice(0, 2)}… of ${keyword.length}, ${charset}`;
      const steps = await counter.stepsOf(() => void t.notOk(containsText(bytes, headWith(charset), keyword), what));
      t.ok(steps < STEPS_PER_BYTE_MAX * bodyBytes, `${what}: ${(steps / bodyBytes).toFixed(1)} steps for each byte`);
    }
  }
  const lengths = searches.flat().map(([, searched]) => (Buffer.isBuffer(searched) ? searched.length : Number.NaN));
  t.ok(lengths.length > 0);
  t.ok(
    lengths.every((length) => length <= SEARCHED_BYTES_MAX),
    `Node.js searches for ${Math.max(...lengths)} bytes`,
  );
});

t.test('a long keyword is found wherever it is', async (t) => {
  const long = `${'ab'.repeat(150)}c${'ab'.repeat(150)}é`;
  const page = (text: string) => Buffer.from(`${'ab'.repeat(400)}${text}`);
  for (const charset of ['text/html', 'text/html; charset=utf-8']) {
    t.ok(containsText(page(`${long} end`), headWith(charset), long));
    t.ok(containsText(page(long), headWith(charset), long), 'at the end');
    t.ok(containsText(page(long.slice(0, -2) + long), headWith(charset), long), 'after a part of itself');
    t.notOk(containsText(page(long.slice(0, -1)), headWith(charset), long), 'cut');
    t.notOk(containsText(page(long.slice(1)), headWith(charset), long.replace('a', 'x')));
  }
  t.ok(containsText(Buffer.from(long, 'latin1'), headWith('text/html; charset=iso-8859-1'), long));
  t.ok(containsText(Buffer.from(long, 'utf16le'), headWith('text/html; charset=utf-16le'), long));
});

t.test('a Location above the maximum size is not encoded', async (t) => {
  const hop = { url: new URL('http://shop.example.com/'), method: 'GET', headers: new Map(), body: null };
  const redirectTo = (location: string) =>
    redirectedHop(hop, {
      status: 302,
      headers: new Map([['location', Buffer.from(location).toString('latin1')]]),
      setCookies: [],
    });
  const hostOf = (bytes: number) =>
    Array.from({ length: Math.floor(bytes / 3) }, (_, index) => String.fromCharCode(0x4e00 + (index % 20_000))).join(
      '',
    );
  const parsed: number[] = [];
  const { URL: Original } = globalThis;
  globalThis.URL = class extends Original {
    constructor(url: string | URL, base?: string | URL) {
      parsed.push(String(url).length);
      super(url, base);
    }
  };
  t.teardown(() => {
    globalThis.URL = Original;
  });
  t.throws(() => redirectTo(`http://${hostOf(HEAD_BYTES_MAX)}/`), CheckFailure);
  t.same(parsed, [], 'a longer one is not even parsed');
  try {
    redirectTo(`http://${hostOf(LOCATION_BYTES_MAX - 10)}/`);
  } catch (error) {
    t.ok(error instanceof CheckFailure);
  }
  t.equal(parsed.length, 1, 'this one is, once');
  t.throws(() => redirectTo(`/${'a'.repeat(LOCATION_BYTES_MAX)}`), { code: 'protocol_error', message: /than 16 KiB$/ });
  const longest = `/${'a'.repeat(LOCATION_BYTES_MAX - 1)}`;
  t.equal(redirectTo(longest)?.url.pathname, longest);
});

t.test('a header of many folded lines is joined once', async (t) => {
  const text = `HTTP/1.1 200 OK\r\nX-Long: 0\r\n${' 1\n'.repeat(HEAD_BYTES_MAX / 3)}`;
  const trimmed = recordCalls(t, String.prototype, 'trim');
  const length = parseHead(text).headers.get('x-long')?.length ?? 0;
  t.equal(length, 1 + 2 * Math.floor(HEAD_BYTES_MAX / 3));
  const characters = trimmed.reduce((sum, [line]) => sum + String(line).length, 0);
  t.ok(characters <= 2 * text.length, `${characters} characters of ${text.length} are copied`);
  const folded = 'HTTP/1.1 200 OK\nA: one\n two\nB:\n three\n\t \nA: four\nnonsense\n ignored\nB: five\n six \n';
  t.same(
    [...parseHead(folded).headers],
    [
      ['a', 'one two, four'],
      ['b', 'three, five six'],
    ],
  );
});

t.test('blank lines that arrive byte by byte are skipped once', async (t) => {
  const end = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n');
  const newLine = Buffer.from('\n');
  for (const bytes of [HEAD_BYTES_MAX / 16, HEAD_BYTES_MAX - 100]) {
    let status = 0;
    const parser = createHttpParser('GET', { head: (found) => (status = found.status), body: () => undefined });
    const steps = await counter.stepsOf(() => {
      for (let fed = 0; fed < bytes; fed++) parser.feed(newLine);
      parser.feed(end);
    });
    t.equal(status, 204);
    t.ok(steps < STEPS_PER_BYTE_MAX * bytes, `${(steps / bytes).toFixed(1)} steps for each of ${bytes} pieces`);
  }
});
