import type { PageLanguage } from '../../words/languages.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import type { SubscriptionWords } from './words.js';

export const SUBSCRIPTION_WORDS: Readonly<Record<PageLanguage, SubscriptionWords>> = { en, de, fr, es };
