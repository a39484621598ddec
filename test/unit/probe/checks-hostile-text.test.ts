import t from 'tap';
import { BODY_BYTES_MAX, containsText } from '../../../probe/checks/http/body-text.js';
import { HEAD_BYTES_MAX, parseHead, type ResponseHead } from '../../../probe/checks/http/head.js';
import { createHttpParser } from '../../../probe/checks/http/parser.js';
import { fastestOf } from '../../helpers/fastest.js';

/** Far above the time of linear work, and far below that of work that grows with the square of these sizes. */
const MS_MAX = 60;
const RUNS = 3;

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
