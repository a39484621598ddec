import type { Context } from 'koa';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import type { PageWords } from './words.js';

/** The languages of public pages. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type PageLanguage = (typeof LANGUAGES)[number];

export const WORDS: Readonly<Record<PageLanguage, PageWords>> = { en, de, fr, es };

/** Returns the language by the `Accept-Language` of a request; English if it names no language that there is. */
export function languageOf(ctx: Context): PageLanguage {
  const best = ctx.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((one) => one === best) ?? 'en';
}
