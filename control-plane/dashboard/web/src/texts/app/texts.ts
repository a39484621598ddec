import { currentLanguage } from '../language.ts';
import { de } from './de.ts';
import { en } from './en.ts';

/** The texts in the language of the person. A change of the language loads the page again. */
export const texts = { en, de }[currentLanguage()];
