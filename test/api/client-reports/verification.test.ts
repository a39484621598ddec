import t from 'tap';
import { PATH, PUBLIC_URL, startReportsApp } from '../../helpers/client-reports/app.js';
import { pagesOf } from '../../helpers/client-reports/pdf.js';

const WRONG = '0000-0000-0000-0000';
const app = await startReportsApp();
t.teardown(() => app.stop());
const visit = async (path: string, language = 'en') => {
  const answer = await fetch(`${app.url}/verify${path}`, { headers: { 'accept-language': language } });
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
};

t.test('the code on the last page confirms title, client, period and SHA-256, and nothing else', async (t) => {
  const {
    id,
    verification_code: code,
    sha256,
  } = await app.made({
    title: 'January <b>',
    client_name: 'Müller & Söhne',
    time_zone: 'Europe/Berlin',
    period: { from: '2031-01-01T00:00:00+01:00', to: '2031-01-11T00:00:00+01:00' },
  });
  t.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
  const last = pagesOf((await app.download(id)).bytes).at(-1) ?? '';
  t.match(last, code);
  t.match(last, `${PUBLIC_URL}/verify`);
  const { status, headers, html } = await visit(`/${code}`);
  t.equal(status, 200);
  for (const shown of ['January &lt;b&gt;', 'Müller &amp; Söhne', sha256 ?? '', '1 January 2031', '11 January 2031'])
    t.match(html, shown);
  t.match(html, 'sha256sum');
  for (const hidden of [id, app.workspace.id, 'ws_', '#1f4e79']) t.notMatch(html, hidden);
  t.match(headers.get('x-robots-tag'), /noindex/);
  t.match(headers.get('content-security-policy'), /default-src 'none'.*frame-ancestors 'none'/);
  t.equal(headers.get('cache-control'), 'no-store');
  t.notMatch(html, /<script/);
  const german = await visit(`/${code}`, 'de');
  t.match(german.html, /<html lang="de">/);
  t.match(german.html, '1. Januar 2031');
});

t.test('a code is accepted as people type it, also in the form', async (t) => {
  const { verification_code: code } = await app.made();
  const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  t.equal((await visit(`?code=${encodeURIComponent(` ${typed} `)}`)).status, 200);
  t.equal((await visit(`/${encodeURIComponent(typed)}`)).status, 200);
  const { status, html } = await visit('');
  t.equal(status, 200);
  t.match(html, /<form method="get" action="verify"/);
  t.match((await visit(`/${code}`)).html, /href="\.\.\/verify"/, 'also behind a proxy that puts a path before');
});

t.test('no, a wrong, a waiting and a deleted report have one answer', async (t) => {
  const { id, verification_code: deleted } = await app.made();
  t.equal((await visit(`/${deleted}`)).status, 200);
  t.equal((await app.request('DELETE', `${PATH}/${id}`)).status, 204);
  const waiting = (await app.create()).body.data.verification_code;
  const answers = [];
  for (const code of [WRONG, deleted, waiting, 'short', 'x'.repeat(3_000), '%ff', '"><script>alert(1)</script>']) {
    const { status, html } = await visit(`/${code === '%ff' ? code : encodeURIComponent(code)}`);
    t.notMatch(html, '<script>');
    t.ok(html.length < 12_000, 'what was sent is not echoed whole');
    answers.push(`${status} ${html.replace(/value="[^"]*"/, '')}`);
  }
  t.equal(new Set(answers).size, 1);
  t.match(answers[0], /^404 [\s\S]*There is no report with this code/);
});

t.test('wrong codes of an address are limited, right ones are not', async (t) => {
  const { verification_code: code } = await app.made();
  let limited = await visit(`/${WRONG}`);
  for (let sent = 0; sent < 40 && limited.status !== 429; sent++) limited = await visit(`/${WRONG}`);
  t.equal(limited.status, 429);
  t.match(limited.headers.get('retry-after'), /^\d+$/);
  t.match(limited.html, 'Too many wrong codes');
  t.equal((await visit(`/${code}`)).status, 200);
});

t.test('a code is looked up by an index', async (t) => {
  const { verification_code: code } = await app.made();
  const plan = await app.mongo.db
    .collection('client_reports')
    .find({ verification_code: code.replaceAll('-', '') })
    .explain('executionStats');
  t.match(plan, { executionStats: { nReturned: 1, totalDocsExamined: 1 } });
});
