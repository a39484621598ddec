import type { Context } from 'koa';
import { clientOf } from '../http/client/client.js';
import { answerLanguage } from '../http/client/language.js';
import { failureForPeople } from '../http/html/failure-for-people.js';
import { readRawBody } from '../http/input/read-body.js';
import type { GuessLimit } from '../http/limits/guess-limit.js';
import type { Mount } from '../http/mount.js';
import { sendPage } from '../on-call/page/frame.js';
import { CONFIRM_PATH, type RecipientLinks, STOP_PATH, TOKEN_PARAMETER } from '../recipients/recipients.js';
import {
  ACTION_FIELD,
  confirmedPage,
  noticePage,
  notResumedPage,
  questionPage,
  resumedPage,
  stopPage,
  stoppedPage,
} from './pages.js';

/** The forms have at most 600. */
const FORM_BYTES_MAX = 2_000;
/** For every link that does not work, so that they cannot be told apart. */
const REFUSED_STATUS = 404;

export interface RecipientMountNeeds {
  links: RecipientLinks;
  guesses: Pick<GuessLimit, 'check'>;
  /** Without a slash at the end. */
  publicUrl: string;
}

/**
 * Returns the page of the link in a mail that asks. GET and HEAD only read, because mail filters and link previews open links
 * too. The token is the only authority: no cookie is read, so the form needs no other protection against requests that other
 * sites cause.
 */
export function confirmMount(needs: RecipientMountNeeds): Mount {
  const { links } = needs;
  return mountOf(needs, CONFIRM_PATH, async (ctx) => {
    const language = answerLanguage(ctx);
    if (ctx.method !== 'POST') {
      const token = queryToken(ctx);
      const question = await found(needs, ctx, () => links.question(token));
      return question === null ? null : questionPage(language, question, token);
    }
    const token = (await formOf(ctx)).get(TOKEN_PARAMETER) ?? '';
    const confirmed = await found(needs, ctx, () => links.confirm(token, clientOf(ctx)));
    return confirmed === null ? null : confirmedPage(language, confirmed);
  });
}

/**
 * Returns the page that stops the mails of a workspace. A mail client stops them with one POST request to the link itself
 * (RFC 8058); GET only shows the buttons.
 */
export function stopMount(needs: RecipientMountNeeds): Mount {
  const { links } = needs;
  return mountOf(needs, STOP_PATH, async (ctx) => {
    const language = answerLanguage(ctx);
    if (ctx.method !== 'POST') {
      const token = queryToken(ctx);
      const link = await found(needs, ctx, () => links.stopLink(token));
      if (link === null) return null;
      return link.stopped ? stoppedPage(language, link, token) : stopPage(language, link, token);
    }
    const form = await formOf(ctx);
    const token = form.get(TOKEN_PARAMETER) ?? queryToken(ctx);
    if (form.get(ACTION_FIELD) === 'resume') {
      const resumed = await found(needs, ctx, () => links.resume(token, clientOf(ctx)));
      if (resumed === null) return null;
      return resumed.resumed ? resumedPage(language, resumed) : notResumedPage(language, resumed);
    }
    const stopped = await found(needs, ctx, () => links.stop(token, clientOf(ctx)));
    return stopped === null ? null : stoppedPage(language, stopped, token);
  });
}

/** `serve` resolves to the page, or to null for a link that does not work. */
function mountOf(needs: RecipientMountNeeds, path: string, serve: (ctx: Context) => Promise<string | null>): Mount {
  return {
    ...{ path, methods: ['POST'] },
    async handle(ctx) {
      try {
        const page = await serve(ctx);
        if (page !== null) return sendPage(ctx, 200, page);
        sendPage(ctx, REFUSED_STATUS, noticePage(answerLanguage(ctx), 'refused', needs.publicUrl));
      } catch (error) {
        if (!sendFailure(needs, ctx, error)) throw error;
      }
    },
  };
}

/** Reads a link first: others behind the same network address cannot lock out one that works. */
async function found<T>({ guesses }: RecipientMountNeeds, ctx: Context, read: () => Promise<T | null>) {
  const result = await read();
  if (result === null) await guesses.check(clientOf(ctx).ip, async () => null);
  return result;
}

function queryToken(ctx: Context): string {
  return new URLSearchParams(ctx.querystring).get(TOKEN_PARAMETER) ?? '';
}

/** Mail clients may send the fields of RFC 8058 as `multipart/form-data` too; nothing in them is needed. */
async function formOf(ctx: Context): Promise<URLSearchParams> {
  const type = 'application/x-www-form-urlencoded';
  if (ctx.is(type) !== type) return new URLSearchParams();
  const { bytes } = await readRawBody(ctx.req, { type, headers: [] });
  return new URLSearchParams(bytes.length > FORM_BYTES_MAX ? '' : bytes.toString('utf8'));
}

/** Answers a person, who cannot read a problem document. Returns false for an error that is not expected here. */
function sendFailure({ publicUrl }: RecipientMountNeeds, ctx: Context, error: unknown): boolean {
  const failure = failureForPeople(error);
  if (failure === null) return false;
  ctx.set('Retry-After', failure.retryAfter);
  sendPage(ctx, failure.status, noticePage(answerLanguage(ctx), failure.notice, publicUrl));
  return true;
}
