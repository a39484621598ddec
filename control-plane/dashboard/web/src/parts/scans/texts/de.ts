import { number, plural } from '../../../texts/format.ts';
import type { en } from './en.ts';

const websites = (count: number) => plural(count, { one: 'Website', other: 'Websites' });

export const de: typeof en = {
  title: 'Sicherheitsprüfungen',
  empty:
    'Eine Prüfung findet fehlende Sicherheits-Header, alte Verschlüsselung, offen liegende Dateien und offene Ports einer Website.',
  viewer: 'Es gibt noch keine Prüfung. Ihre Rolle darf keine starten; fragen Sie ein Mitglied des Arbeitsbereichs.',
  running: 'Eine Prüfung läuft.',
  noneCompleted: 'Noch keine Prüfung ist abgeschlossen.',
  serious: (count, all) =>
    `${number(count)} von ${websites(all)} mit einem kritischen oder schweren Befund in der letzten Prüfung.`,
  notSerious: (all) => `Die letzte Prüfung von ${websites(all)} hat keinen kritischen oder schweren Befund.`,
  columns: { website: 'Website', found: 'Befunde', score: 'Wertung', when: 'Gestartet' },
  found: (serious, others) =>
    serious + others === 0 ? 'nichts' : `${number(serious)} kritisch oder schwer, ${number(others)} mittel oder leicht`,
  score: (score) => (score === null ? '–' : number(score)),
  scoreMeaning: 'Von 0 bis 100. Was sich nicht messen ließ, ändert sie nie.',
  form: {
    website: 'Zu prüfende Website',
    noWebsite: 'Geprüft wird die Website eines HTTP-Monitors, und es gibt noch keinen.',
    createMonitor: 'Monitor anlegen',
    confirm: 'Wie die Website bestätigt, dass Sie sie prüfen dürfen',
    confirmHelp: (record, file) =>
      `Veröffentlichen Sie das Token als TXT-Eintrag ${record} oder als einzigen Inhalt der Datei ${file}. Picket liest es vor jeder Prüfung.`,
    token: 'Token',
    start: 'Prüfung starten',
  },
  one: {
    notFound: 'Diese Prüfung gibt es nicht, oder sie wurde gelöscht.',
    toList: 'Zu den Sicherheitsprüfungen',
    score: (score) => `Wertung ${score} von 100.`,
    queued: 'Die Prüfung wartet auf eine Sonde.',
    running: 'Eine Sonde prüft die Website gerade.',
    failed: 'Die Prüfung ist fehlgeschlagen.',
    passed: (count) => `${plural(count, { one: 'Prüfung', other: 'Prüfungen' })} bestanden`,
    delete: 'Löschen',
    deleteTitle: (target) => `Prüfung von ${target} löschen?`,
    deleteText: 'Ihre Befunde werden gelöscht. Andere Prüfungen der Website bleiben.',
  },
  statuses: { queued: 'wartet', running: 'läuft', completed: 'abgeschlossen', failed: 'fehlgeschlagen' },
  severities: {
    critical: 'kritisch',
    high: 'schwer',
    medium: 'mittel',
    low: 'leicht',
    info: 'Hinweis',
    passed: 'bestanden',
    unknown: 'nicht gemessen',
  },
  areas: {
    files: 'Offen liegende Dateien',
    ports: 'Offene Ports',
    certificate: 'Zertifikat',
    tls: 'Verschlüsselung',
    headers: 'Sicherheits-Header',
    cookies: 'Cookies der Seite',
    content: 'Inhalt',
    contact: 'Kontakt',
  },
};
