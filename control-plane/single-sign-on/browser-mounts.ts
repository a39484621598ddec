import type { Context } from 'koa';
import type { Logger } from '../../kernel/logger.js';
import { clientOf } from '../http/client/client.js';
import { answerLanguage } from '../http/client/language.js';
import type { Mount } from '../http/mount.js';
import { type FinishNeeds, finishSignIn } from './sign-in/finish.js';
import { continuePage, type Page, pagePolicy, refusalPage } from './sign-in/page.js';
import { SignInRefused } from './sign-in/refusal.js';
import { type StartNeeds, type StartQuery, startSignIn } from './sign-in/start.js';
import { logInUrl } from './urls.js';

const PREFIXES = ['/v1', '/api/v1'];
const TEXT_CHARS_MAX = 512;
const WORKSPACE = /^ws_[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * Returns the two addresses that browsers of people open: the start of a log-in, and where the provider sends them
 * back to. Both answer with a redirect or with a page, never with a problem document.
 */
export function browserMounts(needs: StartNeeds & FinishNeeds & { logger: Logger }): Mount[] {
  const policy = pagePolicy();
  const show = (ctx: Context, page: Page) => {
    ctx.status = page.status;
    ctx.set('Content-Security-Policy', policy);
    ctx.type = 'html';
    ctx.body = page.html;
  };
  const redirect = (ctx: Context, url: string, cookies: readonly string[]) => {
    ctx.set('Set-Cookie', [...cookies]);
    ctx.redirect(url);
    ctx.body = null;
    ctx.status = 302;
  };
  const serve = (path: string, open: (ctx: Context) => Promise<void>): Mount[] =>
    PREFIXES.map((prefix) => ({
      path: `${prefix}/auth/sso/${path}`,
      async handle(ctx) {
        ctx.set('Cache-Control', 'no-store');
        // A program that looks whether the address exists must not use a state up.
        if (ctx.method !== 'GET') {
          ctx.status = 204;
          return;
        }
        try {
          await open(ctx);
        } catch (error) {
          if (!(error instanceof SignInRefused)) throw error;
          const { requestId } = clientOf(ctx);
          needs.logger.info(
            { reason: error.reason, detail: error.message, request_id: requestId },
            'single sign-on refused',
          );
          show(
            ctx,
            refusalPage(error.reason, {
              requestId,
              logInUrl: logInUrl(needs.publicUrl),
              language: answerLanguage(ctx),
            }),
          );
        }
      },
    }));
  return [
    ...serve('start', async (ctx) => {
      const started = await startSignIn(needs, startQuery(ctx), clientOf(ctx));
      if (started.kind === 'page') show(ctx, continuePage(started.page, answerLanguage(ctx)));
      else redirect(ctx, started.url, started.cookies);
    }),
    ...serve('callback', async (ctx) => {
      const state = new URLSearchParams(ctx.querystring).get('state');
      const { next, cookies } = await finishSignIn(needs, { state, query: ctx.querystring, client: clientOf(ctx) });
      redirect(ctx, `${needs.publicUrl}${next}`, cookies);
    }),
  ];
}

/** Returns the parameters of a start, without those that nobody could have meant. */
function startQuery(ctx: Context): StartQuery {
  const query = new URLSearchParams(ctx.querystring);
  const text = (name: string) => query.get(name)?.slice(0, TEXT_CHARS_MAX + 1);
  const workspace = text('workspace');
  // An id that cannot exist finds nothing, and must not fall back to another provider.
  if (workspace !== undefined && !WORKSPACE.test(workspace)) throw new SignInRefused('not_configured');
  return { email: text('email'), workspace, next: text('next'), confirm: query.get('confirm') === 'true' || undefined };
}
