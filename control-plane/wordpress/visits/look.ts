import type { Clock } from '../../../kernel/clock.js';
import type { GuardedFetch, GuardedResponse } from '../../../kernel/guard/guarded-fetch.js';
import type { Random } from '../../../kernel/random.js';
import type { CheckId } from '../checks/catalogue.js';
import { judgeDebugTraces } from '../checks/debug-mode.js';
import { judgeFolder } from '../checks/directory-browsing.js';
import { judgePlainAnswer, plainUrlOf } from '../checks/force-https.js';
import { judgeVersion } from '../checks/hide-version.js';
import { type Judgement, unanswered, worstOf } from '../checks/judgement.js';
import { judgeUploads } from '../checks/php-uploads.js';
import { judgeHeaders } from '../checks/security-headers.js';
import { judgeXmlrpc, LIST_METHODS } from '../checks/xmlrpc.js';
import type { SeenPages, SiteDocument } from '../documents.js';
import { feedOf, filesOf, homeOf, loginOf, seePages } from './pages.js';
import { createVisitor, type Seen, type Visitor } from './visitor.js';

type LookedAt = Pick<SiteDocument, 'url' | 'about'>;
type Look = (visitor: Visitor, site: LookedAt, random: Random) => Promise<Judgement>;

const NAME_BYTES = 8;

/** How each check is seen from outside. The others can be measured only by the plugin. */
const LOOKS: Partial<Record<CheckId, Look>> = {
  async xmlrpc(visitor, site) {
    const call = { headers: { 'content-type': 'text/xml' }, body: LIST_METHODS };
    return read('xmlrpc.php', await visitor.send('POST', `${filesOf(site)}/xmlrpc.php`, call), judgeXmlrpc);
  },
  async 'debug-mode'(visitor, site) {
    const home = await visitor.page(homeOf(site));
    const log = await visitor.page(`${filesOf(site)}/wp-content/debug.log`);
    return read('the home page', home, (page) =>
      read('wp-content/debug.log', log, (file) => judgeDebugTraces({ home: page, log: file })),
    );
  },
  async 'directory-browsing'(visitor, site) {
    const judgements: Judgement[] = [];
    for (const folder of ['wp-includes/', 'wp-content/uploads/']) {
      const seen = await visitor.page(`${filesOf(site)}/${folder}`);
      judgements.push(read(folder, seen, (answer) => judgeFolder(folder, answer)));
    }
    return worstOf(judgements);
  },
  async 'block-php-uploads'(visitor, site, random) {
    const name = `${filesOf(site)}/wp-content/uploads/picket-${random.bytes(NAME_BYTES).toString('hex')}`;
    const php = await visitor.once(`${name}.php`);
    const text = await visitor.once(`${name}.txt`);
    return read('a PHP file in the uploads', php, (one) =>
      read('a text file in the uploads', text, (other) => judgeUploads({ php: one, text: other })),
    );
  },
  async 'hide-version'(visitor, site) {
    const home = await visitor.page(homeOf(site));
    const feed = await visitor.page(feedOf(site));
    const login = await visitor.page(loginOf(site));
    return read('the home page', home, (page) => {
      const others = [
        { name: 'the feed', seen: feed },
        { name: 'the log-in page', seen: login },
      ].flatMap(({ name, seen }) => (seen.answer === null ? [] : [{ name, ...seen.answer }]));
      return judgeVersion([{ name: 'the home page', ...page }, ...others], site.about?.wp_version ?? '');
    });
  },
  async 'force-https'(visitor, site) {
    const plain = plainUrlOf(site.url);
    if (plain === null) return { status: 'unknown', evidence: 'the address without TLS is not known' };
    const judgements: Judgement[] = [];
    for (const [page, path] of [
      ['the home page', '/'],
      ['the log-in page', '/wp-login.php'],
    ] as const) {
      const judge = ({ status, headers }: GuardedResponse) =>
        judgePlainAnswer(page, { status, location: headers['location'] ?? '' });
      judgements.push(read(`${page} without TLS`, await visitor.once(`${plain}${path}`), judge));
    }
    const judged = worstOf(judgements);
    if (judged.status !== 'passing') return judged;
    // Visitors who are redirected must be able to go on.
    const home = await visitor.page(homeOf(site));
    if (home.isCircle)
      return { status: 'failing', evidence: 'the redirects of the home page go in a circle', locksOut: true };
    return read('the home page', home, () => judged);
  },
  async 'security-headers'(visitor, site) {
    return read('the home page', await visitor.page(homeOf(site)), ({ status, headers }) =>
      status < 400
        ? judgeHeaders(headers)
        : { status: 'unknown', evidence: `the home page answers with HTTP ${status}` },
    );
  },
};

/** Returns whether a check can be seen from outside. */
export function isSeenFromOutside(check: CheckId): boolean {
  return check in LOOKS;
}

/** What was seen of a site from outside. */
export interface LookedAtSite {
  /** Of each check that can be seen so. */
  checks: Partial<Record<CheckId, Judgement>>;
  /** Whether the home page answers at all. */
  home: Judgement;
  pages: SeenPages;
}

/** Looks at a site from outside. Never throws. */
export async function lookAt(
  needs: { fetch: GuardedFetch; clock: Pick<Clock, 'monotonic'>; random: Random },
  site: LookedAt,
  signal: AbortSignal,
): Promise<LookedAtSite> {
  const visitor = createVisitor(needs, site, signal);
  const checks: LookedAtSite['checks'] = {};
  // One after the other, because a site may be small.
  for (const [check, look] of Object.entries(LOOKS) as [CheckId, Look][]) {
    checks[check] = await look(visitor, site, needs.random);
  }
  const home = read('the home page', await visitor.page(homeOf(site)), ({ status }) => ({
    status: status < 500 ? 'passing' : 'failing',
    evidence: `the home page answers with HTTP ${status}`,
  }));
  return { checks, home, pages: await seePages(visitor, site) };
}

function read(what: string, seen: Seen, judge: (answer: GuardedResponse) => Judgement): Judgement {
  return seen.answer === null ? unanswered(what, seen.reason) : judge(seen.answer);
}
