import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Sie wurden abgemeldet',
  lead: 'Ihre Sitzung ist beendet. Melden Sie sich in einem neuen Tab wieder an und kommen Sie zurück: Diese Seite geht weiter, wo sie ist, und was Sie eingegeben haben, bleibt.',
  logIn: 'In neuem Tab anmelden',
  goOn: 'Ich bin angemeldet, weiter',
  checking: 'Wird geprüft …',
  notYet: 'Sie sind noch nicht angemeldet.',
  elsewhere:
    'Sie sind angemeldet, aber in einem anderen Arbeitsbereich. Mit „Ich bin angemeldet, weiter“ wechseln alle Tabs zurück in den Arbeitsbereich dieser Seite.',
  stay: 'Nicht jetzt',
};
