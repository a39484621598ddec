import type { Language } from '../../../http/client/language.js';
import { de } from './de.js';
import { en } from './en.js';

/** The texts of the pages, by language. */
export const TEXTS: Record<Language, typeof en> = { en, de };
