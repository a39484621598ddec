import { list, plural } from '../../../texts/format.ts';
import type { en } from './en.ts';

const minutes = (count: number) => plural(count, { one: 'Minute', other: 'Minuten' });

export const de: typeof en = {
  notFound: 'Dieses Wartungsfenster gibt es nicht. Vielleicht wurde es gelöscht.',
  toList: 'Alle Wartungsfenster',
  title: 'Wartung',
  add: 'Wartung planen',
  addSentence:
    'Während einer Wartung wird weiter geprüft, aber Vorfälle, die dann beginnen, benachrichtigen bis zu ihrem Ende niemanden.',
  noneActive: 'Zurzeit keine Wartung.',
  active: (count) => `${plural(count, { one: 'Wartungsfenster ist', other: 'Wartungsfenster sind' })} gerade aktiv.`,
  empty: 'Planen Sie vor einer Änderung eine Wartung, damit sie niemanden alarmiert.',
  states: { active: 'aktiv', scheduled: 'geplant', ended: 'beendet' },
  groups: { active: 'Jetzt', scheduled: 'Geplant', ended: 'Vergangen' },
  until: (until) => `Aktiv bis ${until}.`,
  from: (from, to) => `Von ${from} bis ${to}.`,
  ended: (at) => `Beendet: ${at}.`,
  over: 'Es wiederholt sich nicht mehr.',
  forEverything: 'Für alles.',
  forTargets: (monitors, servers, tags) => {
    const parts = [
      ...(monitors === 0 ? [] : [plural(monitors, { one: 'Monitor', other: 'Monitore' })]),
      ...(servers === 0 ? [] : [plural(servers, { one: 'Server', other: 'Server' })]),
      ...tags.map((tag) => `alles mit dem Tag ${tag}`),
    ];
    return parts.length === 0 ? 'Für nichts: Wofür es war, wurde gelöscht.' : `Für ${list(parts)}.`;
  },
  underWay: (until) => `läuft bis ${until}. Vorfälle, die vorher beginnen, benachrichtigen niemanden.`,
  occurrence: (from, lasts) => `${from}, Dauer: ${lasts}`,
  preview: 'Nächste Termine, in Ihrer Zeitzone',
  name: 'Name',
  when: 'Wann',
  whenKinds: { once: 'Einmal', repeats: 'Immer wieder', rule: 'Nach einer Kalenderregel (RRULE)' },
  starts: 'Beginn',
  ends: 'Ende',
  cron: 'Beginnt um (Cron-Ausdruck)',
  cronHelp: 'Minute, Stunde, Tag des Monats, Monat, Wochentag. 0 2 * * SUN: jeden Sonntag um 02:00.',
  rule: 'Kalenderregel (RRULE)',
  ruleHelp: 'Wie Kalender sie schreiben (RFC 5545). FREQ=MONTHLY;BYDAY=2SU: der zweite Sonntag jedes Monats.',
  ruleStartHelp: 'In Ihrer Zeitzone. Kein Termin beginnt früher, und die Regel hat diese Uhrzeit.',
  timeZone: 'Zeitzone',
  timeZoneHelp: 'Zum Beispiel Europe/Berlin. Die Zeiten oben gelten auf ihren Uhren, auch nach einer Umstellung.',
  duration: 'Dauer (Minuten)',
  countsInUptime: 'Zählt in der Verfügbarkeit',
  countsInUptimeHelp:
    'Sonst ist die Zeit weder verfügbar noch ausgefallen: Die Verfügbarkeit lässt sie aus und nennt, wie viel. Eine Änderung gilt ab dann.',
  leftOut: 'Die Verfügbarkeit lässt diese Zeit aus.',
  targets: 'Für',
  targetKinds: {
    chosen: 'Ausgewählte Monitore, Server und Tags',
    everything: 'Alles, auch was später hinzukommt',
  },
  monitors: 'Monitore',
  servers: 'Server',
  tags: 'Tags',
  tagsHelp: 'Durch Kommas getrennt. Monitore und Server, die eines davon haben.',
  deletedObject: 'etwas Gelöschtes',
  create: 'Wartung planen',
  created: (name) => `${name} ist geplant.`,
  settings: 'Einstellungen des Wartungsfensters',
  save: 'Speichern',
  saved: (name) => `${name} ist gespeichert.`,
  extend: (count) => `Um ${minutes(count)} verlängern`,
  extended: (name) => `${name} endet später.`,
  end: 'Jetzt beenden',
  endedNow: (name) => `${name} ist beendet. Was noch ausfällt, alarmiert ab jetzt.`,
  delete: 'Löschen',
  deleteTitle: (name) => `${name} löschen?`,
  deleteHelp: 'Was es stummschaltet, alarmiert ab jetzt, falls es noch ausfällt.',
  deleted: (name) => `${name} ist gelöscht.`,
};
