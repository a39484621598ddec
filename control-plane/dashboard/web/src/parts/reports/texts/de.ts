import { number, plural } from '../../../texts/format.ts';
import type { en } from './en.ts';

const reports = (count: number) => plural(count, { one: 'Bericht', other: 'Berichte' });

export const de: typeof en = {
  title: 'Berichte',
  create: 'Bericht erstellen',
  createSentence:
    'Ein PDF auf Englisch für einen Kunden, mit dem, was Picket über diesen Arbeitsbereich weiß. Es ist in wenigen Sekunden fertig.',
  none: 'Es gibt noch keinen Bericht.',
  empty:
    'Ein Bericht ist ein PDF mit Verfügbarkeit, Antwortzeiten, Vorfällen, Zertifikaten und Sperrlisten eines Zeitraums.',
  count: (count, hasMore) => (hasMore ? `Mehr als ${reports(count)}.` : `${reports(count)}.`),
  generatingNow: (count) => (count === 1 ? '1 Bericht wird erstellt.' : `${reports(count)} werden erstellt.`),
  older: 'Ältere Berichte zeigen',
  status: { generating: 'Wird erstellt', completed: 'Fertig', failed: 'Fehlgeschlagen' },
  pages: (count) => plural(count, { one: 'Seite', other: 'Seiten' }),
  kib: (count) => `${number(count)} KiB`,
  created: 'angelegt',
  download: 'Herunterladen',
  delete: 'Löschen',
  deleteTitle: (title) => `${title} löschen?`,
  deleteText: 'Das PDF kann dann nicht mehr heruntergeladen werden.',
  deleted: (title) => `${title} wurde gelöscht.`,
  reportTitle: 'Titel',
  defaultTitle: 'Monitoring report',
  client: 'Kunde',
  clientHelp: 'Der Name auf der Titelseite.',
  period: 'Zeitraum',
  periods: {
    week: 'Letzte 7 Tage',
    days30: 'Letzte 30 Tage',
    lastMonth: 'Letzter Monat',
    thisMonth: 'Dieser Monat',
    dates: 'Von – bis',
  },
  zone: (zone) => `Die Tage sind die von ${zone}.`,
  from: 'Von',
  to: 'Bis',
  sectionsOf: 'Abschnitte',
  sections: {
    executive_summary: 'Zusammenfassung',
    email_deliverability: 'E-Mail-Zustellbarkeit (noch ohne Daten)',
    ssl_domain: 'SSL und Domains',
    backup_verification: 'Prüfung von Sicherungen (noch ohne Daten)',
    reputation: 'Reputation und Sperrlisten',
    wordpress: 'WordPress-Seiten (noch ohne Daten)',
    alerts: 'Vorfälle',
    security_scans: 'Sicherheitsprüfungen (noch ohne Daten)',
  },
  color: 'Farbe',
};
