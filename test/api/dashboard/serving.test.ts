import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { readDashboard } from '../../../control-plane/dashboard/files.js';
import { dashboardMounts } from '../../../control-plane/dashboard/mounts.js';
import { startApp, type TestApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';

const SCRIPT = 'console.log("the application");'.repeat(100);
const PAGE =
  '<!doctype html><html data-sign-up="" data-mail="" data-version=""><base href="/"><script src="./assets/app-1.js"></script>';
const SESSION = { cookie: 'picket_session=x' };

const mongo = await testDatabase();
const folder = await mkdtemp(join(tmpdir(), 'picket-dashboard-'));
t.teardown(async () => {
  await rm(folder, { recursive: true });
  await mongo.drop();
});
await mkdir(join(folder, 'assets'));
await writeFile(join(folder, 'app.html'), `${PAGE}app`);
await writeFile(join(folder, 'entrance.html'), `${PAGE}entrance`);
await writeFile(join(folder, 'assets/app-1.js'), SCRIPT);
await writeFile(join(folder, 'assets/app-1.js.br'), brotliCompressSync(SCRIPT));
const GZIP = gzipSync(SCRIPT, { level: 9 });
await writeFile(join(folder, 'assets/app-1.js.gz'), GZIP);
await writeFile(join(folder, 'assets/bare-1.js'), SCRIPT);
await writeFile(join(folder, 'secret.txt'), 'not for the web');

async function appAt(
  publicUrl: string,
  facts: { signUpOpen?: boolean; sendsEmail?: boolean; signedInByProxy?: boolean } = {},
) {
  const files = await readDashboard(folder);
  if (files === null) throw new Error('the folder has no dashboard');
  const { signUpOpen = true, sendsEmail = true, signedInByProxy = false } = facts;
  const mounts = dashboardMounts({ files, publicUrl, signUpOpen, sendsEmail, signedInByProxy, version: '1.2.3' });
  return startApp({ mongo, routes: [], mounts });
}

interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Sends the path exactly as it is, which `fetch` does not. */
function raw(app: TestApp, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: app.port, path, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

const app = await appAt('http://picket.test');
t.teardown(() => app.close());

t.test('files with a hash in their name are kept for a year, pages are asked for again', async (t) => {
  const script = await raw(app, '/assets/app-1.js');
  t.equal(script.status, 200);
  t.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable');
  t.equal(script.headers['content-type'], 'text/javascript; charset=utf-8');
  t.equal(script.body.toString(), SCRIPT);
  const page = await raw(app, '/', SESSION);
  t.equal(page.status, 200);
  t.equal(page.headers['cache-control'], 'no-cache');
  t.match(page.body.toString(), /app$/);
});

t.test('a browser that takes brotli gets the copy that the build made', async (t) => {
  const { headers, body } = await raw(app, '/assets/app-1.js', { 'accept-encoding': 'gzip, deflate, br, zstd' });
  t.equal(headers['content-encoding'], 'br');
  t.match(headers['vary'], /accept-encoding/i);
  t.equal(brotliDecompressSync(body).toString(), SCRIPT);
  const refused = await raw(app, '/assets/app-1.js', { 'accept-encoding': 'br;q=0, identity' });
  t.equal(refused.headers['content-encoding'], undefined);
});

t.test('other browsers get the gzip copy of the build, and nothing is compressed for a request', async (t) => {
  const as = (path: string, accepted: string) => raw(app, path, { ...SESSION, 'accept-encoding': accepted });
  const script = await as('/assets/app-1.js', 'gzip, deflate');
  t.equal(script.headers['content-encoding'], 'gzip');
  t.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable');
  t.equal(script.headers['content-length'], String(GZIP.length));
  t.ok(script.body.equals(GZIP), 'byte for byte');
  t.equal((await as('/assets/app-1.js', 'gzip;q=1, br;q=0')).headers['content-encoding'], 'gzip');
  t.equal((await as('/assets/bare-1.js', 'gzip')).headers['content-encoding'], undefined, 'there is no copy');
  const page = await as('/', 'gzip');
  t.equal(page.headers['content-encoding'], 'gzip');
  t.match(gunzipSync(page.body).toString(), /app$/);
});

t.test('conditional requests and HEAD have no body', async (t) => {
  for (const path of ['/assets/app-1.js', '/monitors']) {
    const first = await raw(app, path, SESSION);
    const etag = String(first.headers['etag']);
    const again = await raw(app, path, { ...SESSION, 'if-none-match': etag });
    t.same([again.status, again.body.length, again.headers['etag']], [304, 0, etag], path);
    t.equal((await raw(app, path, { ...SESSION, 'if-none-match': 'W/"other"' })).status, 200);
    const head = await raw(app, path, SESSION, 'HEAD');
    t.same([head.status, head.body.length, head.headers['etag']], [200, 0, etag]);
    t.equal(head.headers['content-length'], String(first.body.length));
  }
});

t.test('the policy of the pages allows no script and no style in a page, and nothing from elsewhere', async (t) => {
  for (const path of ['/', '/login', '/no/such/page']) {
    const policy = String((await raw(app, path, SESSION)).headers['content-security-policy']);
    t.notMatch(policy, /unsafe|https?:|\*/, path);
    for (const directive of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
      t.ok(policy.includes(directive), directive);
    }
  }
});

t.test('no path reaches the file system', async (t) => {
  const attempts = [
    '/assets/../secret.txt',
    '/assets/%2e%2e/secret.txt',
    '/assets/..%2fsecret.txt',
    '/assets/..%5csecret.txt',
    '/assets//etc/passwd',
    '/assets/%00app-1.js',
    '/assets/app-1.js%00.png',
    '/assets/app-1.js/',
    '/assets/app-1.js.br',
    '/assets/app-1.js.gz',
    '/assets/__proto__',
    '/assets/constructor',
    '/assets/%',
    '/assets/',
    '/secret.txt',
    '/.env',
    '/../../../../etc/passwd',
    '//etc/passwd.txt',
  ];
  for (const path of attempts) {
    const { status, headers, body } = await raw(app, path, SESSION);
    t.equal(status, 404, path);
    t.match(headers['content-type'], /problem\+json/, path);
    t.notMatch(body.toString(), /not for the web|root:/, path);
  }
});

t.test('what programs ask for stays an error in JSON', async (t) => {
  const paths = ['/v1', '/v1/nothing', '/api/v1/nothing', '/api/nothing', '/install/nothing.sh', '/install/nothing'];
  for (const path of [...paths, '/metrics/x', '/favicon.ico', '/robots.txt']) {
    const { status, headers } = await raw(app, path, { ...SESSION, accept: 'text/html' });
    t.equal(status, 404, path);
    t.match(headers['content-type'], /problem\+json/, path);
  }
  t.equal((await raw(app, '/monitors', { ...SESSION, accept: 'application/json' })).status, 404, 'asked for JSON');
  t.equal((await raw(app, '/monitors', SESSION, 'POST')).status, 404, 'a page takes no POST');
});

t.test('somebody without a session gets the log-in, which comes back', async (t) => {
  const { status, headers } = await raw(app, '/monitors?status=down&q=%2F%2Fevil');
  t.equal(status, 302);
  t.equal(headers['location'], `/login?next=${encodeURIComponent('/monitors?status=down&q=%2F%2Fevil')}`);
  t.equal(headers['cache-control'], 'no-store');
  t.equal(
    (await raw(app, '//evil.example/')).headers['location'],
    `/login?next=${encodeURIComponent('//evil.example/')}`,
  );
  const pages = ['/login', '/sign-up', '/forgot-password', '/reset-password', '/confirm-email', '/invitation'];
  for (const path of pages) t.match((await raw(app, path)).body.toString(), /entrance$/, path);
});

t.test('where a proxy signs people in, there is no session cookie to look for', async (t) => {
  const behindProxy = await appAt('http://picket.test', { signedInByProxy: true });
  t.teardown(() => behindProxy.close());
  t.match((await raw(behindProxy, '/')).body.toString(), /app$/);
});

t.test('pages know the path of the installation, whether people can sign up and whether e-mail is sent', async (t) => {
  const below = await appAt('https://example.com/tools/"picket"', { signUpOpen: false, sendsEmail: false });
  t.teardown(() => below.close());
  const { body } = await raw(below, '/login');
  t.match(body.toString(), '<base href="/tools/%22picket%22/">');
  t.match(body.toString(), 'data-sign-up="closed" data-mail="none" data-version="1.2.3"');
  const root = await appAt('http://picket.test');
  t.teardown(() => root.close());
  t.match((await raw(root, '/login')).body.toString(), 'data-sign-up="open" data-mail="sent" data-version="1.2.3"');
  t.equal((await raw(below, '/monitors')).headers['location'], '/tools/%22picket%22/login?next=%2Fmonitors');
});

t.test('without a built dashboard there are no pages, and no error', async (t) => {
  t.equal(await readDashboard(join(folder, 'nowhere')), null);
});
