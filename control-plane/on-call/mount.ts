import type { Context } from 'koa';
import { type Client, clientOf } from '../http/client/client.js';
import { answerLanguage } from '../http/client/language.js';
import { failureForPeople } from '../http/html/failure-for-people.js';
import { readRawBody } from '../http/input/read-body.js';
import type { GuessLimit } from '../http/limits/guess-limit.js';
import type { Mount } from '../http/mount.js';
import type { IncidentKinds, Names } from '../incidents/kind.js';
import type { MessageSources } from '../notifications/notifications.js';
import { type ActNeeds, act, CHOICES, type Choice } from './act.js';
import { PAGE_PATH, TOKEN_PARAMETER } from './action-link.js';
import { LINK_VALID_MS } from './link-token.js';
import { type OpenedLink, type OpenLinkNeeds, openLink } from './open-link.js';
import { ACTION_FIELD } from './page/action-form.js';
import { sendPage } from './page/frame.js';
import { type IncidentPage, incidentPage } from './page/incident-page.js';
import { refusedPage, tooManyPage, unavailablePage } from './page/notice-page.js';

/** The form has about 150. */
const FORM_BYTES_MAX = 1_000;
/** For every link that does not work, so that they cannot be told apart. */
const REFUSED_STATUS = 404;

export interface OnCallMountNeeds extends OpenLinkNeeds, ActNeeds, Names {
  guesses: Pick<GuessLimit, 'check'>;
  kinds: IncidentKinds;
  monitors: MessageSources['monitors'];
  publicUrl: string;
}

/**
 * Returns the page of links in notifications. GET and HEAD only read, because mail filters and link previews open links
 * too. POST acts. The token is the only authority: no cookie is read, so the form needs no other protection against
 * requests that other sites cause.
 */
export function onCallMount(needs: OnCallMountNeeds): Mount {
  return {
    path: PAGE_PATH,
    methods: ['POST'],
    async handle(ctx) {
      try {
        await (ctx.method === 'POST' ? serveAction(needs, ctx) : servePage(needs, ctx));
      } catch (error) {
        if (!sendFailure(needs, ctx, error)) throw error;
      }
    },
  };
}

async function servePage(needs: OnCallMountNeeds, ctx: Context): Promise<void> {
  const token = new URLSearchParams(ctx.querystring).get(TOKEN_PARAMETER) ?? '';
  const opened = await openOrRefuse(needs, ctx, token);
  if (opened !== null)
    sendPage(ctx, 200, await pageOf(needs, opened, { token, unchanged: false, language: answerLanguage(ctx) }));
}

async function serveAction(needs: OnCallMountNeeds, ctx: Context): Promise<void> {
  const form = await formOf(ctx);
  const token = form.get(TOKEN_PARAMETER) ?? '';
  const opened = await openOrRefuse(needs, ctx, token);
  if (opened === null) return;
  const choice = CHOICES.find(({ value }) => value === form.get(ACTION_FIELD));
  if (choice === undefined) return sendPage(ctx, REFUSED_STATUS, refusedPage(answerLanguage(ctx), needs.publicUrl));
  await actAndSend(needs, ctx, { opened, choice, token, client: clientOf(ctx) });
}

async function actAndSend(
  needs: OnCallMountNeeds,
  ctx: Context,
  request: { opened: OpenedLink; choice: Choice; token: string; client: Client },
): Promise<void> {
  const { opened, choice, token, client } = request;
  const { done, incident } = await act(needs, opened, choice, client);
  if (!done) {
    return sendPage(
      ctx,
      409,
      await pageOf(needs, { ...opened, incident }, { token, unchanged: true, language: answerLanguage(ctx) }),
    );
  }
  // A browser that loads the page again must not send the form again. Relative, whatever path a proxy puts before.
  ctx.set('Location', `${PAGE_PATH.slice(1)}?${TOKEN_PARAMETER}=${token}`);
  ctx.set('Cache-Control', 'no-store');
  ctx.status = 303;
}

/** Returns null after it has sent the page of a link that does not work. */
async function openOrRefuse(needs: OnCallMountNeeds, ctx: Context, token: string): Promise<OpenedLink | null> {
  const opened = await openLink(needs, token);
  if (typeof opened === 'object') return opened;
  // Only of wrong tokens: others behind the same address cannot lock out a link that works.
  if (opened === 'forged') await needs.guesses.check(clientOf(ctx).ip, async () => null);
  sendPage(ctx, REFUSED_STATUS, refusedPage(answerLanguage(ctx), needs.publicUrl));
  return null;
}

async function pageOf(
  needs: OnCallMountNeeds,
  { link, channel, incident }: OpenedLink,
  { token, unchanged, language }: Pick<IncidentPage, 'token' | 'unchanged' | 'language'>,
): Promise<string> {
  const { monitor_id: monitorId } = incident;
  const monitors = monitorId === null ? null : await needs.monitors(link.workspaceId, [monitorId]);
  return incidentPage({
    ...{ incident, token, unchanged, language, kind: needs.kinds.of(incident), names: needs },
    ...{ channel, link, publicUrl: needs.publicUrl, nowMs: needs.clock.now() },
    target: monitors?.get(monitorId ?? '')?.url ?? null,
    expiresAtMs: link.issuedAtMs + LINK_VALID_MS,
  });
}

async function formOf(ctx: Context): Promise<URLSearchParams> {
  const { bytes } = await readRawBody(ctx.req, { type: 'application/x-www-form-urlencoded', headers: [] });
  return new URLSearchParams(bytes.length > FORM_BYTES_MAX ? '' : bytes.toString('utf8'));
}

/** Answers a person, who cannot read a problem document. Returns false for an error that is not expected here. */
function sendFailure({ publicUrl }: OnCallMountNeeds, ctx: Context, error: unknown): boolean {
  const failure = failureForPeople(error);
  if (failure === null) return false;
  const { status, notice, retryAfter } = failure;
  ctx.set('Retry-After', retryAfter);
  const language = answerLanguage(ctx);
  sendPage(
    ctx,
    status,
    notice === 'tooMany' ? tooManyPage(language, publicUrl, retryAfter) : unavailablePage(language),
  );
  return true;
}
