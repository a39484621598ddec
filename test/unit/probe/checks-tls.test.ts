import t from 'tap';
import type { CheckOutcome } from '../../../probe/checks/outcome.js';
import { type CertificateFindings, gradeOf, hstsSeconds } from '../../../probe/checks/tls/certificate-grade.js';
import { answering, HOSTILE, redirecting, startGreeter, startTarget } from '../../helpers/probe/targets.js';
import { testChecker } from '../../helpers/probe/targets-checker.js';
import { type CertificateOptions, createAuthority, startTlsTarget } from '../../helpers/probe/targets-tls.js';
import { standingClock } from '../../helpers/standing-clock.js';
import { waitFor } from '../../helpers/wait.js';

const DAY_MS = 86_400_000;
const HALF_YEAR = { 'strict-transport-security': 'max-age=15552000; includeSubDomains' };
const authority = await createAuthority();
const clock = standingClock();
const checker = testChecker({ extraCaPem: authority.pem, clock });
t.teardown(() => checker.close());

type TlsSettings = Parameters<typeof startTlsTarget>[2];

/** Checks a new target with this certificate, by its name unless `host` is set. */
async function checkWith(
  certificate: CertificateOptions,
  options: {
    headers?: Record<string, string>;
    tls?: TlsSettings;
    host?: string;
    ignoreTlsErrors?: boolean;
    status?: string;
  } = {},
): Promise<CheckOutcome & { fingerprint: string; notAfterMs: number; handshakes: number }> {
  const issued = await authority.issue(certificate);
  const { headers = {}, tls = {}, host = 'localhost', status = '200 OK' } = options;
  const target = await startTlsTarget(issued, answering('secure', { headers, status }), tls);
  const outcome = await checker.http(`https://${host}:${target.port}/`, {
    ignoreTlsErrors: options.ignoreTlsErrors ?? false,
  });
  const handshakes = target.connections();
  await target.close();
  return { ...outcome, fingerprint: issued.fingerprint, notAfterMs: issued.notAfterMs, handshakes };
}

t.test('a trusted certificate: up, measured and described', async (t) => {
  const outcome = await checkWith({});
  t.match(outcome, { up: true, error: null, httpStatus: 200, address: '127.0.0.1' });
  t.match(outcome.timings, { dnsMs: Number, connectMs: Number, tlsMs: Number, ttfbMs: Number, transferMs: Number });
  t.same(outcome.certificate, {
    grade: 'A',
    notAfterMs: outcome.notAfterMs,
    fingerprint: outcome.fingerprint,
    issuer: 'CN=Picket test authority',
    subject: 'CN=localhost, O=Picket test',
    protocol: 'TLSv1.3',
  });
});

t.test('an invalid certificate fails the check and is delivered', async (t) => {
  const cases: [string, CertificateOptions, string, string, RegExp][] = [
    ['expired', { notAfterDays: -3 }, 'tls_expired', 'F', /expired on \d{4}-\d\d-\d\d, 3 days ago$/],
    ['expired today', { notAfterDays: -0.2 }, 'tls_expired', 'F', /, 5 h ago$/],
    [
      'not yet valid',
      { notBeforeDays: 2, notAfterDays: 90 },
      'tls_expired',
      'F',
      /is not valid before \d{4}-\d\d-\d\d, in \d days?$/,
    ],
    ['self-signed', { selfSigned: true }, 'tls_untrusted', 'T', /is not trusted: it is self-signed$/],
    [
      'for another name',
      { names: ['other.example', '*.third.example'] },
      'tls_name_mismatch',
      'T',
      /is for "other\.example", "\*\.third\.example", not for "localhost"$/,
    ],
    ['self-signed and expired', { selfSigned: true, notAfterDays: -3 }, 'tls_expired', 'F', /expired/],
  ];
  for (const [name, certificate, code, grade, message] of cases) {
    const outcome = await checkWith(certificate);
    t.match(outcome, { up: false, httpStatus: null, error: { code, message }, certificate: { grade } }, name);
    t.equal(outcome.certificate?.fingerprint, outcome.fingerprint, `${name}: the certificate is delivered`);
    t.equal(outcome.handshakes, 1, `${name}: no further handshake was made`);
    t.ok(outcome.timings.tlsMs !== null, `${name}: the handshake was measured`);
    const ignoring = await checkWith(certificate, { ignoreTlsErrors: true });
    t.match(
      ignoring,
      { up: true, httpStatus: 200, error: null, certificate: { grade } },
      `${name}: up when TLS errors are ignored`,
    );
  }
});

t.test('an unknown authority', async (t) => {
  const unknown = await createAuthority();
  const target = await startTlsTarget(await unknown.issue(), answering('x'));
  t.match(await checker.http(`https://localhost:${target.port}/`), {
    error: { code: 'tls_untrusted' },
    certificate: { grade: 'T' },
  });
  await target.close();
});

t.test('addresses are compared with the addresses of the certificate', async (t) => {
  t.equal((await checkWith({}, { host: '127.0.0.1' })).up, true);
  t.match(await checkWith({ names: ['localhost'] }, { host: '127.0.0.1' }), { error: { code: 'tls_name_mismatch' } });
  t.equal((await checkWith({}, { host: '[::1]', tls: { address: '::1' } })).up, true);
});

t.test('a name is sent by SNI, an address is not', async (t) => {
  const seen: string[] = [];
  const tls: TlsSettings = {
    SNICallback(name, done) {
      seen.push(name);
      done(null);
    },
  };
  await checkWith({}, { tls });
  t.ok(seen.length > 0 && seen.every((name) => name === 'localhost'));
  seen.length = 0;
  await checkWith({}, { tls, host: '127.0.0.1' });
  t.same(seen, []);
});

t.test('grades from handshakes', async (t) => {
  const old: TlsSettings = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' };
  const cases: [string, string, CertificateOptions, Parameters<typeof checkWith>[1]][] = [
    ['strict transport security of half a year', 'A+', {}, { headers: HALF_YEAR }],
    ['the same with a response that fails the check', 'A+', {}, { headers: HALF_YEAR, status: '500 No' }],
    ['one day less', 'A', {}, { headers: { 'strict-transport-security': 'max-age=15465600' } }],
    ['TLS 1.2 only', 'A', {}, { headers: HALF_YEAR, tls: { maxVersion: 'TLSv1.2' } }],
    ['29 days left', 'A', { notAfterDays: 29 }, { headers: HALF_YEAR }],
    ['10 days left', 'C', { notAfterDays: 10 }, { headers: HALF_YEAR }],
    ['TLS 1.0 accepted in addition to 1.3', 'B', {}, { headers: HALF_YEAR, tls: old }],
    ['only TLS 1.0', 'B', {}, { tls: { ...old, maxVersion: 'TLSv1' } }],
    ['RSA 1024', 'B', { rsaBits: 1024 }, { tls: { ciphers: 'DEFAULT@SECLEVEL=0' } }],
    ['RSA 2048', 'A', { rsaBits: 2048 }, {}],
  ];
  for (const [name, grade, certificate, options] of cases) {
    const outcome = await checkWith(certificate, options);
    t.equal(outcome.certificate?.grade, grade, `${name}: ${grade} (${outcome.error?.message ?? 'up'})`);
    t.equal(outcome.up, options?.status === undefined, name);
  }
});

t.test('old TLS is offered once and not during a measured phase', async (t) => {
  const target = await startTlsTarget(await authority.issue(), answering('x'));
  for (let index = 0; index < 5; index++) t.equal((await checker.http(`https://localhost:${target.port}/`)).up, true);
  t.equal(target.connections(), 6, 'five checks and one additional handshake');
  await target.close();
});

t.test('a check without a response keeps the grade of the last known header', async (t) => {
  const issued = await authority.issue();
  let silent = false;
  const target = await startTlsTarget(issued, (socket, request) => {
    if (!silent) answering('x', { headers: HALF_YEAR })(socket, request);
  });
  const url = `https://localhost:${target.port}/`;
  t.equal((await checker.http(url)).certificate?.grade, 'A+');
  silent = true;
  const check = checker.http(url, {}, 2_000);
  await waitFor('its request', 20_000, () => target.requests.length === 2, 5);
  await clock.advance(2_000);
  t.match(await check, { error: { code: 'response_timeout' }, certificate: { grade: 'A+' } });
  await target.close();
});

t.test('failing handshakes', async (t) => {
  const greeter = await startGreeter('SSH-2.0-OpenSSH_9.2 and so on\r\n');
  t.match(await checker.http(`https://localhost:${greeter.port}/`), {
    certificate: null,
    error: { code: 'tls_handshake', message: /the server does not use TLS on this port$/ },
  });
  await greeter.close();
  const silent = await startTarget(HOSTILE.silent);
  const check = checker.http(`https://localhost:${silent.port}/`, {}, 400);
  await waitFor('the start of the handshake', 20_000, () => silent.received() > 0, 5);
  await clock.advance(400);
  t.match(await check, {
    error: { code: 'tls_handshake', message: /did not finish the TLS handshake within 400 ms$/ },
  });
  await silent.close();
  const none: TlsSettings = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA256' };
  t.match(await checkWith({}, { tls: none }), { error: { code: 'tls_handshake', message: /no cipher|in common/ } });
  const asking = await checkWith({}, { tls: { requestCert: true, rejectUnauthorized: true } });
  t.match(asking, { error: { code: 'tls_handshake', message: /client certificate|closed the connection/ } });
});

t.test('the certificate is that of the monitored host; those of redirects must be valid too', async (t) => {
  const good = await authority.issue();
  const bad = await startTlsTarget(await authority.issue({ notAfterDays: -1 }), answering('expired'));
  const first = await startTlsTarget(good, redirecting({ '/': `302 https://localhost:${bad.port}/` }));
  const outcome = await checker.http(`https://localhost:${first.port}/`);
  t.match(outcome, { up: false, error: { code: 'tls_expired' } });
  t.equal(outcome.certificate?.fingerprint, good.fingerprint);
  const plain = await startTarget(redirecting({ '/': `302 https://localhost:${first.port}/end` }));
  const upgraded = await checker.http(plain.url);
  t.match(upgraded, { up: true, certificate: null }, 'a monitor of an http URL has no certificate');
  t.ok(upgraded.timings.tlsMs !== null);
  for (const target of [bad, first, plain]) await target.close();
});

t.test('the grade depends on the findings', async (t) => {
  const best: CertificateFindings = {
    valid: true,
    trusted: true,
    nameMatches: true,
    msLeft: 60 * DAY_MS,
    protocol: 'TLSv1.3',
    oldTlsAccepted: false,
    key: { type: 'ec', bits: 256 },
    hstsSeconds: 180 * 86_400,
  };
  const cases: [string, Partial<CertificateFindings>][] = [
    ['A+', {}],
    ['A+', { oldTlsAccepted: null }],
    ['A', { hstsSeconds: 180 * 86_400 - 1 }],
    ['A', { hstsSeconds: null }],
    ['A', { protocol: 'TLSv1.2' }],
    ['A', { msLeft: 30 * DAY_MS }],
    ['A+', { msLeft: 30 * DAY_MS + 1 }],
    ['A', { msLeft: 14 * DAY_MS + 1 }],
    ['C', { msLeft: 14 * DAY_MS }],
    ['B', { oldTlsAccepted: true }],
    ['B', { protocol: 'TLSv1.1' }],
    ['B', { key: { type: 'rsa', bits: 2047 } }],
    ['A+', { key: { type: 'rsa', bits: 2048 } }],
    ['B', { key: { type: 'ec', bits: 224 } }],
    ['A+', { key: { type: 'other', bits: 0 } }],
    ['C', { msLeft: DAY_MS, oldTlsAccepted: true }],
    ['T', { trusted: false, msLeft: DAY_MS }],
    ['T', { nameMatches: false }],
    ['F', { valid: false, trusted: false }],
    ['F', { msLeft: 0 }],
  ];
  for (const [grade, change] of cases)
    t.equal(gradeOf({ ...best, ...change }), grade, `${grade}: ${JSON.stringify(change)}`);
  t.equal(hstsSeconds('max-age=31536000; includeSubDomains; preload'), 31_536_000);
  t.equal(hstsSeconds('includeSubDomains; Max-Age="10"'), 10);
  t.equal(hstsSeconds('max-age=abc'), null);
  t.equal(hstsSeconds(undefined), null);
});
