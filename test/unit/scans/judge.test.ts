import t from 'tap';
import { judge } from '../../../control-plane/scans/judge/judge.js';
import { readMeasured } from '../../../control-plane/scans/judge/measured.js';
import type { ScanResult, ScanResult__Output } from '../../../proto/generated/picket/link/v1/ScanResult.js';
import { messageType } from '../../../proto/load.js';

const NOW = Date.UTC(2026, 0, 31);
const DAY_MS = 86_400_000;
const type = messageType('ScanResult');

function decoded(result: ScanResult): ScanResult__Output {
  const bytes = type.encode(type.fromObject(result)).finish();
  return type.toObject(type.decode(bytes), { longs: Number, enums: String, defaults: true, oneofs: true }) as never;
}

const PAGE = { url: 'https://shop.example/', status: 200, html: true };
const TLS = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', nameMatches: true, notAfterMs: NOW + 60 * DAY_MS };

/** Returns the severities of the findings, by code. */
function found(result: ScanResult): Record<string, string> {
  const measured = readMeasured(decoded({ page: PAGE, tls: TLS, ...result }));
  if ('code' in measured) throw new Error(measured.message);
  return Object.fromEntries(judge(measured, NOW).findings.map(({ code, severity }) => [code, severity]));
}

const headers = (of: Record<string, string>) => ({
  page: { ...PAGE, headers: Object.entries(of).map(([name, value]) => ({ name, value })) },
});

t.test('a policy with a nonce is strong, one for any script is weak', async (t) => {
  const csp = (value: string) => found(headers({ 'content-security-policy': value }));
  t.match(csp("script-src 'self'; frame-ancestors 'self'"), { csp: 'passed', framing: 'passed' });
  t.match(csp("script-src 'nonce-abc' 'unsafe-inline'"), { csp: 'passed' });
  t.match(csp("default-src 'self' 'unsafe-inline'"), { csp_weak: 'low', framing_allowed: 'medium' });
  t.match(csp("img-src 'self'"), { csp_weak: 'low' }, 'scripts are not limited at all');
  t.match(csp('frame-ancestors *'), { framing_allowed: 'medium' });
});

t.test(
  'a long policy is read as a whole, only its evidence is shortened, and one that the probe cut is unknown',
  async (t) => {
    const long = `img-src ${'https://images.example/path '.repeat(100)}`;
    t.ok(long.length > 2_500);
    const protective = headers({ 'content-security-policy': `${long}; script-src 'self'; frame-ancestors 'none'` });
    t.match(found(protective), { csp: 'passed', framing: 'passed' });
    const weak = headers({ 'content-security-policy': `${long}; script-src 'self' 'unsafe-inline'` });
    t.match(found(weak), { csp_weak: 'low', framing_allowed: 'medium' });
    const measured = readMeasured(decoded(protective));
    if ('code' in measured) throw new Error(measured.message);
    for (const { evidence } of judge(measured, NOW).findings) t.ok((evidence ?? '').length <= 500);
    const names = ['strict-transport-security', 'content-security-policy', 'x-content-type-options', 'referrer-policy'];
    const cut = names.map((name) => ({ name, value: "default-src 'self'; frame-ancestors 'self'", cut: true }));
    const ofCut = found({ page: { ...PAGE, headers: cut } });
    t.match(ofCut, {
      csp: 'unknown',
      framing: 'unknown',
      hsts: 'unknown',
      content_type: 'unknown',
      referrer: 'unknown',
    });
    t.match(found(headers({ 'content-security-policy': `${"script-src 'self';".repeat(1_000)}` })), { csp: 'unknown' });
  },
);

t.test('repeated headers count as in browsers', async (t) => {
  const of = (name: string, value: string) => found(headers({ [name]: value }));
  t.match(of('x-content-type-options', 'nosniff, nosniff'), { content_type: 'passed' });
  t.match(of('x-content-type-options', 'none, nosniff'), { content_type_sniffed: 'low' }, 'the first value counts');
  t.match(of('x-frame-options', 'SAMEORIGIN, sameorigin'), { framing: 'passed' });
  t.match(of('x-frame-options', 'SAMEORIGIN, ALLOWALL'), { framing_allowed: 'medium' });
  const csp = (value: string) => of('content-security-policy', value);
  t.match(csp("frame-ancestors 'self', script-src 'self'"), { csp: 'passed', framing: 'passed' }, 'all policies apply');
  t.match(csp("script-src 'self' 'unsafe-inline', script-src *"), { csp: 'passed' }, 'no script that both allow');
  t.match(csp("script-src * 'unsafe-inline', script-src 'unsafe-inline'"), { csp_weak: 'low' });
  t.match(csp("frame-ancestors *, frame-ancestors 'none'"), { framing: 'passed' });
});

t.test('of a redirect to another host, only what holds for the whole website is judged', async (t) => {
  const page = { url: 'http://shop.example/', status: 301, redirectsTo: 'www.shop.example' };
  const toHttps = found({ page: { ...page, redirectsToHttps: true }, tls: null });
  t.match(toHttps, { http_redirects: 'passed', redirects_elsewhere: 'info', files: 'unknown', ports: 'unknown' });
  const ofPage = ['https_missing', 'csp_missing', 'framing_allowed', 'cookies', 'security_txt'];
  for (const code of ofPage) t.notOk(code in toHttps, code);
  t.match(found({ page, tls: null }), { https_missing: 'high' }, 'a redirect to http');
  const encrypted = found({ page: { ...page, url: PAGE.url, redirectsToHttps: true } });
  t.match(encrypted, { hsts_missing: 'medium', certificate_trusted: 'passed', tls_1_3: 'passed' });
  t.notOk('csp_missing' in encrypted);
});

t.test('the headers of an error are not those of the page', async (t) => {
  for (const status of [403, 503]) {
    const refused = found({ page: { ...PAGE, status } });
    t.match(refused, { page_status: 'unknown', hsts_missing: 'medium', certificate_trusted: 'passed' });
    t.notOk('csp_missing' in refused);
  }
  t.notOk('page_status' in found({}));
});

t.test('HSTS needs half a year', async (t) => {
  const hsts = (value: string) => found(headers({ 'strict-transport-security': value }));
  t.match(hsts('max-age=15552000'), { hsts: 'passed' });
  t.match(hsts('max-age=86400'), { hsts_short: 'low' });
  t.match(hsts('includeSubDomains'), { hsts_missing: 'medium' });
});

t.test('certificates by their end, chain, name and key', async (t) => {
  const tls = (of: object) => found({ tls: { ...TLS, ...of } });
  t.match(tls({}), { certificate_trusted: 'passed', certificate_days: 'passed' });
  t.match(tls({ notAfterMs: NOW + 13 * DAY_MS }), { certificate_ends: 'high' });
  const expired = tls({ notAfterMs: NOW - 1, problem: 'CERT_HAS_EXPIRED' });
  t.match(expired, { certificate_expired: 'critical' });
  t.notOk('certificate_trusted' in expired || 'certificate_untrusted' in expired);
  const intermediate = tls({ problem: 'CERT_HAS_EXPIRED' });
  t.match(intermediate, { certificate_untrusted: 'critical', certificate_days: 'passed' }, 'an expired intermediate');
  t.notOk('certificate_trusted' in intermediate);
  t.match(tls({ problem: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), { certificate_untrusted: 'critical' });
  t.match(tls({ nameMatches: false }), { certificate_name: 'critical' });
  t.match(tls({ keyType: 'rsa', keyBits: 1024 }), { certificate_key_short: 'high' });
});

t.test('what was not measured is unknown, never passed', async (t) => {
  const unmeasured = found({
    plainHttp: 'unknown',
    tls: { ...TLS, offers: [{ name: 'TLSv1.0', outcome: 'unknown' }] },
    files: [{ path: '/.env', outcome: 'unknown' }],
    ports: [{ port: 6379, state: 'unknown' }],
    securityText: { outcome: 'unknown' },
  });
  t.match(unmeasured, {
    ...{ http_redirects: 'unknown', tls_1_0: 'unknown', files: 'unknown', ports: 'unknown', security_txt: 'unknown' },
  });
});

t.test('open ports by their service, and http that is served', async (t) => {
  const ports = [6379, 3306, 21, 22, 443].map((port) => ({ port, state: port === 443 ? 'closed' : 'open' }));
  t.match(found({ ports, plainHttp: 'serves' }), {
    ...{ 'port_open:6379': 'critical', 'port_open:3306': 'high', 'port_open:21': 'medium', 'port_open:22': 'info' },
    http_served: 'medium',
  });
});

t.test('texts of a probe are bounded and have no control characters', async (t) => {
  const value = `${'w'.repeat(50_000)}\u0000\u202e`;
  const many = Array.from({ length: 1_000 }, (_, port) => ({ port, state: value }));
  const measured = readMeasured(decoded({ ...headers({ server: value }), ports: many, address: `\u0007${value}` }));
  if ('code' in measured) throw new Error(measured.message);
  t.ok((measured.page.headers.get('server') ?? '').length <= 8_192);
  t.ok(measured.ports.length <= 50);
  t.notMatch(measured.address, /\p{C}/u);
  const failed = readMeasured(decoded({ errorCode: 'dns_failure', errorMessage: value }));
  t.ok('message' in failed && failed.message.length <= 500);
});
