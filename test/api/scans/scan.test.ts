import { createServer } from 'node:net';
import t from 'tap';
import type { ScanWithFindings } from '../../../control-plane/scans/schema.js';
import { nginxSite } from '../../helpers/machine/nginx.js';
import { freePort } from '../../helpers/machine/ports.js';
import { createAuthority } from '../../helpers/probe/targets-tls.js';
import { startScansApp } from '../../helpers/scans/app.js';
import { httpsSite } from '../../helpers/scans/site.js';

const authority = await createAuthority();
const open = createServer((socket) => socket.on('error', () => {}).end());
await new Promise<void>((resolve) => open.listen(0, '127.0.0.1', resolve));
const openPort = (open.address() as { port: number }).port;
const closedPort = await freePort();
const app = await startScansApp({ authority: authority.pem, ports: [openPort, closedPort] });
t.teardown(() => app.stop());
t.teardown(() => open.close());
const token = await app.token();

const PROTECTED = `ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM;
  add_header Strict-Transport-Security "max-age=31536000";
  add_header Content-Security-Policy "default-src 'self'; frame-ancestors 'none'";
  add_header X-Content-Type-Options nosniff;
  add_header Referrer-Policy strict-origin-when-cross-origin;
  add_header Permissions-Policy "camera=()";
  add_header Set-Cookie "session=secret-value; Path=/; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Secure; HttpOnly; SameSite=Lax";
  location = /.well-known/security.txt { return 200 "Contact: mailto:a@example.com\\nExpires: 2037-01-01T00:00:00Z\\n"; }
  server_tokens off;`;

const severities = ({ findings }: ScanWithFindings) =>
  Object.fromEntries(findings.map(({ code, severity }) => [code, severity]));

t.test('a website with every protection has nothing to do but the open port', async (t) => {
  const certificate = await authority.issue();
  const site = await httpsSite(t, { certificate, token, settings: PROTECTED });
  const scan = await app.scan(await app.addMonitor(`${site.https}path?token=secret`));
  t.equal(scan.status, 'completed');
  t.equal(scan.target, site.https, 'neither path nor query of the monitor');
  t.equal(scan.proof, 'file');
  t.equal(scan.location, 'fra');
  const todo = scan.findings.filter(({ severity }) => severity !== 'passed');
  t.strictSame(
    todo.map(({ code }) => code),
    [`port_open:${openPort}`],
  );
  t.equal(scan.score, 92, '100 less 8 for a medium finding');
  t.ok((scan.connections ?? 99) <= 40, 'bounded in connections');
  const audit = await app.mongo.db.collection('audit_log').find({ 'resource.id': scan.id }).toArray();
  t.strictSame(audit.map(({ action }) => action).sort(), ['scan.completed', 'scan.triggered']);
});

t.test('a website without protection gets a finding for each thing', async (t) => {
  // No file of a website is proof whose certificate nobody trusts.
  app.zone.set('_picket-scan.127.0.0.1', { txt: ['other', token] });
  t.teardown(() => app.zone.clear());
  const certificate = await authority.issue({ rsaBits: 2048, selfSigned: true, notAfterDays: 5 });
  const site = await httpsSite(t, {
    certificate,
    token,
    page: `<script src=http://cdn.example/a.js?v=1></script><img src="http://img.example/a.png">
      <link rel=canonical href="http://shop.example/"><a href="http://other.example/">other</a>`,
    settings: `ssl_protocols TLSv1 TLSv1.1 TLSv1.2; ssl_ciphers ALL:COMPLEMENTOFALL@SECLEVEL=0;
      add_header Set-Cookie "PHPSESSID=abc,secret-value="; add_header Set-Cookie "secret-value; Secure"; add_header Set-Cookie "lang=de";
      location = /.git/HEAD { return 200 "ref: refs/heads/main\\n"; }
      location = /.env { return 200 "APP_KEY=secret-value\\n"; }
      location = /dump.sql { return 200 "<html>Not a dump</html>"; }`,
  });
  const scan = await app.scan(await app.addMonitor(site.https));
  t.equal(scan.status, 'completed');
  t.match(severities(scan), {
    'file_exposed:/.git/HEAD': 'critical',
    'file_exposed:/.env': 'critical',
    certificate_untrusted: 'critical',
    certificate_ends: 'high',
    tls_1_0: 'medium',
    tls_1_1: 'medium',
    tls_weak_ciphers: 'high',
    tls_no_forward_secrecy: 'low',
    tls_1_3_missing: 'info',
    hsts_missing: 'medium',
    csp_missing: 'medium',
    framing_allowed: 'medium',
    content_type_sniffed: 'low',
    referrer_open: 'low',
    permissions_missing: 'info',
    version_shown: 'info',
    cookie_not_secure: 'medium',
    cookie_not_http_only: 'medium',
    cookie_same_site: 'low',
    mixed_active_content: 'medium',
    mixed_passive_content: 'low',
    security_txt_missing: 'info',
  });
  t.notOk('file_exposed:/dump.sql' in severities(scan), 'judged by content, not by status');
  t.equal(scan.score, 0);
  t.equal(scan.findings[0]?.severity, 'critical', 'the worst first');
  const cookies = scan.findings.find(({ code }) => code === 'cookie_not_http_only');
  t.equal(cookies?.evidence, 'PHPSESSID', 'a cookie of the language is for scripts');
  const active = scan.findings.find(({ code }) => code === 'mixed_active_content');
  t.equal(active?.evidence, 'http://cdn.example/a.js', 'without its query');
  const stored = JSON.stringify(await app.mongo.db.collection('scans').find().toArray());
  t.notMatch(stored, /secret-value/, 'no secret is stored');
});

t.test('a website that answers every path with a page is not accused', async (t) => {
  const certificate = await authority.issue();
  const settings = `${PROTECTED} location / { return 200 "<html>Welcome</html>"; }`;
  const site = await httpsSite(t, { certificate, token, settings });
  const scan = await app.scan(await app.addMonitor(site.https));
  t.equal(severities(scan)['files'], 'passed');
});

t.test('one that answers every path with what looks like a secret is unknown', async (t) => {
  const certificate = await authority.issue();
  const settings = `${PROTECTED} location / { return 200 "APP_KEY=1\\n"; }`;
  const site = await httpsSite(t, { certificate, token, settings });
  const scan = await app.scan(await app.addMonitor(site.https));
  t.equal(severities(scan)['files'], 'unknown');
  t.notOk('file_exposed:/.env' in severities(scan));
  t.equal(scan.score, 92, 'what is unknown takes nothing off');
});

t.test('a website without TLS has a finding of its own', async (t) => {
  const site = await nginxSite('<p>x</p>', `location = /.well-known/picket-scan.txt { return 200 "${token}"; }`);
  t.teardown(() => site.remove());
  await site.start();
  const scan = await app.scan(await app.addMonitor(site.url));
  t.match(severities(scan), { https_missing: 'high' });
  t.notOk('hsts_missing' in severities(scan), 'HSTS means nothing without https');
});

t.test('a redirect to another host is not followed', async (t) => {
  const certificate = await authority.issue();
  const settings = `location = / { if ($scheme = https) { return 301 https://localhost.invalid/; } }`;
  const site = await httpsSite(t, { certificate, token, settings });
  const scan = await app.scan(await app.addMonitor(site.https));
  t.equal(scan.status, 'completed');
  t.equal(scan.findings.find(({ code }) => code === 'redirects_elsewhere')?.evidence, 'localhost.invalid');
});

t.test(
  'an http monitor whose website redirects to https on another host has no finding about encryption',
  async (t) => {
    // Only the probe is redirected: the test waits until the website answers.
    const redirect = 'location = / { if ($http_user_agent ~ Picket) { return 301 https://www.shop.invalid/; } }';
    const proof = `location = /.well-known/picket-scan.txt { return 200 "${token}"; }`;
    const site = await nginxSite('<p>x</p>', `${redirect} ${proof}`);
    t.teardown(() => site.remove());
    await site.start();
    const found = severities(await app.scan(await app.addMonitor(site.url)));
    t.match(found, { redirects_elsewhere: 'info', http_redirects: 'passed' });
    t.notOk('https_missing' in found || 'csp_missing' in found);
  },
);

t.test(
  'a policy of more than 2,000 characters is judged as a whole, and one of more than 8,192 is unknown',
  async (t) => {
    const certificate = await authority.issue();
    // A line of the settings of nginx cannot be longer.
    const line = `img-src ${'https://images.example/path '.repeat(100)}; script-src 'self'; frame-ancestors 'none'`;
    const policyOf = async (lines: number) => {
      const settings = `add_header Content-Security-Policy "${line}";`.repeat(lines);
      const site = await httpsSite(t, { certificate, token, settings });
      return app.scan(await app.addMonitor(site.https));
    };
    const long = await policyOf(1);
    t.match(severities(long), { csp: 'passed', framing: 'passed' });
    t.ok((long.findings.find(({ code }) => code === 'csp')?.evidence ?? '').length <= 500);
    t.match(severities(await policyOf(3)), { csp: 'unknown', framing: 'unknown' });
  },
);

t.test('a website that does not answer fails with the reason', async (t) => {
  app.zone.set('_picket-scan.127.0.0.1', { txt: [token] });
  t.teardown(() => app.zone.clear());
  const scan = await app.scan(await app.addMonitor(`http://127.0.0.1:${closedPort}/`));
  t.match(scan, { status: 'failed', proof: 'dns', error: { code: 'connection_refused' }, score: null, findings: [] });
});
