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
import { standingClock } from '../../helpers/standing-clock.js';
import { waitFor } from '../../helpers/wait.js';

const HOUR_MS = 3_600_000;
/** Nothing listens on this port, and no other test can. */
const REFUSING = 'http://127.0.0.1:1/';

const checker = testChecker();
t.teardown(() => checker.close());

t.test('a good response is up, and every phase is measured', async (t) => {
  await withTarget(answering('hello'), async (target) => {
    const outcome = await checker.http(`${target.url}/path?q=1`);
    t.match(outcome, { up: true, error: null, httpStatus: 200, certificate: null, address: '127.0.0.1' });
    t.match(outcome.timings, { dnsMs: null, tlsMs: null, connectMs: Number, ttfbMs: Number, transferMs: Number });
    const { connectMs, ttfbMs, transferMs } = outcome.timings;
    const sum = (connectMs ?? 0) + (ttfbMs ?? 0) + (transferMs ?? 0);
    t.ok(sum <= outcome.responseTimeMs + 0.01, 'the phases fit into the response time');
    const [request = ''] = target.requests;
    t.ok(request.startsWith('GET /path?q=1 HTTP/1.1\r\n'));
    t.match(request, `\r\nHost: 127.0.0.1:${target.port}\r\n`);
    t.match(request, '\r\nUser-Agent: Picket/test\r\n');
    t.match(request, '\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate, br\r\n');
    t.ok(request.endsWith('connection: close\r\n\r\n'));
  });
});

t.test('each check opens a new connection', async (t) => {
  await withTarget(answering('hello'), async (target) => {
    for (let index = 0; index < 3; index++) await checker.http(target.url);
    t.equal(target.connections(), 3);
  });
});

t.test('ttfb and transfer distinguish a slow server from a slow body, and add up to the response time', async (t) => {
  const clock = standingClock();
  const timed = testChecker({ clock });
  t.teardown(() => timed.close());
  const slow: Answering = async (socket) => {
    clock.stall(120);
    const before = clock.readings();
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab');
    await waitFor('the check to read the first bytes', 20_000, () => clock.readings() > before, 5);
    clock.stall(400);
    socket.end('cd');
  };
  await withTarget(slow, async (target) => {
    t.match(await timed.http(target.url), {
      timings: { connectMs: 0, ttfbMs: 120, transferMs: 400 },
      responseTimeMs: 520,
    });
  });
});

t.test('a wrong status fails the check, and the message contains both statuses', async (t) => {
  await withTarget(answering('gone', { status: '503 Sorry' }), async (target) => {
    t.match(await checker.http(target.url), {
      up: false,
      httpStatus: 503,
      error: { code: 'status_mismatch', message: 'expected status 200, got 503' },
    });
    t.equal((await checker.http(target.url, { expectedStatus: 503 })).up, true);
  });
});

t.test('redirects are followed like in browsers', async (t) => {
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
      t.equal(second.includes('a=1'), method === 'POST', 'the body is kept with the method');
      t.equal(/content-type/i.test(second), method === 'POST', 'and so are the headers that describe it');
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
      'an expected redirect is not followed',
    );
    t.equal(target.requests.length, before + 1);
  });
});

t.test('more than 10 redirects fail the check', async (t) => {
  const routes: Record<string, string> = {};
  for (let index = 0; index < 11; index++) routes[`/${index}`] = `302 /${index + 1}`;
  await withTarget(redirecting(routes), async (target) => {
    t.equal((await checker.http(`${target.url}/1`)).up, true, '10 redirects do not');
    const outcome = await checker.http(`${target.url}/0`);
    t.match(outcome, { up: false, httpStatus: 302, error: { code: 'too_many_redirects' } });
    t.equal(target.requests.length, 11 + 11);
  });
});

t.test('redirects are followed only to http and https URLs', async (t) => {
  for (const location of ['ftp://127.0.0.1/x', 'file:///etc/passwd', 'javascript:alert(1)', 'http://[', 'http://']) {
    await withTarget(redirecting({ '/': `302 ${location}` }), async (target) => {
      t.match(await checker.http(target.url), { up: false, error: { code: 'protocol_error' } }, location);
    });
  }
  await withTarget(answering('', { status: '302 Found' }), async (target) => {
    t.match(
      await checker.http(target.url),
      { error: { code: 'status_mismatch' } },
      'without a Location it is an ordinary response',
    );
  });
});

t.test('credentials are not sent to another origin', async (t) => {
  await withTarget(answering('other'), async (other) => {
    await withTarget(redirecting({ '/same': '302 /end', '/other': `302 ${other.url}/end` }), async (target) => {
      const headers = {
        Authorization: 'Bearer secret',
        Cookie: 'a=secret',
        'X-Api-Key': 'secret',
        Accept: 'text/html',
      };
      await checker.http(`${target.url}/same`, { headers });
      t.match(target.requests[1], /Authorization: Bearer secret\r\n/, 'the same origin receives them again');
      await checker.http(`${target.url}/other`, { headers });
      t.notMatch(other.requests[0], /secret/);
      t.match(other.requests[0], /\r\nAccept: text\/html\r\n/, 'other headers are sent');
      const withUser = target.url.replace('http://', 'http://me:p%40ss%20word@');
      await checker.http(`${withUser}/other`);
      const basic = `Authorization: Basic ${Buffer.from('me:p@ss word').toString('base64')}`;
      t.match(target.requests.at(-1), basic, 'userinfo is sent as basic authentication');
      t.notMatch(target.requests.at(-1), /p%40ss/, 'and is not in the request line');
      t.notMatch(other.requests[1], /authorization/i);
    });
  });
});

t.test('a body is not sent to another origin', async (t) => {
  await withTarget(answering('other'), async (other) => {
    const routes = { '/307': `307 ${other.url}/end`, '/308': `308 ${other.url}/end`, '/same': '307 /307' };
    await withTarget(redirecting(routes), async (target) => {
      const options = { method: 'POST', body: '{"key":"secret"}', headers: { 'Content-Type': 'application/json' } };
      for (const path of ['/307', '/308', '/same']) {
        t.equal((await checker.http(`${target.url}${path}`, options)).up, true, path);
        const [end = ''] = other.requests.splice(0);
        t.match(end, /^POST \/end .*\r\nContent-Length: 0\r\n/is, `${path}: the method stays`);
        t.notMatch(end, /secret|content-type/i, `${path}: the body and what describes it do not`);
      }
      t.match(target.requests.at(-1), /secret/, 'a redirect to the same origin keeps the body');
    });
  });
});

t.test('the request is sent as configured, and nothing can be injected', async (t) => {
  await withTarget(answering('ok'), async (target) => {
    const headers = { 'User-Agent': 'mine', 'X-Ünicode': 'x' };
    t.match(
      await checker.http(target.url, { headers }),
      { error: { code: 'protocol_error' } },
      'an invalid header name',
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
    const overriding = {
      'Content-Length': '999',
      'Transfer-Encoding': 'chunked',
      Connection: 'keep-alive',
      'User-Agent': 'mine',
      'X-Text': 'Grüße',
    };
    const outcome = await checker.http(`${target.url}/a\r\nX-Evil: 1`, {
      method: 'PUT',
      body: 'Grüße',
      headers: overriding,
    });
    t.equal(outcome.up, true);
    const [request = ''] = target.requests;
    t.notMatch(request, /x-evil/i.source.concat(':'), 'the URL parser removes a line end');
    t.match(request, '\r\nUser-Agent: mine\r\n', 'headers of the monitor replace the defaults');
    t.match(request, '\r\nContent-Length: 7\r\n', 'but not the headers that determine the end of the request');
    t.notMatch(request, /transfer-encoding|keep-alive/i);
    t.ok(request.endsWith(Buffer.from('Grüße').toString('latin1')), 'the body is sent as UTF-8');
    await checker.http(target.url, { method: 'POST' });
    t.match(target.requests[1], '\r\nContent-Length: 0\r\n', 'a POST without a body has a length of 0');
  });
});

t.test('HEAD and responses without a body', async (t) => {
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

t.test('failing connections', async (t) => {
  t.match(await checker.http(REFUSING), {
    up: false,
    address: null,
    error: { code: 'connection_refused', message: /^127\.0\.0\.1:1 refused the connection after \d+ ms$/ },
  });
  await withTarget(HOSTILE.closing, async (target) => {
    t.match(await checker.http(target.url), {
      error: { code: 'connection_reset', message: /closed the connection after .*, without a response$/ },
    });
  });
  await withTarget(HOSTILE.resetting, async (target) => {
    t.match(await checker.http(target.url), { error: { code: 'connection_reset', message: /reset the connection/ } });
  });
  await withTarget(HOSTILE.halfBody, async (target) => {
    t.match(await checker.http(target.url), {
      httpStatus: 200,
      error: { code: 'connection_reset', message: /before its response was complete$/ },
    });
  });
  const greeter = await startGreeter('SSH-2.0-OpenSSH_9.2');
  const greeted = await checker.http(`http://127.0.0.1:${greeter.port}/`);
  t.match(greeted, {
    error: { code: 'protocol_error', message: /^the response starts with "SSH-2", which is not an HTTP status line$/ },
  });
  await greeter.close();
  for (const url of ['not a url', 'ftp://127.0.0.1/', 'http://']) {
    t.match(await checker.http(url), { error: { code: 'protocol_error' } }, url);
  }
});

t.test('a target that never completes its response: the check ends at its timeout', async (t) => {
  const clock = standingClock();
  const timed = testChecker({ clock });
  t.teardown(() => timed.close());
  for (const name of ['silent', 'dripping'] as const) {
    await withTarget(HOSTILE[name], async (target) => {
      const check = timed.http(target.url, {}, 800);
      await waitFor('its request', 20_000, () => target.requests.length === 1, 5);
      await clock.advance(800);
      t.match(await check, { error: { code: 'response_timeout' }, responseTimeMs: 800 }, name);
    });
  }
});

t.test('a wrong status ends the check before the body', async (t) => {
  const wrong: Answering = (socket) => socket.write('HTTP/1.1 500 No\r\nContent-Length: 1000\r\n\r\nsome');
  await withTarget(wrong, async (target) => {
    t.match(await checker.http(target.url), { httpStatus: 500, error: { code: 'status_mismatch' } });
  });
});

t.test('a step that does not stop does not delay the end of the check', async (t) => {
  const clock = testClock();
  const deadline = createDeadline(clock, 1000, new AbortController().signal);
  const received: string[] = [];
  deadline.onStop((stop) => received.push(stop));
  deadline.onOverrun(500, () => received.push('overrun'));
  await clock.advance(1000);
  t.same(received, ['timeout']);
  t.equal(deadline.remainingMs(), 0);
  deadline.onStop((stop) => received.push(`late ${stop}`));
  await clock.advance(500);
  t.same(received, ['timeout', 'late timeout', 'overrun']);
  deadline.close();
});

t.test('a cancelled check ends at once', async (t) => {
  await withTarget(HOSTILE.silent, async (target) => {
    const controller = new AbortController();
    const request = { type: 'http', url: target.url, timeoutMs: HOUR_MS, http: null } as const;
    const running = checker.run(request, controller.signal);
    await waitFor('its request', 5_000, () => target.requests.length === 1, 5);
    controller.abort();
    t.equal((await running).up, false, 'not at its timeout of an hour');
    const late = await checker.run(request, controller.signal);
    t.equal(late.up, false, 'a check that is already cancelled does not start');
  });
});

t.test('an http request without options is a GET that expects 200', async (t) => {
  await withTarget(answering('x'), async (target) => {
    const outcome = await checker.run(
      { type: 'http', url: target.url, timeoutMs: HOUR_MS, http: null },
      new AbortController().signal,
    );
    t.equal(outcome.up, true);
  });
  t.match(
    await checker.run(
      { type: 'carrier-pigeon', url: 'x', timeoutMs: HOUR_MS, http: null },
      new AbortController().signal,
    ),
    { up: false, error: { code: 'protocol_error' } },
    'an unknown type does not throw',
  );
});

t.test('interim responses are skipped', async (t) => {
  const early: Answering = (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
    setTimeout(() => socket.end(answerBytes('done')), 30);
  };
  await withTarget(early, async (target) => {
    t.match(await checker.http(target.url, { keyword: 'done' }), { up: true, httpStatus: 200 });
  });
});
