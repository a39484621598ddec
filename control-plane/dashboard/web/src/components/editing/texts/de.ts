import type { en } from './en.ts';

export const de: typeof en = {
  title: 'Jemand anders hat das inzwischen geändert',
  lead: 'Von Ihren Eingaben geht nichts verloren. Wählen Sie für jedes Feld, was bleibt, und speichern Sie noch einmal.',
  was: 'Es war',
  theirs: 'Andere Fassung',
  mine: 'Ihre Eingabe',
  unchanged: 'wie zuvor',
  keepMine: 'Meine behalten',
  keepOld: 'So lassen, wie es war',
  takeTheirs: 'Andere Fassung übernehmen',
  both: 'Beide haben es geändert.',
  onlyThem: 'Sie haben es nicht geändert.',
  nothing: 'Jemand anders hat inzwischen dasselbe gespeichert. Speichern Sie noch einmal.',
  empty: 'leer',
  yes: 'ja',
  no: 'nein',
};
