import { read, write } from '../storage.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'picket.language';

/** Returns the language that the person chose, otherwise the first one of the browser that there is. */
export function currentLanguage(): Language {
  const wanted = [read(KEY) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.find((tag): tag is Language => tag in LANGUAGES) ?? 'en';
}

/** Returns the locale of numbers and times: the person's own variant of the language, such as `en-GB`, if the browser names one. */
export function currentLocale(): string {
  const language = currentLanguage();
  return navigator.languages.find((tag) => tag.slice(0, 2) === language) ?? language;
}

/**
 * Loads the page again, so that every text has the new language. It is stored only when the page goes: the browser may ask
 * about what is not saved, and whoever stays would have a page in two languages.
 */
export function chooseLanguage(language: Language): void {
  const stays = new AbortController();
  const { signal } = stays;
  addEventListener('pagehide', () => write(KEY, language), { once: true, signal });
  // Whoever goes on has chosen to stay. A key that is still held down is the choice itself.
  addEventListener('pointerdown', () => stays.abort(), { capture: true, signal });
  addEventListener('keydown', ({ repeat }) => (repeat ? undefined : stays.abort()), { capture: true, signal });
  location.reload();
}
