import fc from 'fast-check';
import t from 'tap';
import { HEAD_BYTES_MAX, HEADERS_MAX, type ResponseHead } from '../../../probe/checks/http/head.js';
import { createHttpParser } from '../../../probe/checks/http/parser.js';
import { CheckFailure } from '../../../probe/checks/outcome.js';

interface Parsed {
  status: number | null;
  headers: [string, string][];
  body: string;
  complete: boolean;
  error: string | null;
}

/** Feeds the pieces to a parser, then ends the connection. */
function parse(pieces: readonly Buffer[], method = 'GET'): Parsed {
  let head: ResponseHead | null = null;
  const body: Buffer[] = [];
  const parser = createHttpParser(method, {
    head: (seen) => {
      head = seen;
    },
    body: (bytes) => body.push(Buffer.from(bytes)),
  });
  const result = (complete: boolean, error: string | null): Parsed => {
    const seen: ResponseHead | null = head;
    const headers = seen === null ? [] : [...(seen as ResponseHead).headers];
    const status = seen === null ? null : (seen as ResponseHead).status;
    return { status, headers, body: Buffer.concat(body).toString('latin1'), complete, error };
  };
  try {
    for (const piece of pieces) if (parser.feed(piece)) return result(true, null);
    return result(parser.end(), null);
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    return result(false, error.code);
  }
}

const whole = (text: string, method?: string) => parse([Buffer.from(text, 'latin1')], method);

const OK = 'HTTP/1.1 200 OK\r\n';
const RESPONSES: Record<string, string> = {
  length: `${OK}Content-Length: 5\r\n\r\nhelloEXTRA`,
  'length twice, equal': `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`,
  'length short': `${OK}Content-Length: 50\r\n\r\nhello`,
  'length zero': `${OK}Content-Length: 0\r\n\r\n`,
  'length twice, different': `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
  'length invalid': `${OK}Content-Length: -5\r\n\r\nhello`,
  chunked: `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;name=value\r\n world\r\n0\r\n\r\n`,
  'chunked with trailers': `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\nEXTRA`,
  'chunked and length': `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  'chunked, truncated': `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhel`,
  'chunk size invalid': `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello`,
  'chunk longer than its size': `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n`,
  'chunk line too long': `${OK}Transfer-Encoding: chunked\r\n\r\n${'5;'.padEnd(5000, 'x')}\r\nhello\r\n`,
  'coding unknown': `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  'until close': `${OK}Server: x\r\n\r\nall that comes`,
  interim: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`,
  'no content': 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello',
  'not modified': 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n',
  'bare line feeds': 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok',
  'blank lines first': `\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`,
  'no reason': 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok',
  'HTTP/1.0': 'HTTP/1.0 200 OK\r\n\r\nok',
  'folded header': `${OK}X-Long: one\r\n\t two\r\nContent-Length: 2\r\n\r\nok`,
  'header without colon': `${OK}nonsense\r\nContent-Length: 2\r\n\r\nok`,
  'repeated header': `${OK}Vary: a\r\nvary:b\r\nContent-Length: 0\r\n\r\n`,
  'no headers': `${OK}\r\nok`,
  'NUL in header': `${OK}X: a\0b\r\nContent-Length: 0\r\n\r\n`,
  'SSH greeting': 'SSH-2.0-OpenSSH_9.2\r\n',
  'TLS alert': '\x15\x03\x01\x00\x02\x02\x16',
  'status word': 'HTTP/1.1 abc OK\r\n\r\n',
  'status too short': 'HTTP/1.1 20 OK\r\n\r\n',
  empty: '',
  'head truncated': `${OK}Content-Le`,
  'head too large': `${OK}X: ${'x'.repeat(HEAD_BYTES_MAX)}\r\n\r\nbody`,
  'line too large without an end': `HTTP/1.1 ${'x'.repeat(HEAD_BYTES_MAX)}`,
  'head of the maximum size': `${OK}X: ${'x'.repeat(HEAD_BYTES_MAX - OK.length - 7)}\r\n\r\nbody`,
  'too many headers': `${OK}${'A: b\r\n'.repeat(HEADERS_MAX + 1)}\r\nbody`,
  'maximum number of headers': `${OK}${'A: b\r\n'.repeat(HEADERS_MAX)}\r\nbody`,
  'too many trailers': `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n${'A: b\r\n'.repeat(HEADERS_MAX + 1)}\r\n`,
  'too many interim responses': 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(3000),
};

t.test('responses are parsed by the rules of RFC 9112', async (t) => {
  const cases: [string, Partial<Parsed>][] = [
    ['length', { status: 200, body: 'hello', complete: true }],
    ['length twice, equal', { body: 'hello', complete: true }],
    ['length short', { body: 'hello', complete: false, error: null }],
    ['length zero', { body: '', complete: true }],
    ['length twice, different', { error: 'protocol_error' }],
    ['length invalid', { error: 'protocol_error' }],
    ['chunked', { body: 'hello world', complete: true }],
    ['chunked with trailers', { body: 'x', complete: true }],
    ['chunked and length', { body: 'hello', complete: true }],
    ['chunked, truncated', { complete: false, error: null }],
    ['chunk size invalid', { error: 'protocol_error' }],
    ['chunk longer than its size', { error: 'protocol_error' }],
    ['chunk line too long', { error: 'protocol_error' }],
    ['coding unknown', { error: 'protocol_error' }],
    ['until close', { body: 'all that comes', complete: true }],
    ['interim', { status: 200, headers: [['content-length', '2']], body: 'ok', complete: true }],
    ['no content', { status: 204, body: '', complete: true }],
    ['not modified', { status: 304, body: '', complete: true }],
    ['bare line feeds', { body: 'ok', complete: true }],
    ['blank lines first', { body: 'ok', complete: true }],
    ['no reason', { status: 200, body: 'ok' }],
    ['HTTP/1.0', { status: 200, body: 'ok', complete: true }],
    [
      'folded header',
      {
        headers: [
          ['x-long', 'one two'],
          ['content-length', '2'],
        ],
        body: 'ok',
      },
    ],
    ['header without colon', { headers: [['content-length', '2']], body: 'ok' }],
    [
      'repeated header',
      {
        headers: [
          ['vary', 'a, b'],
          ['content-length', '0'],
        ],
      },
    ],
    ['no headers', { status: 200, headers: [], body: 'ok', complete: true }],
    ['NUL in header', { error: 'protocol_error' }],
    ['SSH greeting', { error: 'protocol_error' }],
    ['TLS alert', { error: 'protocol_error' }],
    ['status word', { error: 'protocol_error' }],
    ['status too short', { error: 'protocol_error' }],
    ['empty', { status: null, complete: false, error: null }],
    ['head truncated', { status: null, complete: false, error: null }],
    ['head too large', { error: 'response_too_large' }],
    ['line too large without an end', { error: 'response_too_large' }],
    ['head of the maximum size', { status: 200, body: 'body', error: null }],
    ['too many headers', { error: 'response_too_large' }],
    ['maximum number of headers', { status: 200, body: 'body', error: null }],
    ['too many trailers', { error: 'response_too_large' }],
    ['too many interim responses', { error: 'response_too_large' }],
  ];
  t.same(
    cases.map(([name]) => name),
    Object.keys(RESPONSES),
    'every response has an expectation',
  );
  for (const [name, expected] of cases) t.match(whole(RESPONSES[name] ?? ''), expected, name);
  t.match(whole(`${OK}Content-Length: 5\r\n\r\nhello`, 'HEAD'), { body: '', complete: true }, 'HEAD has no body');
});

t.test('splitting the bytes of a response does not change the result', async () => {
  const names = fc.constantFrom(...Object.keys(RESPONSES));
  const cuts = fc.array(fc.nat(), { maxLength: 12 });
  fc.assert(
    fc.property(names, cuts, (name, positions) => {
      const bytes = Buffer.from(RESPONSES[name] ?? '', 'latin1');
      const at = [...new Set(positions.map((position) => position % (bytes.length + 1)))].sort((a, b) => a - b);
      const pieces = [0, ...at].map((from, index) => bytes.subarray(from, at[index]));
      assertSame(parse([bytes]), parse(pieces), name);
    }),
    { numRuns: 3000 },
  );
});

t.test('feeding single bytes does not change the result', async () => {
  for (const [name, text] of Object.entries(RESPONSES)) {
    const bytes = Buffer.from(text, 'latin1');
    assertSame(parse([bytes]), parse([...bytes].map((byte) => Buffer.of(byte))), name);
  }
});

t.test('any bytes are either parsed or rejected with a CheckFailure', async () => {
  const lines = fc.constantFrom(
    'HTTP/1.1 200 OK',
    'Content-Length: 3',
    'Transfer-Encoding: chunked',
    '3',
    '0',
    'abc',
    '',
    '\t',
    ':',
    'X:',
  );
  const ends = fc.constantFrom('\r\n', '\n', '\r', '');
  const texts = fc.array(fc.tuple(fc.oneof(lines, fc.string({ maxLength: 5 })), ends), { maxLength: 12 });
  fc.assert(
    fc.property(texts, fc.nat(), (parts, cut) => {
      const bytes = Buffer.from(parts.map(([line, end]) => line + end).join(''), 'latin1');
      const at = cut % (bytes.length + 1);
      assertSame(parse([bytes]), parse([bytes.subarray(0, at), bytes.subarray(at)]), 'any bytes');
    }),
    { numRuns: 3000 },
  );
});

/** Compares two results. After an error only the error counts, because the body so far depends on the split. */
function assertSame(one: Parsed, other: Parsed, name: string): void {
  const comparable = (parsed: Parsed) => JSON.stringify(parsed.error === null ? parsed : parsed.error);
  if (comparable(one) !== comparable(other)) throw new Error(`${name}: ${comparable(one)}, then ${comparable(other)}`);
}
