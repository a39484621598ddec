import type { Language } from '../../../http/client/language.js';
import { de } from './de.js';
import { en } from './en.js';

export type Texts = typeof en;

/** The texts of the page, by language. */
export const TEXTS: Record<Language, Texts> = { en, de };
