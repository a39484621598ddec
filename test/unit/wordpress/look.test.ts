import t from 'tap';
import { lookAt } from '../../../control-plane/wordpress/visits/look.js';
import type { GuardedFetch, GuardedResponse } from '../../../kernel/guard/guarded-fetch.js';

const SITE = { url: 'https://example.com', about: null };

t.test('a home page whose redirects go in a circle fails, because its visitors get nothing', async (t) => {
  const answers = { 'http://example.com/': 'https://example.com/', 'https://example.com/': 'http://example.com/' };
  const { seen, pages, asked } = await lookedAt({
    ...answers,
    'http://example.com/wp-login.php': 'https://example.com/in',
  });
  t.match(seen['force-https'], { status: 'failing', evidence: /circle/ });
  t.match(pages, { home: { state: 'silent', evidence: /circle/ }, feed: { state: 'answers' } });
  t.equal(asked.filter((url) => url === 'https://example.com/').length, 1, 'it is asked once in a look');
});

t.test('a home page with more redirects than are followed is not known', async (t) => {
  const answers = {
    'http://example.com/': 'https://example.com/',
    'http://example.com/wp-login.php': 'https://example.com/in',
    'https://example.com/': 'https://example.com/1',
    'https://example.com/1': 'https://example.com/2',
    'https://example.com/2': 'https://example.com/3',
  };
  t.match((await lookedAt(answers)).seen['force-https'], {
    status: 'unknown',
    evidence: /more than 2 redirects/,
  });
});

/** Looks at a site that redirects these URLs and answers all others with a page. */
async function lookedAt(redirects: Record<string, string>) {
  const asked: string[] = [];
  const fetch = {
    async request(url: string) {
      asked.push(url);
      const to = redirects[url];
      const headers = to === undefined ? {} : { location: to };
      return { status: to === undefined ? 200 : 301, headers, body: '' } as unknown as GuardedResponse;
    },
  } as unknown as GuardedFetch;
  const random = { bytes: (count: number) => Buffer.alloc(count) } as never;
  const clock = { monotonic: () => 0 };
  const { checks, pages } = await lookAt({ fetch, clock, random }, SITE as never, new AbortController().signal);
  return { seen: checks, pages, asked };
}
