import type { Context } from 'koa';
import { clientOf } from '../../../http/client/client.js';
import { failureForPeople } from '../../../http/html/failure-for-people.js';
import { readRawBody } from '../../../http/input/read-body.js';
import type { GuessLimit } from '../../../http/limits/guess-limit.js';
import type { Mount } from '../../../http/mount.js';
import type { HtmlPage } from '../../render/html.js';
import { languageOf, type PageLanguage } from '../../words/languages.js';
import type { SubscriptionLinks } from '../links.js';
import { CONFIRM_PATH, TOKEN_PARAMETER, UNSUBSCRIBE_PATH } from '../paths.js';
import { buttonPage, confirmedPage, saidPage } from './pages.js';

const FORM_BYTES_MAX = 2_000;
/** For every link that does not work, so that they cannot be told apart. */
const REFUSED_STATUS = 404;

interface LinkMountNeeds {
  links: SubscriptionLinks;
  guesses: Pick<GuessLimit, 'check'>;
}

/**
 * Returns the pages of the links in mails to subscribers. They need no cookie and no password of the page: the token is the only
 * authority, and the form needs no other protection against requests that other sites cause.
 */
export function subscriptionMounts(needs: LinkMountNeeds): Mount[] {
  const { links } = needs;
  return [
    mountOf(needs, CONFIRM_PATH, async ({ language, token, isPost, requestId }) => {
      if (!isPost) {
        const question = await links.question(token);
        return question === null ? null : buttonPage(language, 'confirm', question, { token, path: CONFIRM_PATH });
      }
      const confirmed = await links.confirm(token, requestId);
      if (confirmed === 'full') return saidPage(language, 'full');
      return confirmed === null ? null : confirmedPage(language, confirmed);
    }),
    mountOf(needs, UNSUBSCRIBE_PATH, async ({ language, token, isPost, requestId }) => {
      if (isPost) return (await links.unsubscribe(token, requestId)) === null ? null : saidPage(language, 'stopped');
      const link = await links.subscription(token);
      if (link === null) return null;
      if (link === 'ended') return saidPage(language, 'stopped');
      return buttonPage(language, 'stop', link, { token, path: UNSUBSCRIBE_PATH });
    }),
  ];
}

interface LinkRequest {
  language: PageLanguage;
  token: string;
  isPost: boolean;
  requestId: string;
}

/** `serve` resolves to the page, or to null for a link that does not work. */
function mountOf(
  { guesses }: LinkMountNeeds,
  path: string,
  serve: (request: LinkRequest) => Promise<HtmlPage | null>,
): Mount {
  return {
    path,
    methods: ['POST'],
    async handle(ctx) {
      const language = languageOf(ctx);
      const { ip, requestId } = clientOf(ctx);
      try {
        const isPost = ctx.method === 'POST';
        const page = await serve({ language, token: await tokenOf(ctx, isPost), isPost, requestId });
        if (page !== null) return send(ctx, 200, language, page);
        // After the link was read: others behind the same network address cannot lock out one that works.
        await guesses.check(ip, async () => null);
        send(ctx, REFUSED_STATUS, language, saidPage(language, 'refused'));
      } catch (error) {
        const failure = failureForPeople(error);
        if (failure === null) throw error;
        ctx.set('Retry-After', failure.retryAfter);
        send(ctx, failure.status, language, saidPage(language, failure.notice));
      }
    },
  };
}

/** A mail client sends the one click (RFC 8058) to the link itself, perhaps as `multipart/form-data`, with nothing that is needed. */
async function tokenOf(ctx: Context, isPost: boolean): Promise<string> {
  const ofQuery = new URLSearchParams(ctx.querystring).get(TOKEN_PARAMETER) ?? '';
  const type = 'application/x-www-form-urlencoded';
  if (!isPost || ctx.is(type) !== type) return ofQuery;
  const { bytes } = await readRawBody(ctx.req, { type, headers: [] });
  const form = new URLSearchParams(bytes.length > FORM_BYTES_MAX ? '' : bytes.toString('utf8'));
  return form.get(TOKEN_PARAMETER) ?? ofQuery;
}

function send(ctx: Context, status: number, language: PageLanguage, { html, contentSecurityPolicy }: HtmlPage): void {
  ctx.status = status;
  ctx.set('Content-Language', language);
  ctx.vary('Accept-Language');
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Robots-Tag', 'noindex, nofollow');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.body = html;
}
