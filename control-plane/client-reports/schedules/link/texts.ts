import type { Language } from '../../../http/client/language.js';

interface Notice {
  title: string;
  text: string;
}

/** The texts of the pages instead of a download. */
export const LINK_TEXTS: Readonly<Record<Language, Record<'unknown' | 'tooMany' | 'unavailable', Notice>>> = {
  en: {
    unknown: {
      title: 'This link does not work',
      text: 'Links to reports work for 30 days, until the report is deleted. Ask whoever sent you the report for a new one.',
    },
    tooMany: {
      title: 'Too many wrong links',
      text: 'Your network has opened too many wrong links. Try again in a minute.',
    },
    unavailable: {
      title: 'Picket is not available',
      text: 'Its database does not answer. Load this page again in a few seconds.',
    },
  },
  de: {
    unknown: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Links zu Berichten funktionieren 30 Tage lang, bis der Bericht gelöscht wird. Bitten Sie den Absender um einen neuen.',
    },
    tooMany: {
      title: 'Zu viele falsche Links',
      text: 'Ihr Netz hat zu viele falsche Links geöffnet. Versuchen Sie es in einer Minute noch einmal.',
    },
    unavailable: {
      title: 'Picket ist nicht verfügbar',
      text: 'Die Datenbank antwortet nicht. Laden Sie diese Seite in einigen Sekunden noch einmal.',
    },
  },
};
