import { plural } from '../../../texts/format.ts';
import { dative } from '../../../texts/german.ts';
import type { en } from './en.ts';

const locations = (count: number) => plural(count, { one: 'Standort', other: 'Standorten' });

const NOTIFIED: Readonly<Record<string, string>> = {
  opened: 'eröffnet',
  acknowledged: 'bestätigt',
  resolved: 'behoben',
};

/** `reminder#3` ist die dritte Erinnerung. */
const notifiedOf = (event: string): string => NOTIFIED[event] ?? `Erinnerung ${event.replace(/^.*#/, '')}`;

export const de: typeof en = {
  text: 'Nach Name oder Meldung filtern',
  severity: 'Schweregrad',
  kind: 'Art',
  any: 'Alle',
  severities: { critical: 'Kritisch', warning: 'Warnung', info: 'Hinweis' },
  kinds: {
    monitor: 'Monitor ausgefallen',
    certificate: 'Zertifikat',
    server: 'Server',
    blacklist: 'Sperrliste',
    email: 'E-Mail-Wertung',
    domain: 'Domain',
    location: 'Standort',
  },
  noMatch: 'Kein Vorfall passt zu diesem Filter.',
  clear: 'Filter entfernen',
  searchedTo: (time) => `Zurück bis ${time} durchsucht. Ältere Vorfälle sind noch nicht durchsucht.`,
  searchOlder: 'Ältere Vorfälle durchsuchen',
  end: 'Wie er endete',
  recoveredFrom: (where) => `Die Prüfungen waren wieder erfolgreich von ${where}.`,
  resolution: {
    recovered: 'Picket stellt das Problem nicht mehr fest.',
    manual: 'Eine Person hat den Vorfall als behoben markiert.',
    paused: 'Er endete, weil der Monitor oder Server pausiert wurde.',
    deleted: 'Er endete, weil der Monitor oder Server gelöscht wurde oder kein Monitor mehr zu der Domain gehört.',
    superseded: 'Ein anderer Vorfall desselben Monitors oder derselben Domain hat ihn ersetzt.',
    gone: 'Das Gerät oder die Liste gibt es nicht mehr.',
    rule_deleted: 'Die Alarmregel wurde gelöscht.',
    rule_disabled: 'Die Alarmregel wurde ausgeschaltet.',
    rule_changed: 'Die Alarmregel wurde geändert und gilt nicht mehr.',
    server_changed: 'Der Server wurde geändert, und die Alarmregel gilt nicht mehr.',
    policy_only: 'Es bleibt nur ein Eintrag nach Richtlinie, der kein Handeln erfordert.',
    not_told: 'Die Registrierungsstelle gibt nicht mehr an, wann die Domain abläuft.',
  },
  silenced: (at) => `Stumm seit ${at}: keine weiteren Benachrichtigungen, bis er behoben ist.`,
  silencedUntil: (until) =>
    `Stumm bis ${until}. Besteht das Problem dann noch, meldet Picket den Vorfall erneut an die Kanäle.`,
  silencedByMaintenance: (name, until) =>
    `Stumm wegen der Wartung ${name} bis ${until}. Besteht das Problem dann noch, meldet Picket den Vorfall an die Kanäle.`,
  silentBecause: 'Stumm wegen',
  silentStates: {
    parent_down: '– der Vorfall hängt von diesem Monitor ab, der ausgefallen ist. Picket meldet nur diesen Ausfall.',
    parent_recovered:
      '– der Vorfall hängt von diesem Monitor ab, der gerade wieder erreichbar ist. Besteht das Problem nach zwei Minuten noch, meldet Picket den Vorfall.',
    waiting: '– der Vorfall hängt von diesem Monitor ab. Picket prüft zuerst diesen.',
  },
  openParent: 'Seinen Vorfall öffnen',
  dependents: (total, down) =>
    `${plural(total, { one: 'Monitor oder Server hängt', other: 'Monitore und Server hängen' })} davon ab, ${down} davon ausgefallen. Picket meldet nur diesen Monitor.`,
  silence: 'Stummschalten',
  silenceHelp: 'Keine Benachrichtigungen zu diesem Vorfall:',
  forTime: (lasted) => `Für ${lasted}`,
  untilResolved: 'Bis er behoben ist',
  unsilence: 'Stummschaltung beenden',
  unsilenceHelp: 'Der Vorfall ist wieder offen, und Picket benachrichtigt die Kanäle, sofern er nicht bestätigt ist.',
  cause: {
    outage: (failing, of, error, hasOthers) =>
      `${failing} von ${locations(of)} ${failing === 1 ? 'meldete' : 'meldeten'} ${error}${hasOthers ? ' oder einen anderen Fehler' : ''}.`,
    down: (failing, of) => `${failing} von ${locations(of)} ${failing === 1 ? 'meldete' : 'meldeten'} einen Ausfall.`,
    metric: (metric, value, since, operator, limit) =>
      `${metric}: ${value} seit ${since}. Grenze der Regel: ${operator} ${limit}.`,
    offline: (since) => `Kein Messwert vom Agenten des Servers seit ${since}.`,
    diskFilling: (mount, used, full) => `${mount}: ${used} belegt, nach dem Verlauf bei der Eröffnung ${full} voll.`,
    diskFull: (mount, used) => `${mount}: ${used} belegt.`,
    certificate: (day, issuer) =>
      `Ablaufdatum des Zertifikats: ${day}.${issuer === '' ? '' : ` Ausgestellt von ${issuer}.`}`,
    listed: (blacklist, meanings) => `Eingetragen auf ${blacklist}${meanings === '' ? '' : ` (${meanings})`}.`,
  },
  firingSince: (at, lasted) => `Ausgelöst seit ${at} (${lasted}).`,
  openSince: (at, lasted) => `Offen seit ${at} (${lasted}).`,
  lastedFrom: (at, lasted) => `Dauer: ${lasted}, ab ${at}.`,
  measuredOnce: (rule, value, at) => `Die Regel „${rule}“ hat um ${at} ${value} gemessen.`,
  measured: (rule, count, from, to, values, isPart) =>
    `Die Regel „${rule}“ hat von ${from} bis ${to} ${plural(count, { one: 'Wert', other: 'Werte' })} gezählt${isPart ? ', darunter' : ':'} ${values}.`,
  before: {
    up: (at) => `Davor zuletzt erfolgreich ${at}.`,
    down: (at) => `Davor fehlgeschlagen, zuerst ${at}.`,
  },
  comments: 'Kommentare',
  comment: 'Ihr Kommentar',
  commentHelp: 'Kommentare können nicht geändert oder gelöscht werden.',
  sendComment: 'Kommentar hinzufügen',
  commentsFailed: 'Die Kommentare konnten nicht geladen werden.',
  noComments: 'Noch keine Kommentare.',
  linkOf: (channel) => `Eine Person mit einem Link im Kanal „${channel}“`,
  byLinkOf: (channel) => `einer Person mit einem Link im Kanal „${channel}“`,
  personByLink: (person, channel) => `${person} (mit einem Link im Kanal „${channel}“)`,
  happened: {
    opened: 'Der Vorfall wurde eröffnet.',
    acknowledged: (who) => `${who} hat ihn bestätigt.`,
    maintenance: 'Ein Wartungsfenster hat ihn stummgeschaltet.',
    held: 'Er ist stumm wegen eines Monitors, von dem er abhängt.',
    silenced: (who) => `${who} hat ihn stummgeschaltet, bis er behoben ist.`,
    silencedUntil: (who, until) => `${who} hat ihn stummgeschaltet bis ${until}.`,
    silenceOver: 'Die Stummschaltung endete, und das Problem bestand noch.',
    unsilenced: (who) => `${who} hat die Stummschaltung beendet.`,
    commented: (who) => `${who} hat einen Kommentar geschrieben.`,
    channelRemoved: (who) => `${who} hat einen Kanal des Vorfalls gelöscht. Er wird nicht mehr benachrichtigt.`,
    resolved: (who) => `${who} hat ihn als behoben markiert.`,
  },
  notified: (event) => notifiedOf(event),
  accepted: (at) => `Angenommen ${at}.`,
  nextAttempt: (at) => `Nächster Versuch ${at}.`,
  newestOf: (shown, all) => `Die neuesten ${shown} von ${all} Versuchen:`,
  resolve: {
    title: 'Diesen Vorfall beheben?',
    stillDown: (name) => `${name} ist noch ausgefallen.`,
    stillWrong: (name) => `Das Problem von ${name} besteht noch.`,
    help: 'Damit endet dieser Vorfall. Besteht das Problem nach 10 Minuten noch, eröffnet Picket einen neuen Vorfall und benachrichtigt die Kanäle erneut.',
    instead: 'Wenn Sie nur keine Benachrichtigungen mehr wollen, schalten Sie ihn stumm.',
    silence: 'Stumm, bis er behoben ist',
    anyway: 'Trotzdem beheben',
  },
  resolvedEarly: (name, from, lasted) =>
    `Vorfall von ${name} ab ${from}, nach ${dative(lasted)} von einer Person behoben`,
  whileDown: (who, at) =>
    `${who} hat ihn ${at} behoben, als der Monitor noch ausgefallen war. Bleibt er ausgefallen, eröffnet Picket 10 Minuten später einen neuen Vorfall.`,
  whileWrong: (who, at) =>
    `${who} hat ihn ${at} behoben, als das Problem noch bestand. Bleibt es bestehen, eröffnet Picket 10 Minuten später einen neuen Vorfall.`,
  voteFailing: 'schlägt fehl, nicht gezählt',
  byPerson: 'von einer Person behoben',
};
