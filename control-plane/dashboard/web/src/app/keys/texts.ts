import { inLanguage } from '../../texts/catalogue.ts';

const en = {
  title: 'Keys',
  palette: 'Search everything, and run commands',
  keys: 'Show this list',
  filter: 'Filter the list on the page',
  rows: 'Next or previous row of the monitors',
  select: 'Select the row',
  open: 'Open the row',
  bars: 'Read the bars of the row, or the values of a chart',
  ends: 'First or last value of a chart',
  tens: 'Ten values of a chart on',
  keyNames: { up: 'Page up', down: 'Page down', home: 'Home', end: 'End', enter: 'Enter' },
  goTo: (page: string) => `Go to: ${page}`,
  followedBy: 'then',
  close: 'Close',
  help: 'Keys do nothing while you type in a field.',
  words: 'What the words mean',
};

const de: typeof en = {
  title: 'Tasten',
  palette: 'Alles durchsuchen, Befehle ausführen',
  keys: 'Diese Liste anzeigen',
  filter: 'Die Liste auf der Seite filtern',
  rows: 'Nächste oder vorige Zeile der Monitore',
  select: 'Zeile auswählen',
  open: 'Zeile öffnen',
  bars: 'Die Balken der Zeile lesen, oder die Werte eines Diagramms',
  ends: 'Erster oder letzter Wert eines Diagramms',
  tens: 'Zehn Werte eines Diagramms weiter',
  keyNames: { up: 'Bild ↑', down: 'Bild ↓', home: 'Pos1', end: 'Ende', enter: 'Eingabe' },
  goTo: (page) => `Öffnen: ${page}`,
  followedBy: 'dann',
  close: 'Schließen',
  help: 'Während Sie in ein Feld schreiben, haben diese Tasten keine Wirkung.',
  words: 'Was die Wörter bedeuten',
};

export const texts = inLanguage({ en, de });
