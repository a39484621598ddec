import { inLanguage } from '../../../texts/catalogue.ts';
import { de } from './de.ts';
import { en } from './en.ts';

export const texts = inLanguage({ en, de });
