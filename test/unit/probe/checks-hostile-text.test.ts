import t from 'tap';
import { KEYWORD_CHARS_MAX } from '../../../control-plane/monitors/schema.js';
import { BODY_BYTES_MAX, containsText } from '../../../probe/checks/http/body-text.js';
import { HEAD_BYTES_MAX, parseHead, type ResponseHead } from '../../../probe/checks/http/head.js';
import { createHttpParser } from '../../../probe/checks/http/parser.js';
import { redirectedHop } from '../../../probe/checks/http/redirect.js';
import { CheckFailure } from '../../../probe/checks/outcome.js';
import { fastestOf } from '../../helpers/fastest.js';

/** Far above the time of linear work, and far below that of work that grows with the square of these sizes. */
const MS_MAX = 60;
const RUNS = 3;
/** The limit of a `Location`. */
const LOCATION_BYTES_MAX = 16 * 1024;

function headWith(contentType: string): ResponseHead {
  return { status: 200, headers: new Map([['content-type', contentType]]) };
}

t.test('a Content-Type of the maximum size is searched once', async (t) => {
  const hostile = [
    '<?xml '.repeat(HEAD_BYTES_MAX / 6),
    '<?xml'.repeat(HEAD_BYTES_MAX / 5) + ' '.repeat(100),
    'charset '.repeat(HEAD_BYTES_MAX / 8),
    `charset${' '.repeat(HEAD_BYTES_MAX)}`,
    'charset=klingon;'.repeat(HEAD_BYTES_MAX / 16),
  ];
  for (const contentType of hostile) {
    const ms = fastestOf(RUNS, () => void containsText(Buffer.from('x'), headWith(contentType), 'y'));
    t.ok(ms < MS_MAX, `${contentType.slice(0, 12)}…: ${ms.toFixed(1)} ms`);
  }
});

t.test('a body of the maximum size is searched as bytes, whatever its characters are', async (t) => {
  const body = Buffer.alloc(BODY_BYTES_MAX, 0x80);
  body.write('\x93end\x94', BODY_BYTES_MAX - 5, 'latin1');
  for (const head of [headWith('text/html'), headWith('text/html; charset=windows-1252')]) {
    const ms = fastestOf(RUNS, () => t.notOk(containsText(body, head, '“End”')));
    t.ok(containsText(body, head, '€“end”'));
    t.notOk(containsText(body, head, '\u0093end'), 'the characters are those of windows-1252, not of latin1');
    t.notOk(containsText(body, head, '日本'), 'a keyword that windows-1252 cannot contain');
    t.ok(ms < MS_MAX, `${ms.toFixed(1)} ms`);
  }
});

t.test('a keyword that nearly repeats itself is searched once in a body that repeats itself', async (t) => {
  const halfChars = KEYWORD_CHARS_MAX / 2;
  const body = Buffer.alloc(BODY_BYTES_MAX, 'a');
  const utf16 = Buffer.alloc(BODY_BYTES_MAX, 'a', 'utf16le');
  // Boyer-Moore compares the most characters for these texts.
  const keywords = [
    `${'a'.repeat(halfChars)}b${'a'.repeat(halfChars - 1)}`,
    `${'a'.repeat(halfChars * 2 - 1)}b`,
    `b${'a'.repeat(halfChars * 2 - 1)}`,
    `${'a'.repeat(125)}b${'a'.repeat(124)}`,
    `${'a'.repeat(251)}b`,
    'ab'.repeat(halfChars),
  ];
  for (const keyword of keywords) {
    for (const [bytes, charset] of [
      [body, 'text/html'],
      [body, 'text/html; charset=windows-1252'],
      [utf16, 'text/html; charset=utf-16le'],
    ] as const) {
      const ms = fastestOf(RUNS, () => t.notOk(containsText(bytes, headWith(charset), keyword)));
      t.ok(ms < MS_MAX, `${keyword.slice(0, 2)}… of ${keyword.length}, ${charset}: ${ms.toFixed(1)} ms`);
    }
  }
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

t.test('a Location of the maximum size is not encoded', async (t) => {
  const hop = { url: new URL('http://shop.example.com/'), method: 'GET', headers: new Map(), body: null };
  const redirectTo = (location: string) =>
    redirectedHop(hop, { status: 302, headers: new Map([['location', Buffer.from(location).toString('latin1')]]) });
  const hostOf = (bytes: number) =>
    Array.from({ length: Math.floor(bytes / 3) }, (_, index) => String.fromCharCode(0x4e00 + (index % 20_000))).join(
      '',
    );
  for (const bytes of [HEAD_BYTES_MAX, LOCATION_BYTES_MAX - 10]) {
    const location = `http://${hostOf(bytes)}/`;
    const ms = fastestOf(RUNS, () => {
      try {
        redirectTo(location);
      } catch (error) {
        t.ok(error instanceof CheckFailure);
      }
    });
    t.ok(ms < MS_MAX, `${bytes} bytes: ${ms.toFixed(1)} ms`);
  }
  t.throws(() => redirectTo(`/${'a'.repeat(LOCATION_BYTES_MAX)}`), { code: 'protocol_error', message: /than 16 KiB$/ });
  const longest = `/${'a'.repeat(LOCATION_BYTES_MAX - 1)}`;
  t.equal(redirectTo(longest)?.url.pathname, longest);
});

t.test('a header of many folded lines is joined once', async (t) => {
  const text = `HTTP/1.1 200 OK\r\nX-Long: 0\r\n${' 1\n'.repeat(HEAD_BYTES_MAX / 3)}`;
  let length = 0;
  const ms = fastestOf(RUNS, () => {
    length = parseHead(text).headers.get('x-long')?.length ?? 0;
  });
  t.equal(length, 1 + 2 * Math.floor(HEAD_BYTES_MAX / 3));
  t.ok(ms < MS_MAX, `${ms.toFixed(1)} ms`);
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
  const bytes = Buffer.alloc(HEAD_BYTES_MAX - 100, '\n');
  const pieces = [...bytes].map((_, index) => bytes.subarray(index, index + 1));
  const end = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n');
  let status = 0;
  const head = (found: ResponseHead) => {
    status = found.status;
  };
  const ms = fastestOf(RUNS, () => {
    const parser = createHttpParser('GET', { head, body: () => undefined });
    for (const piece of pieces) parser.feed(piece);
    parser.feed(end);
  });
  t.equal(status, 204);
  t.ok(ms < 5 * MS_MAX, `${ms.toFixed(1)} ms for ${pieces.length} pieces`);
});
