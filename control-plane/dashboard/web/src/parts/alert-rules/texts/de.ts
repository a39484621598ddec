import { duration, list, plural } from '../../../texts/format.ts';
import { dative } from '../../../texts/german.ts';
import type { en } from './en.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const days = (hours: number) =>
  hours % DAY_HOURS === 0 && hours > 0
    ? plural(hours / DAY_HOURS, { one: 'Tag', other: 'Tagen' })
    : dative(duration(hours * HOUR_MS));

export const de: typeof en = {
  notFound: 'Diese Alarmregel gibt es nicht. Vielleicht wurde sie gelöscht.',
  toList: 'Alle Alarmregeln',
  title: 'Alarmregeln',
  add: 'Regel hinzufügen',
  addSentence:
    'Eine Regel eröffnet einen Vorfall, wenn Server oder Sperrlisten ihre Bedingung erfüllen, und markiert ihn danach als behoben.',
  none: 'Keine Regel: Server und Sperrlisten alarmieren niemanden. Monitore alarmieren ohne Regeln.',
  count: (all, off) =>
    `${plural(all, { one: 'Regel', other: 'Regeln' })}${off === 0 ? ', alle an.' : `, davon ${off} aus.`}`,
  empty:
    'Fügen Sie eine hinzu, damit Sie erfahren, wenn ein Server offline oder überlastet ist, eine Platte vollläuft oder eine Adresse gesperrt wird.',
  off: 'aus',
  turnOff: 'Ausschalten',
  turnOn: 'Einschalten',
  turnedOff: (name) => `${name} ist aus. Ihre Vorfälle sind behoben.`,
  turnedOn: (name) => `${name} ist an.`,
  isOn: 'Die Regel ist an.',
  isOff: 'Die Regel ist aus und alarmiert niemanden.',
  sentence: (condition, severity, notifies) => `Wenn ${condition}: ${severity}, ${notifies}.`,
  metricCondition: (metric, is, forMs, server) =>
    `${metric} auf ${server}${forMs === 0 ? '' : ` ${duration(forMs)} lang`} ${is} ist`,
  offlineCondition: (forMs, server) =>
    `von ${server}${forMs === 0 ? '' : ` mehr als ${duration(forMs)} lang`} keine Messwerte kommen`,
  diskCondition: (hours, server) => `eine Platte von ${server} in ${days(hours)} voll ist`,
  blacklistCondition: (target) => `eine Sperrliste ${target} führt`,
  backupCondition: (job) => `${job} ausbleibt, fehlschlägt oder eine Sicherung macht, die nicht wie erwartet ist`,
  allServers: 'irgendeinem Server',
  onTags: (tags) => `einem Server mit ${tags.length === 0 ? '…' : tags.join(' oder ')}`,
  onServers: (names) => (names.length === 0 ? 'keinem Server' : names.join(' oder ')),
  allBackups: 'irgendein Sicherungsjob',
  ofBackups: (names) => (names.length === 0 ? 'kein Sicherungsjob' : names.join(' oder ')),
  allBlacklists: 'eine überwachte Adresse oder Domain',
  ofTargets: (names) => (names.length === 0 ? 'keine Adresse oder Domain' : names.join(' oder ')),
  notifiesAll: 'benachrichtigt alle Kanäle',
  notifies: (names) => `benachrichtigt ${list(names)}`,
  notifiesNobody: 'benachrichtigt niemanden',
  deletedObject: 'etwas Gelöschtes',
  others: (count) => `${count} weitere`,
  name: 'Name',
  type: 'Art',
  types: {
    metric: 'Messgröße eines Servers jenseits einer Schwelle',
    server_offline: 'Server offline',
    disk_full: 'Platte läuft voll',
    blacklist_listed: 'Auf einer Sperrliste',
    backup_missed: 'Sicherung ausgeblieben oder fehlgeschlagen',
    email_score_fell: 'E-Mail-Wertung gefallen',
    domain_expiring: 'Domain läuft ab',
    wordpress_check_failed: 'WordPress-Prüfung fehlgeschlagen',
  },
  typeHelp: {
    metric:
      'Löst aus, wenn während der gewählten Dauer jeder Messwert jenseits der Schwelle ist; Server senden alle zehn Sekunden einen.',
    server_offline: 'Löst aus, wenn der Agent eines Servers drei Messwerte ausgelassen hat.',
    disk_full: 'Löst aus, wenn der Trend der letzten sechs Stunden ein Dateisystem innerhalb der gewählten Zeit füllt.',
    blacklist_listed:
      'Löst aus, wenn eine Sperrliste eine überwachte Adresse oder Domain führt. Richtlinien-Einträge zählen nicht.',
    backup_missed:
      'Löst aus, wenn ein Sicherungsjob keinen rechtzeitigen Ping sendet, einen Fehler meldet, nicht endet oder eine Sicherung macht, die seine Einstellungen nicht zulassen.',
    email_score_fell:
      'Löst aus, wenn die Wertung einer E-Mail-Domain um mindestens 10 Punkte fällt, oder wenn ein Bereich, der bestanden war, zweimal nacheinander fehlschlägt.',
    domain_expiring:
      'Löst aus, wenn die Registrierung einer überwachten Domain in 30, 14, 7 oder 3 Tagen abläuft. Der Vorfall der letzten 3 Tage ist immer kritisch.',
    wordpress_check_failed:
      'Löst aus, wenn eine Prüfung einer WordPress-Website, die bestanden war, in zwei aufeinanderfolgenden Messungen des Plugins fehlschlägt, oder in einer von außen.',
  },
  metric: 'Messgröße',
  device: 'Gerät (optional)',
  deviceHelp: {
    mount: 'Zum Beispiel /var. Leer: das vollste.',
    block_device: 'Zum Beispiel sda. Leer: alle zusammen.',
    interface: 'Zum Beispiel eth0. Leer: alle zusammen.',
    core: 'Die Nummer einer CPU, zum Beispiel 0. Leer: alle zusammen.',
  },
  operator: 'Ist',
  threshold: (unit) =>
    ({
      percent: 'Prozent',
      bytes: 'MB',
      bytes_per_second: 'MB pro Sekunde',
      load: 'Last',
      count: 'Anzahl',
      seconds: 'Sekunden',
    })[unit],
  forMinutes: 'Dauer (Minuten)',
  offlineFor: 'Zusätzliche Dauer (Minuten)',
  offlineForHelp: 'Über die drei ausgelassenen Messwerte hinaus. 0: sofort.',
  withinHours: 'Voll innerhalb von (Stunden)',
  withinHoursHelp: 'Bis 168, eine Woche.',
  which: { servers: 'Server', blacklistMonitors: 'Adressen und Domains', backupJobs: 'Sicherungsjobs' },
  serverTargets: { all: 'Alle, auch später hinzugefügte', tags: 'Die mit einem Tag', chosen: 'Ausgewählte' },
  otherTargets: {
    blacklistMonitors: { all: 'Alle überwachten, auch später hinzugefügte', chosen: 'Ausgewählte' },
    backupJobs: { all: 'Alle, auch später hinzugefügte', chosen: 'Ausgewählte' },
  },
  emailCondition: 'Wenn die Wertung einer E-Mail-Domain fällt',
  domainCondition: 'Wenn die Registrierung einer überwachten Domain bald abläuft',
  wordpressCondition: 'Wenn eine Prüfung einer WordPress-Website fehlschlägt, die bestanden war',
  tags: 'Tags',
  tagsHelp: 'Durch Kommas getrennt. Einer davon genügt.',
  nothingToChoose: 'Es gibt noch nichts auszuwählen.',
  severity: 'Schweregrad',
  severities: { critical: 'kritisch', warning: 'Warnung', info: 'Hinweis' },
  notify: 'Benachrichtigt',
  notifyKinds: { all: 'Alle Kanäle', chosen: 'Ausgewählte Kanäle', none: 'Niemanden: Der Vorfall steht nur hier' },
  create: 'Regel hinzufügen',
  created: (name) => `${name} ist an.`,
  settings: 'Einstellungen der Regel',
  save: 'Speichern',
  saved: (name) => `${name} ist gespeichert.`,
  delete: 'Löschen',
  deleted: (name) => `${name} ist gelöscht. Ihre Vorfälle sind behoben.`,
  restored: (name) => `${name} ist wieder da.`,
  notRestored: (name, isUncertain) =>
    `${name} ${isUncertain ? 'wurde vielleicht nicht wiederhergestellt' : 'konnte nicht wiederhergestellt werden'}. Rückgängig versucht es noch einmal.`,
};
