import type { en } from './en.js';

export const de: typeof en = {
  ask: {
    title: 'Bericht prüfen',
    text: 'Geben Sie den Code von der letzten Seite eines Berichts ein. Sie sehen dann, welchen Bericht Picket mit diesem Code erstellt hat.',
  },
  found: {
    title: 'Picket hat diesen Bericht erstellt',
    text: 'Es gibt einen Bericht mit diesem Code. Vergleichen Sie die Angaben mit denen auf seinem Deckblatt.',
    report: 'Bericht',
    client: 'Erstellt für',
    period: 'Zeitraum',
    made: 'Erstellt am',
    sha256: 'SHA-256 der PDF-Datei',
    compare: 'Ist Ihre Datei unverändert?',
    how: 'Berechnen Sie den SHA-256 Ihrer Datei, und vergleichen Sie ihn mit dem oben. Sind beide gleich, ist die Datei genau die, die Picket erstellt hat.',
    another: 'Anderen Bericht prüfen',
  },
  unknown: {
    title: 'Es gibt keinen Bericht mit diesem Code',
    text: 'Der Code wurde nicht richtig eingegeben, Picket hat den Bericht nicht erstellt, oder der Bericht wurde gelöscht. Vergleichen Sie den Code mit der letzten Seite des Berichts.',
  },
  tooMany: {
    title: 'Zu viele falsche Codes',
    text: 'Ihr Netz hat zu viele falsche Codes gesendet. Versuchen Sie es in einer Minute wieder.',
  },
  unavailable: {
    title: 'Picket ist nicht verfügbar',
    text: 'Die Datenbank antwortet nicht. Laden Sie diese Seite in einigen Sekunden neu.',
  },
  code: 'Code',
  codeHelp: '16 Buchstaben und Ziffern, zum Beispiel 7K2M-9XQ4-T0BD-51HW',
  verify: 'Prüfen',
  systems: { linux: 'Linux', mac: 'macOS', windows: 'Windows' },
};
