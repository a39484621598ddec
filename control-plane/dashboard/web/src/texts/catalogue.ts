import { currentLanguage } from './language.ts';

/**
 * Returns the texts of a part in the language of the person. A part has them in its own folder, so that they load with
 * its pages: `texts/en.ts`, `texts/de.ts` (`export const de: typeof en`), and a `texts.ts` that calls this.
 */
export function inLanguage<Texts>(both: { en: Texts; de: Texts }): Texts {
  return both[currentLanguage()];
}
