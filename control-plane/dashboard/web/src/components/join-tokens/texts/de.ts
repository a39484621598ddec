import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Offene Beitrittsschlüssel',
  text: 'Wer den Befehl zu einem dieser Schlüssel hat, kann damit einmal beitreten. Ein Schlüssel endet, wenn er abläuft, und wenn die Person, die ihn erzeugt hat, keinen mehr erzeugen darf.',
  by: (email) => (email === null ? 'Auf der Befehlszeile erzeugt' : `Erzeugt von ${email}`),
  expires: 'Läuft ab',
  more: 'Mehr anzeigen',
  revoke: 'Widerrufen',
  revokeTitle: 'Diesen Beitrittsschlüssel widerrufen?',
  revokeText: 'Mit seinem Befehl kann dann nichts mehr beitreten.',
  revoked: 'Beitrittsschlüssel widerrufen.',
};
