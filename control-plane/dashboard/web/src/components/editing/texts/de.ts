import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Jemand anders hat das inzwischen geändert',
  lead: 'Von Ihren Eingaben geht nichts verloren. Wählen Sie für jedes Feld, was bleibt, und speichern Sie noch einmal.',
  picket: 'Picket',
  lastChange: (who, at) => `Die letzte Änderung ist von ${who}, ${at}.`,
  was: 'Es war',
  keepMine: 'Meine behalten',
  keepOld: 'So lassen, wie es war',
  takeTheirs: 'Andere Fassung übernehmen',
  both: 'Beide haben es geändert.',
  onlyThem: 'Sie haben es nicht geändert.',
  kept: 'Das haben Sie vorhin geändert und nicht gespeichert. Ihre Änderungen sind noch hier.',
  discard: 'Verwerfen',
  empty: 'leer',
  yes: 'ja',
  no: 'nein',
};
