import { plural } from '../../../texts/format.ts';
import type { en } from './en.ts';

const monitors = (count: number) => plural(count, { one: 'Monitor', other: 'Monitore' });

export const de: typeof en = {
  state: (plan, isRequired) =>
    `Ein Arbeitsbereich im Tarif ${plan}. ${isRequired ? 'Alle brauchen einen zweiten Faktor.' : 'Ein zweiter Faktor ist nicht vorgeschrieben.'}`,
  willBeDeleted: (at) => `Dieser Arbeitsbereich ist angehalten, und alle seine Daten werden gelöscht: ${at}.`,
  general: 'Allgemein',
  name: 'Name',
  requireFactor: 'Zweiten Faktor vorschreiben',
  requireFactorHelp: 'Wer keinen hat, kann dann nur noch einen einrichten. API-Schlüssel funktionieren weiter.',
  save: 'Speichern',
  saved: 'Die Einstellungen sind gespeichert.',
  exportTitle: 'Monitore exportieren',
  exportHelp: 'Alle Monitore in einer Datei, die Sie aufheben, ändern und wieder importieren können.',
  format: 'Format',
  withSecrets: 'Mit Passwörtern, Header-Werten und Anfrage-Inhalten',
  withSecretsHelp: 'Sonst steht *** an ihrer Stelle; ein Import behält dann die gespeicherten.',
  export: 'Datei herunterladen',
  importTitle: 'Monitore importieren',
  importHelp:
    'Eine Datei von Picket oder eine Sicherung von Uptime Kuma (Settings, Backup, Export). Picket zeigt erst, was sich ändern würde. Monitore mit gleichem Namen werden geändert, alle anderen bleiben.',
  file: 'Datei (JSON oder YAML, höchstens 1 MiB)',
  fileProblems: {
    empty: 'Die Datei ist leer. Wählen Sie eine andere.',
    large: 'Die Datei ist größer als 1 MiB. Teilen Sie sie: Monitore, die in einer Datei fehlen, bleiben unverändert.',
    unreadable: 'Der Browser konnte die Datei nicht lesen. Wählen Sie sie noch einmal.',
  },
  reading: 'Die Datei wird mit Ihren Monitoren verglichen…',
  wouldImport: ({ created, updated, unchanged, refused }) =>
    `Das würde ${monitors(created)} anlegen und ${updated} ändern; ${unchanged} ${unchanged === 1 ? 'ist' : 'sind'} schon gleich, ${refused} ${refused === 1 ? 'lässt' : 'lassen'} sich nicht importieren.`,
  hasImported: ({ created, updated, unchanged, refused }) =>
    `${monitors(created)} angelegt und ${updated} geändert; ${unchanged} ${unchanged === 1 ? 'war' : 'waren'} schon gleich, ${refused} ${refused === 1 ? 'ließ' : 'ließen'} sich nicht importieren.`,
  isKuma: 'Die Datei ist eine Sicherung von Uptime Kuma.',
  actions: { created: 'neu', updated: 'geändert', unchanged: 'gleich', refused: 'nicht importiert' },
  changes: (fields) => `Änderungen: ${fields.join(', ')}`,
  showAll: (count) => `Alle ${count} anzeigen`,
  importNow: (count) => `${monitors(count)} importieren`,
  deleteTitle: 'Arbeitsbereich löschen',
  deleteHelp:
    'Prüfungen und Benachrichtigungen hören sofort auf. Sieben Tage lang kann ein Inhaber das hier abbrechen.',
  delete: 'Arbeitsbereich löschen',
  deleteAsk: (name) => `${name} löschen?`,
  deleteText:
    'Alle Prüfungen, Benachrichtigungen und Messwerte von Servern hören sofort auf, für alle Mitglieder. Nach sieben Tagen wird alles gelöscht.',
  typeName: (name) => `Geben Sie den Namen des Arbeitsbereichs ein: ${name}`,
  cancel: 'Abbrechen',
  restoreTitle: 'Arbeitsbereich behalten',
  restoreHelp: 'Prüfungen und Benachrichtigungen laufen weiter wie zuvor. Nur die Zeit dazwischen fehlt.',
  restoreByOwner: 'Bis dahin kann ein Inhaber die Löschung hier abbrechen.',
  restore: 'Arbeitsbereich wiederherstellen',
  restored: (name) => `${name} arbeitet wieder.`,
};
