import t from 'tap';
import type { JobDocument, SeenPage, SeenPages } from '../../../control-plane/wordpress/documents.js';
import { pluginVerdict } from '../../../control-plane/wordpress/jobs/plugin-verdict.js';
import { seePages } from '../../../control-plane/wordpress/visits/pages.js';

const APPLIED_MS = 1_000_000;
const MINUTE_MS = 60_000;
const answers: SeenPage = { state: 'answers', evidence: 'answers with HTTP 200' };
const error: SeenPage = { state: 'error', evidence: 'answers with HTTP 500' };
const silent: SeenPage = { state: 'silent', evidence: 'does not answer: timeout' };
const FINE: SeenPages = { home: answers, login: answers, feed: answers };

interface Case {
  kind?: JobDocument['kind'];
  before?: SeenPages | null;
  now?: Partial<SeenPages>;
  /** What the site reports, or null if it has not since the change. */
  reported?: { version?: string; active?: boolean } | null;
  afterMs?: number;
}

function verdict({ kind = 'update_plugin', before = FINE, now = {}, reported = { version: '2' }, afterMs = 0 }: Case) {
  const plugin = { slug: 'forms', name: 'Forms', version: '1', active: true };
  const job = { kind, plugin: { ...plugin, pages: before }, applied_at_ms: APPLIED_MS } as JobDocument;
  const at_ms = reported === null ? APPLIED_MS - 1 : APPLIED_MS;
  const plugins = { at_ms, complete: true, plugins: [{ ...plugin, ...reported }] };
  return pluginVerdict(job, { plugins }, { ...FINE, ...now }, APPLIED_MS + afterMs);
}

const VERIFIED = { event: { type: 'verified' }, putBack: false };

t.test('a change is verified when the site reports it and the pages answer', async (t) => {
  t.same(verdict({}), VERIFIED);
  t.equal(verdict({ reported: null }), null, 'not reported yet');
  t.same(verdict({ kind: 'deactivate_plugin', reported: { active: false } }), VERIFIED);
  t.same(verdict({ kind: 'restore_plugin', reported: {} }), VERIFIED);
  t.match(verdict({ reported: { version: '1' } }), { event: { error: /still reports version 1/ }, putBack: false });
  t.match(verdict({ reported: { version: '2', active: false } }), { event: { error: /no longer active/ } });
  t.match(verdict({ kind: 'deactivate_plugin', reported: {} }), { event: { error: /as active/ } });
});

t.test('a page that became an error page is put back, whether or not the site reports', async (t) => {
  const broken = { event: { type: 'contradicted', error: /the log-in page answers with HTTP 500/ }, putBack: true };
  t.match(verdict({ now: { login: error } }), broken);
  t.match(verdict({ now: { login: error }, before: null, reported: null }), { ...broken, putBack: false });
  t.match(verdict({ now: { login: error }, before: { ...FINE, login: silent } }), broken);
  t.same(verdict({ now: { login: error }, before: { ...FINE, login: error } }), VERIFIED, 'it was one before');
  t.same(verdict({ kind: 'restore_plugin', now: { login: error } }), VERIFIED, 'this is the way back itself');
});

t.test('a page without an answer is requested again for five minutes', async (t) => {
  t.equal(verdict({ now: { home: silent } }), null);
  t.equal(verdict({ now: { home: silent }, afterMs: 5 * MINUTE_MS }), null);
  t.match(verdict({ now: { home: silent }, afterMs: 5 * MINUTE_MS + 1 }), {
    event: {
      error: /the home page does not answer: timeout\. Inside, the pages answered as before, so the change stays/,
    },
    putBack: false,
  });
  for (const before of [null, { ...FINE, home: silent }]) {
    t.same(verdict({ before, now: { home: silent } }), VERIFIED, 'nobody could see it before, so the plugin decides');
  }
});

t.test('what an error page is', async (t) => {
  const page = async (status: number, body = '') => {
    const answer = { status, body, headers: {} };
    const visitor = { page: async () => ({ answer, reason: null, isCircle: false }) };
    return (await seePages(visitor as never, { url: 'https://shop.example', about: null })).home;
  };
  t.match(await page(200), { state: 'answers' });
  t.match(await page(403), { state: 'answers' }, 'a wall');
  t.match(await page(500), { state: 'error', evidence: 'answers with HTTP 500' });
  for (const status of [429, 502, 503, 504, 522])
    t.match(await page(status), { state: 'silent' }, `${status}: busy, or a wall`);
  t.match(await page(200, '<b>Fatal error</b>: Uncaught'), { state: 'error', evidence: /fatal error of PHP/ });
});
