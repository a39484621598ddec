import t from 'tap';
import { createDeadline } from '../../../probe/checks/deadline.js';
import { testClock } from '../../helpers/clock.js';
import {
  type Answering,
  answerBytes,
  answering,
  HOSTILE,
  pathOf,
  redirecting,
  startGreeter,
  startTarget,
  withTarget,
} from '../../helpers/probe/targets.js';
import { testChecker } from '../../helpers/probe/targets-checker.js';

const MIB = 1024 * 1024;
const checker = testChecker();
t.teardown(() => checker.close());

t.test('a good answer is up, with every phase that took place timed', async (t) => {
  await withTarget(answering('hello'), async (target) => {
    const outcome = await checker.http(`${target.url}/path?q=1`);
    t.match(outcome, { up: true, error: null, httpStatus: 200, certificate: null, address: '127.0.0.1' });
    t.match(outcome.timings, { dnsMs: null, tlsMs: null, connectMs: Number, ttfbMs: Number, transferMs: Number });
    const { connectMs, ttfbMs, transferMs } = outcome.timings;
    const sum = (connectMs ?? 0) + (ttfbMs ?? 0) + (transferMs ?? 0);
    t.ok(sum <= outcome.responseTimeMs + 0.01, 'the phases fit into the response time');
    t.ok(outcome.responseTimeMs - sum < 20, 'and fill it');
    const [request = ''] = target.requests;
    t.ok(request.startsWith('GET /path?q=1 HTTP/1.1\r\n'));
    t.match(request, `\r\nHost: 127.0.0.1:${target.port}\r\n`);
    t.match(request, '\r\nUser-Agent: Picket/test\r\n');
    t.match(request, '\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate, br\r\n');
    t.ok(request.endsWith('connection: close\r\n\r\n'));
  });
});

t.test('each check makes a connection of its own', async (t) => {
  await withTarget(answering('hello'), async (target) => {
    for (let index = 0; index < 3; index++) await checker.http(target.url);
    t.equal(target.connections(), 3);
  });
});

t.test('ttfb and transfer tell a slow server from a slow body', async (t) => {
  const slow: Answering = (socket) => {
    setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab'), 120);
    setTimeout(() => socket.end('cd'), 320);
  };
  await withTarget(slow, async (target) => {
    const { timings, responseTimeMs } = await checker.http(target.url);
    t.ok((timings.ttfbMs ?? 0) >= 110, `ttfb ${timings.ttfbMs}`);
    t.ok((timings.transferMs ?? 0) >= 180, `transfer ${timings.transferMs}`);
    t.ok(responseTimeMs >= 300);
  });
});

t.test('the status decides, and both numbers are told', async (t) => {
  await withTarget(answering('gone', { status: '503 Sorry' }), async (target) => {
    t.match(await checker.http(target.url), {
      up: false,
      httpStatus: 503,
      error: { code: 'status_mismatch', message: 'expected status 200, got 503' },
    });
    t.equal((await checker.http(target.url, { expectedStatus: 503 })).up, true);
  });
});

t.test('redirects are followed as browsers do', async (t) => {
  const routes = {
    '/301': '301 /x',
    '/302': '302 ../x',
    '/303': '303 ?q=1',
    '/307': '307 /x',
    '/308': '308 /x#part',
    '/300': '300 /x',
  };
  await withTarget(redirecting(routes), async (target) => {
    const methods: Record<string, string> = {
      '/301': 'GET',
      '/302': 'GET',
      '/303': 'GET',
      '/307': 'POST',
      '/308': 'POST',
    };
    for (const [path, method] of Object.entries(methods)) {
      target.requests.length = 0;
      const options = { method: 'POST', body: 'a=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
      const outcome = await checker.http(target.url + path, { ...options, expectedStatus: 200 });
      t.equal(outcome.up, true, path);
      const [, second = ''] = target.requests;
      t.ok(second.startsWith(`${method} `), `${path} leads to ${method}`);
      t.equal(second.includes('a=1'), method === 'POST', 'the body goes with the method');
      t.equal(/content-type/i.test(second), method === 'POST', 'and so does what describes it');
    }
    t.equal(pathOf(target.requests[1] ?? ''), '/x', 'a fragment is not sent');
    t.equal(
      (await checker.http(`${target.url}/302`, { method: 'HEAD', expectedStatus: 200 })).up,
      true,
      'HEAD stays HEAD',
    );
    t.ok(target.requests.at(-1)?.startsWith('HEAD /x'));
    t.match(
      await checker.http(`${target.url}/300`),
      { httpStatus: 300, error: { code: 'status_mismatch' } },
      '300 is not followed',
    );
    t.match(await checker.http(`${target.url}/301`, { followRedirects: false }), {
      httpStatus: 301,
      error: { code: 'status_mismatch' },
    });
    const before = target.requests.length;
    t.equal(
      (await checker.http(`${target.url}/301`, { expectedStatus: 301 })).up,
      true,
      'a redirect that is wanted is not followed',
    );
    t.equal(target.requests.length, before + 1);
  });
});

t.test('more than 10 redirects are too many', async (t) => {
  const routes: Record<string, string> = {};
  for (let index = 0; index < 11; index++) routes[`/${index}`] = `302 /${index + 1}`;
  await withTarget(redirecting(routes), async (target) => {
    t.equal((await checker.http(`${target.url}/1`)).up, true, '10 are not');
    const outcome = await checker.http(`${target.url}/0`);
    t.match(outcome, { up: false, httpStatus: 302, error: { code: 'too_many_redirects' } });
    t.equal(target.requests.length, 11 + 11);
  });
});

t.test('where redirects may lead', async (t) => {
  for (const location of ['ftp://127.0.0.1/x', 'file:///etc/passwd', 'javascript:alert(1)', 'http://[', 'http://']) {
    await withTarget(redirecting({ '/': `302 ${location}` }), async (target) => {
      t.match(await checker.http(target.url), { up: false, error: { code: 'protocol_error' } }, location);
    });
  }
  await withTarget(answering('', { status: '302 Found' }), async (target) => {
    t.match(
      await checker.http(target.url),
      { error: { code: 'status_mismatch' } },
      'without a Location it is an answer like any',
    );
  });
});

t.test('credentials stay with their origin', async (t) => {
  await withTarget(answering('other'), async (other) => {
    await withTarget(redirecting({ '/same': '302 /end', '/other': `302 ${other.url}/end` }), async (target) => {
      const headers = {
        Authorization: 'Bearer secret',
        Cookie: 'a=secret',
        'X-Api-Key': 'secret',
        Accept: 'text/html',
      };
      await checker.http(`${target.url}/same`, { headers });
      t.match(target.requests[1], /Authorization: Bearer secret\r\n/, 'the same origin gets them again');
      await checker.http(`${target.url}/other`, { headers });
      t.notMatch(other.requests[0], /secret/);
      t.match(other.requests[0], /\r\nAccept: text\/html\r\n/, 'harmless ones go along');
      const withUser = target.url.replace('http://', 'http://me:p%40ss%20word@');
      await checker.http(`${withUser}/other`);
      const basic = `Authorization: Basic ${Buffer.from('me:p@ss word').toString('base64')}`;
      t.match(target.requests.at(-1), basic, 'userinfo is basic authentication');
      t.notMatch(target.requests.at(-1), /p%40ss/, 'and is not in the request line');
      t.notMatch(other.requests[1], /authorization/i);
    });
  });
});

t.test('the request is the one that was asked for, and nothing gets into it', async (t) => {
  await withTarget(answering('ok'), async (target) => {
    const headers = { 'User-Agent': 'mine', 'X-Ünicode': 'x' };
    t.match(
      await checker.http(target.url, { headers }),
      { error: { code: 'protocol_error' } },
      'a header name that is none',
    );
    for (const value of ['a\r\nX-Evil: 1', 'a\nX-Evil: 1', 'a\rb', 'a\0b']) {
      t.match(
        await checker.http(target.url, { headers: { 'X-Good': value } }),
        { error: { code: 'protocol_error' } },
        JSON.stringify(value),
      );
    }
    t.match(await checker.http(target.url, { method: 'GET / HTTP/1.1\r\nX-Evil: 1\r\n' }), {
      error: { code: 'protocol_error' },
    });
    t.equal(target.connections(), 0, 'none of these was sent');
    const ours = {
      'Content-Length': '999',
      'Transfer-Encoding': 'chunked',
      Connection: 'keep-alive',
      'User-Agent': 'mine',
      'X-Text': 'Grüße',
    };
    const outcome = await checker.http(`${target.url}/a\r\nX-Evil: 1`, { method: 'PUT', body: 'Grüße', headers: ours });
    t.equal(outcome.up, true);
    const [request = ''] = target.requests;
    t.notMatch(request, /x-evil/i.source.concat(':'), 'a line end in a URL is dropped by its parser');
    t.match(request, '\r\nUser-Agent: mine\r\n', 'headers of the user replace ours');
    t.match(request, '\r\nContent-Length: 7\r\n', 'but not those that frame the request');
    t.notMatch(request, /transfer-encoding|keep-alive/i);
    t.ok(request.endsWith(Buffer.from('Grüße').toString('latin1')), 'the body is sent as UTF-8');
    await checker.http(target.url, { method: 'POST' });
    t.match(target.requests[1], '\r\nContent-Length: 0\r\n', 'a POST without a body says so');
  });
});

t.test('HEAD and answers without a body', async (t) => {
  const noBody: Answering = (socket, request) =>
    socket.write(`HTTP/1.1 ${pathOf(request) === '/204' ? '204 No Content' : '200 OK'}\r\nContent-Length: 10\r\n\r\n`);
  await withTarget(noBody, async (target) => {
    t.equal((await checker.http(target.url, { method: 'HEAD' })).up, true);
    t.equal((await checker.http(`${target.url}/204`, { expectedStatus: 204 })).up, true);
    t.match(await checker.http(target.url, { method: 'HEAD', keyword: 'x' }), { error: { code: 'keyword_missing' } });
  });
});

t.test('IPv6 addresses in URLs', async (t) => {
  const target = await startTarget(answering('six'), '::1');
  t.match(await checker.http(target.url, { keyword: 'six' }), { up: true, address: '::1' });
  t.match(target.requests[0], `\r\nHost: [::1]:${target.port}\r\n`);
  await target.close();
});

t.test('connections that fail', async (t) => {
  const closed = await startTarget(HOSTILE.silent);
  await closed.close();
  t.match(await checker.http(closed.url), {
    up: false,
    address: null,
    error: { code: 'connection_refused', message: /^127\.0\.0\.1:\d+ refused the connection after \d+ ms$/ },
  });
  await withTarget(HOSTILE.closing, async (target) => {
    t.match(await checker.http(target.url), {
      error: { code: 'connection_reset', message: /closed the connection after .*, without an answer$/ },
    });
  });
  await withTarget(HOSTILE.resetting, async (target) => {
    t.match(await checker.http(target.url), { error: { code: 'connection_reset', message: /reset the connection/ } });
  });
  await withTarget(HOSTILE.halfBody, async (target) => {
    t.match(await checker.http(target.url), {
      httpStatus: 200,
      error: { code: 'connection_reset', message: /before its answer was complete$/ },
    });
  });
  const greeter = await startGreeter('SSH-2.0-OpenSSH_9.2');
  const greeted = await checker.http(`http://127.0.0.1:${greeter.port}/`);
  t.match(greeted, {
    error: { code: 'protocol_error', message: /not begin with an HTTP status line but with "SSH-2"$/ },
  });
  await greeter.close();
  for (const url of ['not a url', 'ftp://127.0.0.1/', 'http://']) {
    t.match(await checker.http(url), { error: { code: 'protocol_error' } }, url);
  }
});

t.test('whatever a target does, the check ends in time, with its code, in bounded memory', async (t) => {
  const timeoutMs = 800;
  const cases: [keyof typeof HOSTILE, string, { keyword?: string }?][] = [
    ['silent', 'response_timeout'],
    ['endlessHeaders', 'response_too_large'],
    ['endlessLine', 'response_too_large'],
    ['endlessContinue', 'response_too_large'],
    ['endlessBody', 'up'],
    ['endlessBody', 'response_too_large', { keyword: 'not there' }],
    ['endlessBody', 'up', { keyword: 'picket' }],
    ['endlessChunks', 'up'],
    ['endlessChunks', 'response_too_large', { keyword: 'not there' }],
    ['dripping', 'response_timeout'],
    ['gzipBomb', 'response_too_large', { keyword: 'not there' }],
    ['gzipBomb', 'up'],
    ['redirectLoop', 'too_many_redirects'],
  ];
  const rssBefore = process.memoryUsage().rss;
  for (const [name, code, options = {}] of cases) {
    await withTarget(HOSTILE[name], async (target) => {
      // The endless chunks take their time to be read; what counts for them is that they end.
      const limitMs = name === 'endlessChunks' || name === 'gzipBomb' ? 8000 : timeoutMs;
      const started = performance.now();
      const outcome = await checker.http(target.url, options, limitMs);
      const tookMs = performance.now() - started;
      t.equal(
        outcome.error?.code ?? 'up',
        code,
        `${name}${options.keyword ? ', keyword' : ''}: ${outcome.error?.message ?? 'up'}`,
      );
      t.ok(tookMs < limitMs + 1000, `${name} took ${Math.round(tookMs)} ms`);
    });
  }
  const grownMib = (process.memoryUsage().rss - rssBefore) / MIB;
  t.ok(grownMib < 200, `memory grew by ${Math.round(grownMib)} MiB, the targets of this process included`);
});

t.test('a wrong status ends the check, whatever body would follow', async (t) => {
  const wrong: Answering = (socket) => socket.write('HTTP/1.1 500 No\r\nContent-Length: 1000\r\n\r\nsome');
  await withTarget(wrong, async (target) => {
    t.match(await checker.http(target.url, {}, 500), { httpStatus: 500, error: { code: 'status_mismatch' } });
  });
});

t.test('a step that does not hear the bell does not hold the check', async (t) => {
  const clock = testClock();
  const deadline = createDeadline(clock, 1000, new AbortController().signal);
  const heard: string[] = [];
  deadline.onStop((stop) => heard.push(stop));
  deadline.onOverrun(500, () => heard.push('overrun'));
  await clock.advance(1000);
  t.same(heard, ['timeout']);
  t.equal(deadline.remainingMs(), 0);
  deadline.onStop((stop) => heard.push(`late ${stop}`));
  await clock.advance(500);
  t.same(heard, ['timeout', 'late timeout', 'overrun']);
  deadline.close();
});

t.test('no more is read of an answer than can be of use', async (t) => {
  for (const hostile of ['endlessBody', 'endlessChunks', 'gzipBomb'] as const) {
    let written = () => 0;
    const answer: Answering = (socket, request) => {
      written = () => socket.bytesWritten - socket.writableLength;
      HOSTILE[hostile](socket, request);
    };
    await withTarget(answer, async (target) => {
      await checker.http(target.url, { keyword: 'not there' }, 8000);
      // What the kernel holds between the two sockets comes on top.
      t.ok(written() < 9 * MIB, `${hostile}: ${(written() / MIB).toFixed(1)} MiB were taken`);
    });
  }
});

t.test('a check that nobody wants any more ends at once', async (t) => {
  await withTarget(HOSTILE.silent, async (target) => {
    const controller = new AbortController();
    const started = performance.now();
    const running = checker.run({ type: 'http', url: target.url, timeoutMs: 10_000, http: null }, controller.signal);
    setTimeout(() => controller.abort(), 50);
    t.equal((await running).up, false);
    t.ok(performance.now() - started < 1000);
    const late = await checker.run({ type: 'http', url: target.url, timeoutMs: 10_000, http: null }, controller.signal);
    t.equal(late.up, false, 'nor does it begin after that');
  });
});

t.test('an http request without options is a GET that expects 200', async (t) => {
  await withTarget(answering('x'), async (target) => {
    const outcome = await checker.run(
      { type: 'http', url: target.url, timeoutMs: 5000, http: null },
      new AbortController().signal,
    );
    t.equal(outcome.up, true);
  });
  t.match(
    await checker.run({ type: 'carrier-pigeon', url: 'x', timeoutMs: 100, http: null }, new AbortController().signal),
    { up: false, error: { code: 'protocol_error' } },
    'a type that is not known does not throw',
  );
});

t.test('interim answers are passed over', async (t) => {
  const early: Answering = (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
    setTimeout(() => socket.end(answerBytes('done')), 30);
  };
  await withTarget(early, async (target) => {
    t.match(await checker.http(target.url, { keyword: 'done' }), { up: true, httpStatus: 200 });
  });
});
