import t from 'tap';
import { withoutSecrets } from '../../../probe/checks/without-secrets.js';
import { type Answering, redirecting, withTarget } from '../../helpers/probe/targets.js';
import { testChecker } from '../../helpers/probe/targets-checker.js';

const checker = testChecker();
t.teardown(() => checker.close());

const TOKEN = 'tok_5up3rs3cret';
const BODY = JSON.stringify({ user: 'checker', password: 'hunter2-and-a-long-one', note: 'x'.repeat(200) });

/** Answers with the first line that `lineOf` makes of the request. */
const echoing =
  (lineOf: (request: string) => string): Answering =>
  (socket, request) =>
    socket.end(`${lineOf(request)}\r\n\r\n`);

t.test('the message of a redirect loop contains no user name and no password', async (t) => {
  await withTarget(redirecting({ '/': '302 /again', '/again': '302 /again' }), async ({ port }) => {
    const { error } = await checker.http(`http://someone:pa55%20word@127.0.0.1:${port}/`);
    t.equal(error?.code, 'too_many_redirects');
    t.match(error?.message, `"http://127.0.0.1:${port}/again"`);
    t.notMatch(error?.message, /someone|pa55/);
  });
});

t.test('a target that answers with what it was sent cannot put secrets into the message', async (t) => {
  const headerOf = (request: string, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(request)?.[1] ?? '';
  const cases: [string, Answering][] = [
    ['a header', echoing((request) => `HTTP/ you sent ${headerOf(request, 'x-token')}!`)],
    ['credentials', echoing((request) => `HTTP/ you sent ${headerOf(request, 'authorization')}!`)],
    ['the start of the body', echoing((request) => request.split('\r\n\r\n')[1] ?? '')],
    ['the middle of the body', echoing((request) => `HTTP/ ${request.split('\r\n\r\n')[1]?.slice(20, 60)}`)],
    ['an invalid redirect', echoing((request) => redirect(headerOf(request, 'x-token')))],
  ];
  for (const [name, answer] of cases) {
    await withTarget(answer, async ({ port }) => {
      const { error } = await checker.http(`http://someone:pa55%20word@127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'x-token': TOKEN },
        body: BODY,
      });
      t.match(error, { code: 'protocol_error', message: '***' }, name);
      t.notMatch(error?.message, /5up3rs3cret|hunter2|someone|pa55|c29tZW9uZT|{"use/, name);
    });
  }
});

function redirect(token: string): string {
  return `HTTP/1.1 302 Found\r\nLocation: http://[bad/?${token}\r\nContent-Length: 0`;
}

t.test('a redirect to a host with a secret in it, and a coding in lower case, do not show the secret', async (t) => {
  const tokenOf = (request: string) => /^x-token: (.*)$/im.exec(request)?.[1] ?? '';
  const answers: [string, string, Answering][] = [
    [
      'dns_failure',
      'host',
      echoing((r) => `HTTP/1.1 302 Found\r\nLocation: http://${tokenOf(r)}.invalid/\r\nContent-Length: 0`),
    ],
    [
      'protocol_error',
      'coding',
      echoing((r) => `HTTP/1.1 200 OK\r\nContent-Encoding: ${tokenOf(r)}\r\nContent-Length: 1\r\n\r\nx`),
    ],
  ];
  for (const [code, name, answer] of answers) {
    await withTarget(answer, async ({ port }) => {
      const headers = { 'x-token': 'Tok-5up3rS3cret-Value-42' };
      const { error } = await checker.http(`http://127.0.0.1:${port}/`, { headers, keyword: 'x' });
      t.match(error, { code, message: '***' }, name);
      t.notMatch(error?.message, /5up3rs3cret|value-42/i, name);
    });
  }
  const own = { type: 'http', url: 'http://shop.invalid/', timeoutMs: 1_000 };
  const http = { method: 'GET', expectedStatus: 200, followRedirects: true, ignoreTlsErrors: false };
  const message = '"shop.invalid" does not exist';
  const request = { ...own, http: { ...http, headers: { host: 'shop.invalid' } } };
  t.equal(withoutSecrets('dns_failure', message, request), message, 'the host of the monitor is no secret');
});

t.test('only quoted text of the target is changed, and only in values that are no ordinary words', async (t) => {
  const request = {
    type: 'http',
    url: 'http://127.0.0.1/',
    timeoutMs: 1_000,
    http: {
      ...{ method: 'GET', expectedStatus: 200, followRedirects: true, ignoreTlsErrors: false },
      headers: { a: 'ok', b: 'response' },
    },
  };
  const clean = (message: string) => withoutSecrets('protocol_error', message, request);
  t.equal(clean('the response starts with "ok: a response"'), 'the response starts with "ok: a ***"');
  t.equal(clean('no quotation: response'), 'no quotation: response');
  const keyword = 'the body of 10 bytes does not contain the keyword "response"';
  t.equal(withoutSecrets('keyword_missing', keyword, request), keyword, 'a keyword is no text of the target');
});
