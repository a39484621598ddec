import type { Context } from 'koa';

const LANGUAGES = ['en', 'de'] as const;

/** A language of the pages that the control plane itself writes. */
export type Language = (typeof LANGUAGES)[number];

/**
 * Returns the language of a page by the `Accept-Language` of its request, and says so in the headers of the response;
 * English if the request names no language that there is.
 */
export function answerLanguage(ctx: Context): Language {
  const best = ctx.acceptsLanguages([...LANGUAGES]);
  const language = LANGUAGES.find((one) => one === best) ?? 'en';
  ctx.set('Content-Language', language);
  ctx.vary('Accept-Language');
  return language;
}
