import { inLanguage } from '../../texts/catalogue.ts';

const en = {
  title: 'Keys',
  palette: 'Search everything, and run commands',
  keys: 'Show this list',
  filter: 'Filter the list on the page',
  rows: 'Next or previous row of the monitors',
  select: 'Select the row',
  goTo: (page: string) => `Go to: ${page}`,
  followedBy: 'then',
  close: 'Close',
  help: 'Keys do nothing while you type in a field.',
};

const de: typeof en = {
  title: 'Tasten',
  palette: 'Alles durchsuchen, Befehle ausführen',
  keys: 'Diese Liste anzeigen',
  filter: 'Die Liste auf der Seite filtern',
  rows: 'Nächste oder vorige Zeile der Monitore',
  select: 'Zeile auswählen',
  goTo: (page) => `Öffnen: ${page}`,
  followedBy: 'dann',
  close: 'Schließen',
  help: 'Während Sie in ein Feld schreiben, haben diese Tasten keine Wirkung.',
};

export const texts = inLanguage({ en, de });
