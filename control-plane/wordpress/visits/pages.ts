import { printable } from '../../printable.js';
import { EVIDENCE_CHARS_MAX } from '../checks/judgement.js';
import type { SeenPage, SeenPages, SiteDocument } from '../documents.js';
import type { Seen, Visitor } from './visitor.js';

type LookedAt = Pick<SiteDocument, 'url' | 'about'>;

/** Where the files of WordPress are, without a slash at the end. */
export const filesOf = ({ url, about }: LookedAt) => about?.site_url ?? url;
export const homeOf = ({ url }: LookedAt) => `${url}/`;
export const loginOf = (site: LookedAt) => `${filesOf(site)}/wp-login.php`;
/** The deep page: it makes WordPress run a query and all plugins that filter posts. */
export const feedOf = ({ url }: LookedAt) => `${url}/?feed=rss2`;

/** PHP sends it, with any status, when an error happens after the beginning of the page. */
const FATAL = /<b>(?:Fatal|Parse) error<\/b>:/;

/** Sees how the pages answer that must go on answering after a change of a plugin. Never throws. */
export async function seePages(visitor: Visitor, site: LookedAt): Promise<SeenPages> {
  return {
    home: pageOf(await visitor.page(homeOf(site))),
    login: pageOf(await visitor.page(loginOf(site))),
    feed: pageOf(await visitor.page(feedOf(site))),
  };
}

/** Returns what an answer is. A refusal such as 403 or 404 is no error page: a wall or a setting may be the reason. Pure. */
function pageOf({ answer, reason }: Seen): SeenPage {
  if (answer === null)
    return { state: 'silent', evidence: printable(`does not answer: ${reason}`, EVIDENCE_CHARS_MAX) };
  if (FATAL.test(answer.body))
    return { state: 'error', evidence: `shows a fatal error of PHP with HTTP ${answer.status}` };
  const evidence = `answers with HTTP ${answer.status}`;
  if (isBusy(answer.status)) return { state: 'silent', evidence };
  return { state: answer.status >= 500 ? 'error' : 'answers', evidence };
}

/**
 * A server or a wall before it that is busy, or does not let us in, says nothing of the plugins. 52x are of Cloudflare. Otherwise,
 * whoever floods a site for a moment could have a vulnerable version brought back.
 */
function isBusy(status: number): boolean {
  return status === 429 || (status >= 502 && status <= 504) || (status >= 520 && status <= 530);
}
