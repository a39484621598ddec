import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { answering, withTarget } from '../../helpers/probe/targets.js';
import { testChecker } from '../../helpers/probe/targets-checker.js';

const MIB = 1024 * 1024;
const checker = testChecker();
t.teardown(() => checker.close());

t.test('keywords', async (t) => {
  await withTarget(answering('<p>all is well</p>'), async (target) => {
    const code = async (options: { keyword?: string; keywordAbsent?: string }) =>
      (await checker.http(target.url, options)).error?.code ?? 'up';
    t.equal(await code({ keyword: 'is well' }), 'up');
    t.equal(await code({ keyword: 'IS WELL' }), 'keyword_missing');
    t.equal(await code({ keywordAbsent: 'is well' }), 'keyword_present');
    t.equal(await code({ keywordAbsent: 'error' }), 'up');
    t.equal(await code({ keyword: 'all', keywordAbsent: 'well' }), 'keyword_present');
    t.match(
      (await checker.http(target.url, { keyword: 'xyz' })).error?.message,
      'the body of 18 bytes does not contain the keyword "xyz"',
    );
  });
});

t.test('a keyword is found in every encoding of the body', async (t) => {
  const text = 'Grüße, Wörter — “schön”';
  const latin = Buffer.from('Gr\xfc\xdfe', 'latin1');
  const utf16be = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const bodies: [string, Buffer, Record<string, string>, string][] = [
    ['plain', Buffer.from(text), {}, text],
    ['gzip', gzipSync(text), { 'content-encoding': 'gzip' }, text],
    ['x-gzip', gzipSync(text), { 'content-encoding': 'X-GZIP' }, text],
    [
      'gzip of two members',
      Buffer.concat([gzipSync('Grüße, '), gzipSync('Wörter')]),
      { 'content-encoding': 'gzip' },
      'Grüße, Wörter',
    ],
    ['gzip, truncated', gzipSync(text.repeat(200)).subarray(0, -8), { 'content-encoding': 'gzip' }, text],
    ['deflate', deflateSync(text), { 'content-encoding': 'deflate' }, text],
    ['deflate without its header', deflateRawSync(text), { 'content-encoding': 'deflate' }, text],
    ['br', brotliCompressSync(text), { 'content-encoding': 'br' }, text],
    ['gzip over br', gzipSync(brotliCompressSync(text)), { 'content-encoding': 'br, gzip' }, text],
    ['identity', Buffer.from(text), { 'content-encoding': 'identity' }, text],
    ['latin1 declared', latin, { 'content-type': 'text/html; charset=ISO-8859-1' }, 'Grüße'],
    ['latin1 by meta', Buffer.concat([Buffer.from('<meta charset="iso-8859-1">'), latin]), {}, 'Grüße'],
    ['latin1 undeclared', latin, {}, 'Grüße'],
    [
      'windows-1252',
      Buffer.from('\x93quoted\x94 \x80 5', 'latin1'),
      { 'content-type': 'text/html; charset=windows-1252' },
      '“quoted” € 5',
    ],
    ['utf-16le by mark', Buffer.from(`\ufeff${text}`, 'utf16le'), {}, text],
    ['utf-16be by mark', utf16be, { 'content-type': 'text/html; charset=utf-8' }, text],
    ['utf-16le declared', Buffer.from(text, 'utf16le'), { 'content-type': 'text/plain; charset=utf-16le' }, text],
    ['shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), { 'content-type': 'text/html; charset="Shift_JIS"' }, '日本'],
    [
      'XML declaration',
      Buffer.from('<?xml version="1.0" encoding="koi8-r"?>\xf0\xf2', 'latin1'),
      { 'content-type': 'text/xml' },
      'ПР',
    ],
    ['unknown charset', Buffer.from(text), { 'content-type': 'text/html; charset=klingon' }, text],
    ['utf-8 with mark', Buffer.from(`\ufeff${text}`), {}, text],
  ];
  for (const [name, body, headers, keyword] of bodies) {
    await withTarget(answering(body, { headers }), async (target) => {
      const outcome = await checker.http(target.url, { keyword });
      t.equal(outcome.error, null, name);
      t.equal(
        (await checker.http(target.url, { keyword: 'not there' })).error?.code,
        'keyword_missing',
        `${name}, other keyword`,
      );
    });
  }
});

t.test('a body that cannot be decompressed is a protocol error, but only with a keyword', async (t) => {
  for (const headers of [
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'zstd' },
    { 'content-encoding': 'gzip, gzip, gzip, gzip' },
  ]) {
    await withTarget(answering('not compressed at all', { headers }), async (target) => {
      t.match(await checker.http(target.url, { keyword: 'x' }), { up: false, error: { code: 'protocol_error' } });
      t.equal((await checker.http(target.url)).up, true, 'without a keyword it is not decompressed');
    });
  }
});

t.test('a body of more than 2 MiB', async (t) => {
  const large = Buffer.concat([Buffer.from('at the start '), Buffer.alloc(3 * MIB, '.'), Buffer.from('at the end')]);
  for (const [name, body, headers] of [
    ['plain', large, {}],
    ['compressed', gzipSync(large), { 'content-encoding': 'gzip' }],
  ] as const) {
    await withTarget(answering(body, { headers }), async (target) => {
      t.equal((await checker.http(target.url)).up, true, `${name}: up without a keyword`);
      t.equal(
        (await checker.http(target.url, { keyword: 'at the start' })).up,
        true,
        `${name}: found in the first part`,
      );
      t.match(
        await checker.http(target.url, { keyword: 'at the end' }),
        { error: { code: 'response_too_large' } },
        name,
      );
      t.match(
        await checker.http(target.url, { keywordAbsent: 'at the start' }),
        { error: { code: 'keyword_present' } },
        name,
      );
      t.match(
        await checker.http(target.url, { keywordAbsent: 'xyz' }),
        { error: { code: 'response_too_large' } },
        `${name}: absence cannot be determined`,
      );
    });
  }
  // Random bytes cannot be compressed, so reading ends in the middle of the compressed body.
  const noise = Buffer.concat([Buffer.from('at the start '), randomBytes(3 * MIB)]);
  const packed: [string, Buffer][] = [
    ['gzip', gzipSync(noise)],
    ['deflate', deflateSync(noise)],
    ['br', brotliCompressSync(noise, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ];
  for (const [coding, body] of packed) {
    await withTarget(answering(body, { headers: { 'content-encoding': coding } }), async (target) => {
      t.equal((await checker.http(target.url, { keyword: 'at the start' })).up, true, `${coding}, truncated`);
    });
  }
  const exact = Buffer.alloc(2 * MIB, '.');
  exact.write('at the end', exact.length - 10);
  await withTarget(answering(exact), async (target) => {
    t.equal(
      (await checker.http(target.url, { keyword: 'at the end' })).up,
      true,
      'exactly 2 MiB is searched to its end',
    );
  });
});
