import t from 'tap';
import { identityOf } from '../../../control-plane/single-sign-on/oidc/claims.js';
import { FLOW_MS, newChecks, openFlow, sealFlow } from '../../../control-plane/single-sign-on/oidc/flow.js';
import { metadataProblem } from '../../../control-plane/single-sign-on/oidc/metadata-problem.js';
import { createFlowCookie } from '../../../control-plane/single-sign-on/sign-in/flow-cookie.js';
import { continuePage, pagePolicy, refusalPage } from '../../../control-plane/single-sign-on/sign-in/page.js';
import { REFUSAL_REASONS, SignInRefused } from '../../../control-plane/single-sign-on/sign-in/refusal.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { systemRandom } from '../../../kernel/random.js';

const box = createSecretBox(systemRandom.bytes(32), systemRandom);
const flow = () => ({
  ...newChecks(systemRandom),
  ...{ maxAgeS: null, provider: 'installation', settings: 'x', next: '/', expiresAtMs: Date.now() + FLOW_MS },
});

t.test('a log-in that has begun is readable only by Picket, and fits into a cookie', (t) => {
  const begun = { ...flow(), next: `/${'a'.repeat(511)}` };
  const sealed = sealFlow(begun, box);
  t.same(openFlow(sealed, box), begun);
  t.ok(sealed.length < 3_500, `${sealed.length} characters`);
  t.notMatch(sealed, begun.codeVerifier);
  const other = createSecretBox(systemRandom.bytes(32), systemRandom);
  const changed = `${sealed.slice(0, -4)}${sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
  for (const forged of [
    null,
    '',
    'v2.a.b',
    changed,
    sealFlow(begun, other),
    JSON.stringify(begun),
    'v2.'.repeat(2_000),
  ]) {
    t.equal(openFlow(forged, box), null, String(forged).slice(0, 30));
  }
  // Another secret of the same installation is not a log-in.
  t.equal(openFlow(box.seal(JSON.stringify(begun), { purpose: 'channel', id: 'chn_1' }), box), null);
  t.end();
});

t.test('each log-in has its own random values', (t) => {
  const values = [newChecks(systemRandom), newChecks(systemRandom)].flatMap((checks) => Object.values(checks));
  t.equal(new Set(values).size, 6);
  for (const value of values) t.match(value, /^[A-Za-z0-9_-]{43}$/);
  t.end();
});

t.test('the cookie is only for this host, not for scripts, and for ten minutes', (t) => {
  const secure = createFlowCookie('https://picket.example');
  t.equal(secure.set('abc'), '__Host-picket_single_sign_on=abc; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure');
  t.equal(secure.read('a=b; __Host-picket_single_sign_on=abc; c=d'), 'abc');
  t.equal(secure.read('picket_single_sign_on=abc'), null, 'a cookie that another host of the domain can plant');
  t.match(secure.clear(), /Max-Age=0/);
  const plain = createFlowCookie('http://127.0.0.1:8080');
  t.notMatch(plain.set('abc'), /Secure/);
  t.equal(plain.read(null), null);
  t.end();
});

const metadata = (more: object = {}) => ({
  issuer: 'https://id.example/staff',
  authorization_endpoint: 'https://id.example/auth',
  token_endpoint: 'https://id.example/token',
  jwks_uri: 'https://id.example/keys',
  ...more,
});

t.test('metadata is used only when it is of this issuer and has what is needed', (t) => {
  const problem = (more: object = {}, issuer = 'https://id.example/staff') =>
    metadataProblem(metadata(more), issuer, false);
  t.equal(problem(), null);
  t.equal(problem({ response_types_supported: ['code'], code_challenge_methods_supported: ['plain', 'S256'] }), null);
  t.match(problem({}, 'https://id.example/other'), /another issuer/);
  t.match(problem({ issuer: 'https://id.example/{tenantid}' }), /another issuer/);
  t.match(problem({ authorization_endpoint: 'javascript:alert(1)' }), /authorization_endpoint/);
  t.match(problem({ token_endpoint: 'http://id.example/token' }), /token_endpoint/);
  t.equal(
    metadataProblem(metadata({ token_endpoint: 'http://id.example/token' }), 'https://id.example/staff', true),
    null,
  );
  t.match(problem({ jwks_uri: undefined }), /jwks_uri/);
  t.match(problem({ userinfo_endpoint: 'ftp://id.example' }), /userinfo_endpoint/);
  t.match(problem({ response_types_supported: ['token'] }), /response type code/);
  t.match(problem({ code_challenge_methods_supported: ['plain'] }), /S256/);
  t.end();
});

const identity = (idToken: object, userInfo: object | null = null) =>
  identityOf({
    issuer: 'https://id.example',
    subject: 's',
    idToken: { ...idToken },
    userInfo: userInfo && { ...userInfo },
  });
const reasonOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (error instanceof SignInRefused) return error.reason;
    throw error;
  }
  return 'accepted';
};

t.test('an address counts with the verification of its own source, and any false refuses it', (t) => {
  const email = 'ada@example.com';
  t.equal(identity({ email, email_verified: true }).emailVerified, 'verified');
  t.equal(identity({ email, email_verified: 'true' }).emailVerified, 'verified');
  t.equal(identity({ email }).emailVerified, 'unknown');
  t.equal(identity({}, { email, email_verified: true }).emailVerified, 'verified');
  t.equal(identity({ email }, { email: 'eve@example.com', email_verified: true }).emailVerified, 'unknown');
  for (const email_verified of [false, 'false', 0, 'no', {}, []]) {
    t.equal(
      reasonOf(() => identity({ email, email_verified })),
      'email_unverified',
      JSON.stringify(email_verified),
    );
  }
  t.equal(
    reasonOf(() => identity({ email }, { email, email_verified: false })),
    'email_unverified',
  );
  t.equal(
    reasonOf(() => identity({})),
    'email_missing',
  );
  t.equal(
    reasonOf(() => identity({ email: ['ada@example.com'] })),
    'email_missing',
  );
  t.equal(identity({ email, groups: 'a' }, { groups: 'b', x: 1 }).claims['groups'], 'a', 'the ID token goes first');
  t.equal(identity({ email, auth_time: 12 }).authenticatedAtMs, 12_000);
  t.end();
});

for (const [language, toLogIn] of [
  ['en', 'To the log-in page'],
  ['de', 'Zur Anmeldung'],
] as const) {
  t.test(`every refusal has a page that says what to do, without script and text of strangers: ${language}`, (t) => {
    const titles = new Set<string | undefined>();
    for (const reason of REFUSAL_REASONS) {
      const of = { requestId: 'req_1', logInUrl: 'https://picket.example/login', language };
      const { html, status } = refusalPage(reason, of);
      t.match(html, /<h1>[^<]+<\/h1>\n<p>[^<]+<\/p>\n<p>[^<]+<\/p>/, reason);
      t.match(html, `<html lang="${language}">`);
      t.notMatch(html, /<script/i);
      t.match(html, `<a href="https://picket.example/login">${toLogIn}</a>`);
      t.ok(status >= 400);
      titles.add(/<h1>(.+)<\/h1>/.exec(html)?.[1]);
    }
    t.equal(titles.size, REFUSAL_REASONS.length, 'each says something else');
    t.end();
  });
}

t.test('the pages of single sign-on escape what they name', (t) => {
  t.match(refusalPage('expired', { requestId: '<b>', logInUrl: '', language: 'en' }).html, 'Request &lt;b&gt;');
  const page = continuePage({ workspace: '<script>', issuer: '"x"', href: "https://picket.example/?a='&b" }, 'de');
  t.match(page.html, 'bei <strong>&lt;script&gt;</strong> anmelden');
  t.match(page.html, 'href="https://picket.example/?a=&#39;&amp;b"');
  t.match(pagePolicy(), /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/);
  t.end();
});
