import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { failureForPeople } from '../../http/html/failure-for-people.js';
import { type Mount, methodNotAllowed } from '../../http/mount.js';
import type { PageModel } from '../compile/model.js';
import type { LogosStore } from '../logo/logos-store.js';
import { STATUS_PATH } from '../paths.js';
import { atomFeed } from '../render/atom.js';
import { badge } from '../render/badge.js';
import { maintenanceCalendar } from '../render/calendar.js';
import { type HtmlPage, htmlPage } from '../render/html.js';
import { jsonPage } from '../render/json.js';
import { type Notice, noticePage, passwordPage } from '../render/notices.js';
import type { SubscriptionForm } from '../subscribers/public/form.js';
import { formPage } from '../subscribers/public/pages.js';
import { languageOf, type PageLanguage } from '../words/languages.js';
import { addressBelowStatus, canonicalUrl, type PageAddress, statusUrl } from './addresses.js';
import type { Gate, GuardedPage } from './gate.js';
import { LOGO_VIEW, sendLogo } from './logo.js';
import type { CompiledPage, PublicPages, Rendered } from './pages.js';

const ETAG_CHARS = 27;
/** Pages change within 5 s. While Picket is not available, a cache may show the last one for a day. */
const CACHE_CONTROL = 'public, max-age=1, stale-if-error=86400';

export interface StatusMountNeeds {
  pages: PublicPages;
  gate: Gate;
  logos: Pick<LogosStore, 'find'>;
  /** null: nobody can subscribe, because there is no mail server. */
  form: SubscriptionForm | null;
  /** Without a slash at the end. */
  publicUrl: string;
}

/** Returns the public pages. Nothing of a request decides what they say, except the language. */
export function statusMount(needs: StatusMountNeeds): Mount {
  return {
    path: STATUS_PATH,
    below: true,
    // Many readers come from the address of one proxy, and all of them at the moment of an outage.
    limit: 'none',
    methods: ['POST'],
    handle: (ctx) => inLanguage(ctx, (language) => serve(needs, ctx, language)),
  };
}

/** Serves a request in the language of its reader. */
export async function inLanguage(ctx: Context, answer: (language: PageLanguage) => Promise<void>): Promise<void> {
  const language = languageOf(ctx);
  ctx.set('Content-Language', language);
  ctx.vary('Accept-Language');
  try {
    await answer(language);
  } catch (error) {
    sendFailure(ctx, language, error);
  }
}

/** Answers a person, who cannot read a problem document. */
function sendFailure(ctx: Context, language: PageLanguage, error: unknown): void {
  const failure = failureForPeople(error);
  if (failure === null) throw error;
  ctx.set('Retry-After', failure.retryAfter);
  sendNotice(ctx, failure.status, language, failure.notice);
}

async function serve(needs: StatusMountNeeds, ctx: Context, language: PageLanguage): Promise<void> {
  const asked = askedFor(ctx.path);
  const page = asked === null ? null : await needs.pages.find(asked.slug);
  if (asked === null || page === null) return sendNotice(ctx, 404, language, 'notFound');
  await servePage(needs, ctx, page, { language, asked, address: addressBelowStatus(asked.slug, needs.publicUrl) });
}

/** A form of a page. */
export interface AskedView {
  /** The end of its path below the page, such as `/feed.atom`. */
  view: string;
  componentId: string | null;
}

interface Reading {
  language: PageLanguage;
  asked: AskedView;
  address: PageAddress;
}

/** Answers a request for a page that exists, at one of its addresses. */
export async function servePage(
  needs: Pick<StatusMountNeeds, 'gate' | 'form' | 'publicUrl' | 'logos'>,
  ctx: Context,
  page: CompiledPage,
  reading: Reading,
): Promise<void> {
  const { gate, form, publicUrl } = needs;
  const { guard } = page;
  const isForm = reading.asked.view === FORM_VIEW;
  if (ctx.method === 'POST' && !isForm) return unlock(gate, ctx, guard, reading);
  if (!(await gate.admits(ctx, guard))) return sendLocked(ctx, guard, reading, false);
  if (isForm && form === null) return sendNotice(ctx, 404, reading.language, 'notFound');
  if (ctx.method === 'POST' && form !== null) {
    const answer = await form.submit(ctx, guard, reading.language);
    return sendPage(ctx, answer.status, answer.page);
  }
  if (reading.asked.view === LOGO_VIEW && (await sendLogo(needs, ctx, page))) return;
  const found = rendered(page, reading, { publicUrl, form });
  if (found === null) return sendNotice(ctx, 404, reading.language, 'notFound');
  send(ctx, found, guard.visibility === 'public');
}

/** The form of a page with a password. */
async function unlock(gate: Gate, ctx: Context, guard: GuardedPage, reading: Reading): Promise<void> {
  const { address } = reading;
  if (guard.visibility !== 'password') throw methodNotAllowed(ctx.method, ['GET', 'HEAD']);
  if (!(await gate.unlock(ctx, guard, address.cookiePath))) return sendLocked(ctx, guard, reading, true);
  // A browser that loads the page again must not send the form again. Relative, whatever path a proxy puts before.
  ctx.set('Location', address.self);
  ctx.set('Cache-Control', 'no-store');
  ctx.status = 303;
}

/** Says nothing of the page, not even its title. */
export function sendLocked(
  ctx: Context,
  { visibility }: Pick<GuardedPage, 'visibility'>,
  { language, address }: Pick<Reading, 'language' | 'address'>,
  isWrong: boolean,
): void {
  ctx.set('WWW-Authenticate', 'Cookie realm="status page"');
  const page =
    visibility === 'password' ? passwordPage(language, address.self, isWrong) : noticePage(language, 'membersOnly');
  sendPage(ctx, 401, page);
}

/** The form with which visitors subscribe. */
export const FORM_VIEW = '/subscribe';
const PATH =
  /^\/([a-z0-9-]{3,63})(\.json|\/subscribe|\/logo|\/feed\.atom|\/maintenance\.ics|\/badge\.svg|\/components\/(cmp_[0-9a-z]{26})\/badge\.svg)?$/;

/** Returns null for a path that is of no page. */
function askedFor(path: string): ({ slug: string } & AskedView) | null {
  const [, slug, view = '', componentId = null] = PATH.exec(path.slice(STATUS_PATH.length)) ?? [];
  return slug === undefined ? null : { slug, view, componentId };
}

/** Returns null for the badge of a component that the page does not have. */
function rendered(
  { model, guard, rendered: known }: CompiledPage,
  { language, asked, address }: Reading,
  { publicUrl, form }: Pick<StatusMountNeeds, 'publicUrl' | 'form'>,
): Rendered | null {
  const canonical = canonicalUrl(guard.verified_hosts ?? [], publicUrl);
  const key = `${asked.view} ${language} ${address.url} ${canonical}`;
  const idUrl = statusUrl(model.slug, publicUrl);
  const of = { ...asked, takesSubscribers: form !== null, groups: guard.groups };
  const made = known.get(key) ?? render(model, of, language, { ...address, canonical, idUrl });
  if (made !== null) known.set(key, made);
  return made;
}

interface Asked extends Pick<CompiledPage['guard'], 'groups'> {
  view: string;
  componentId: string | null;
  takesSubscribers: boolean;
}

function render(
  model: PageModel,
  { view, componentId, takesSubscribers, groups }: Asked,
  language: PageLanguage,
  at: PageAddress & { canonical: string | null; idUrl: string },
): Rendered | null {
  if (view === '') {
    const subscribe = takesSubscribers ? at.links.subscribe : null;
    return asPage(htmlPage(model, language, { ...at.links, subscribe, canonical: at.canonical }, null));
  }
  if (view === LOGO_VIEW) return null;
  if (view === FORM_VIEW) return asPage(formPage(language, { title: model.title, color: model.color, groups }));
  const as = (type: string, body: string) => ({ body, type: `${type}; charset=utf-8`, etag: etagOf(body) });
  if (view === '.json') return as('application/json', jsonPage(model, language, at.url));
  if (view === '/feed.atom') return as('application/atom+xml', atomFeed(model, language, at));
  if (view === '/maintenance.ics') return as('text/calendar', maintenanceCalendar(model, language, at.url));
  const picture = badge(model, componentId, language);
  return picture === null ? null : as('image/svg+xml', picture);
}

function asPage({ html, contentSecurityPolicy }: HtmlPage): Rendered {
  return { body: html, type: 'text/html; charset=utf-8', etag: etagOf(html), contentSecurityPolicy };
}

/** Weak, because the body is also sent compressed. */
function etagOf(body: string): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, ETAG_CHARS)}"`;
}

function send(ctx: Context, { body, type, etag, contentSecurityPolicy }: Rendered, isPublic: boolean): void {
  ctx.status = 200;
  if (contentSecurityPolicy !== undefined) ctx.set('Content-Security-Policy', contentSecurityPolicy);
  else if (isPublic) allowOtherSites(ctx);
  if (!isPublic) keepPrivate(ctx);
  else ctx.set('Cache-Control', CACHE_CONTROL);
  ctx.set('ETag', etag);
  if (names(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.set('Content-Type', type);
  ctx.body = body;
}

/** Clients compare weakly, also those that send `Cache-Control: no-cache`, for which `ctx.fresh` is never true. */
function names(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^(?!W\/)/, 'W/') === etag);
}

/** What the page says is public, so pages of others may read it too. */
function allowOtherSites(ctx: Context): void {
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
}

/** A cache must not show it to others, and a search engine must not list it. */
function keepPrivate(ctx: Context): void {
  ctx.set('Cache-Control', 'private, no-store');
  ctx.set('X-Robots-Tag', 'noindex, nofollow');
}

export function sendNotice(ctx: Context, status: number, language: PageLanguage, notice: Notice): void {
  sendPage(ctx, status, noticePage(language, notice));
}

function sendPage(ctx: Context, status: number, { html, contentSecurityPolicy }: HtmlPage): void {
  ctx.status = status;
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  keepPrivate(ctx);
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.body = html;
}
