import { inLanguage } from '../../../../texts/catalogue.ts';
import { de } from './de.ts';
import { en } from './en.ts';

export const words = inLanguage({ en, de });
