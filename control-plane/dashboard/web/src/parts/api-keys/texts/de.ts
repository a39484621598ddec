import { duration, list, plural } from '../../../texts/format.ts';
import { dative } from '../../../texts/german.ts';
import type { en } from './en.ts';

const keys = (count: number) => plural(count, { one: 'Schlüssel kann', other: 'Schlüssel können' });

export const de: typeof en = {
  title: 'API-Schlüssel',
  add: 'Schlüssel erstellen',
  addSentence:
    'Mit einem Schlüssel benutzt ein Programm die API in Ihrem Namen, mit höchstens den Rechten Ihrer Rolle.',
  none: 'Kein Schlüssel: Programme können die API nicht benutzen.',
  count: (active, soon) =>
    `${keys(active)} die API benutzen${soon === 0 ? '.' : `; ${plural(soon, { one: 'läuft', other: 'laufen' })} in den nächsten sieben Tagen ab.`}`,
  empty:
    'Erstellen Sie einen für ein Programm, das Monitore liest oder ändert, zum Beispiel ein Deployment oder Terraform.',
  created: 'Erstellt',
  deletedAccount: 'gelöschtes Konto',
  neverUsed: 'Nie benutzt',
  used: (ago) => `Zuletzt benutzt vor ${dative(ago)}`,
  from: (network) => `von ${network}`,
  noExpiry: 'Läuft nie ab',
  expires: 'Läuft ab:',
  expired: 'Abgelaufen:',
  soon: 'bald',
  replaced: 'durch einen neuen Schlüssel ersetzt',
  mayBoth: (areas) => `Liest und ändert: ${list(areas)}`,
  mayRead: (areas) => `Liest: ${list(areas)}`,
  mayChange: (areas) => `Ändert: ${list(areas)}`,
  name: 'Name',
  nameHelp: 'Das Programm oder die Person, die ihn benutzt, zum Beispiel „Deployment“.',
  expiry: 'Läuft ab',
  expiries: { '30': 'in 30 Tagen', '90': 'in 90 Tagen', '365': 'in einem Jahr', never: 'nie', date: 'an einem Tag…' },
  date: 'Letzter Tag',
  may: 'Was er darf',
  presets: {
    everything: { label: 'Alles', help: 'Alles, was Ihre Rolle darf, auch Team, Abrechnung und andere Schlüssel.' },
    read: { label: 'Nur lesen', help: 'Alle Daten, keine Änderungen. Für Anzeigen und Exporte.' },
    monitors: { label: 'Monitore', help: 'Monitore lesen und ändern, Vorfälle lesen. Für Deployments.' },
    chosen: { label: 'Auswählen…', help: 'Einzelne Rechte für jeden Bereich.' },
  },
  needsEnterprise: 'Schlüssel mit begrenzten Rechten gibt es im Tarif Enterprise.',
  areas: {
    monitors: 'Monitore',
    servers: 'Server',
    blacklist: 'Sperrlisten',
    backups: 'Sicherungen',
    alerts: 'Vorfälle und Alarmregeln',
    channels: 'Kanäle',
    maintenance: 'Wartung',
    email_domains: 'E-Mail-Domains',
    scans: 'Sicherheitsprüfungen',
    status_pages: 'Statusseiten',
    reports: 'Berichte',
    wordpress: 'WordPress',
    audit: 'Audit-Protokoll',
  },
  read: 'Lesen',
  write: 'Ändern',
  create: 'Schlüssel erstellen',
  createdSentence: 'Der Schlüssel funktioniert ab jetzt.',
  made: (name) => `Neuer Schlüssel „${name}“`,
  value: 'API-Schlüssel',
  shownOnce:
    'Kopieren Sie ihn jetzt und legen Sie ihn dort ab, wo Ihr Programm seine Geheimnisse liest. Picket zeigt ihn nicht noch einmal.',
  stored: 'Ich habe ihn abgelegt',
  rotate: 'Erneuern',
  rotateTitle: (name) => `${name} durch einen neuen Schlüssel ersetzen?`,
  rotateText:
    'Der neue Schlüssel hat denselben Namen und dieselben Rechte und handelt in Ihrem Namen. Sie sehen ihn einmal.',
  overlap: 'Der alte Schlüssel funktioniert noch',
  overlaps: (seconds) => (seconds === 0 ? 'gar nicht: er endet sofort' : duration(seconds * 1_000)),
  revoke: 'Widerrufen',
  revoked: (name) => `${name} ist widerrufen.`,
  revokeTitle: (name) => `${name} widerrufen?`,
  revokeText:
    'Programme mit diesem Schlüssel werden innerhalb einer Sekunde abgewiesen. Das lässt sich nicht rückgängig machen.',
  cancel: 'Abbrechen',
};
