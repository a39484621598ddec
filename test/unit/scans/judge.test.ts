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
  t.match(tls({ notAfterMs: NOW - 1, problem: 'CERT_HAS_EXPIRED' }), { certificate_expired: 'critical' });
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
  const value = `${'w'.repeat(5_000)}\u0000\u202e`;
  const many = Array.from({ length: 1_000 }, (_, port) => ({ port, state: value }));
  const measured = readMeasured(decoded({ ...headers({ server: value }), ports: many, address: `\u0007${value}` }));
  if ('code' in measured) throw new Error(measured.message);
  t.ok((measured.page.headers.get('server') ?? '').length <= 500);
  t.ok(measured.ports.length <= 50);
  t.notMatch(measured.address, /\p{C}/u);
  const failed = readMeasured(decoded({ errorCode: 'dns_failure', errorMessage: value }));
  t.ok('message' in failed && failed.message.length <= 500);
});
