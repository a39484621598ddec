import type { en } from './en.ts';

export const de: typeof en = {
  live: 'Live',
  polled: 'Alle 10 s aktualisiert',
  waiting: 'Warten auf eine Antwort',
  loggedOut: 'Abgemeldet',
  loggedOutSince: (time) => `Abgemeldet, Stand ${time}`,
  elsewhere: 'Ein anderer Arbeitsbereich ist offen',
  elsewhereSince: (time) => `Ein anderer Arbeitsbereich ist offen, Stand ${time}`,
  logIn: 'Anmelden',
  unreachable: 'Picket antwortet nicht',
  updating: (time) => `Wird aktualisiert, Stand ${time}`,
  reconnecting: (time) => `Verbindung unterbrochen, Stand ${time}`,
  connecting: 'Verbinden',
};
