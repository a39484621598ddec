import { list, plural } from '../../../../texts/format.ts';
import { dative, every } from '../../../../texts/german.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  edit: 'Bearbeiten',
  sections: 'Auf dieser Seite',
  paused: (name) => `${name} pausiert`,
  resumed: (name) => `${name} fortgesetzt`,
  deleted: (name) => `${name} gelöscht`,
  notDeleted: (name, isUncertain) =>
    isUncertain ? `${name} wurde vielleicht nicht gelöscht.` : `${name} wurde nicht gelöscht.`,
  deleteForGood:
    'Einstellungen und Verlauf werden gelöscht. Das lässt sich nicht rückgängig machen: Der Arbeitsbereich hält schon so viel zum Rückgängigmachen vor, wie er kann, oder hat heute alle Änderungen gemacht, die sich rückgängig machen lassen.',
  checking: (count) => `Prüft von ${plural(count, { one: 'Standort', other: 'Standorten' })}.`,
  why: {
    failing: (failing, all, error) =>
      `${failing} von ${plural(all, { one: 'Standort', other: 'Standorten' })} ${failing === 1 ? 'meldet' : 'melden'} ${error}`,
    where: (where) => ` (${list(where)})`,
    needed: (count) => `für einen Vorfall ${count === 1 ? 'ist einer' : `sind ${count}`} nötig`,
    open: 'Warum?',
  },
  response: {
    title: 'Antwortzeit nach Standort',
    unit: 'ms',
    ranges: 'Zeitraum',
    range: { '1h': '1 h', '6h': '6 h', '24h': '24 h', '7d': '7 Tage', '30d': '30 Tage', '90d': '90 Tage' },
    note: (resolution) => `Mittel über ${resolution} der erfolgreichen Prüfungen. Bänder sind Vorfälle.`,
    raw: 'Die erfolgreichen Prüfungen. Bänder sind Vorfälle.',
    resolutions: { '1m': 'eine Minute', '5m': 'fünf Minuten', '1h': 'eine Stunde' },
  },
  days: {
    title: 'Verfügbarkeit nach Tagen, letzte 90 Tage',
    day: (uptime, observed) => `${uptime} · ${observed} beobachtet`,
    none: 'nicht beobachtet',
    ago: 'Vor 90 Tagen',
    today: 'Heute',
    sentence: (clean, bad, missing) =>
      [
        `${plural(clean, { one: 'Tag', other: 'Tage' })} ohne Ausfall`,
        ...(bad === 0 ? [] : [`${plural(bad, { one: 'Tag', other: 'Tage' })} mit Ausfall`]),
        ...(missing === 0 ? [] : [`${plural(missing, { one: 'Tag', other: 'Tage' })} nicht beobachtet`]),
      ].join(', '),
    columns: { day: 'Tag', uptime: 'Verfügbarkeit', observed: 'Beobachtet' },
    showTable: 'Als Tabelle zeigen',
    hideTable: 'Tabelle ausblenden',
    hint: 'Die Pfeiltasten nach links und rechts lesen die Tage vor. Die Tabelle hat alle.',
  },
  locations: {
    checked: (ago) => `vor ${dative(ago)} geprüft`,
    never: 'noch nicht geprüft',
  },
  channels: {
    nobody: 'niemanden',
    gone: (count) => plural(count, { one: 'gelöschter Kanal', other: 'gelöschte Kanäle' }),
    deleted: (count, others) =>
      `Dieser Monitor nennt ${plural(count, { one: 'Kanal, der gelöscht wurde', other: 'Kanäle, die gelöscht wurden' })}. ${others.length === 0 ? 'Er benachrichtigt niemanden.' : `Er benachrichtigt noch ${list(others)}.`}`,
    remove: (count) => (count === 1 ? 'Gelöschten Kanal entfernen' : 'Gelöschte Kanäle entfernen'),
    choose: 'Kanäle wählen',
    removed: (name) => `${name} nennt keine gelöschten Kanäle mehr`,
  },
  certificate: {
    subject: 'Ausgestellt für',
    issuer: 'Aussteller',
    expires: 'Läuft ab',
    grade: 'Note',
    fingerprint: 'SHA-256',
    left: (days) => `noch ${days}`,
    ago: (days) => `seit ${plural(days, { one: 'Tag', other: 'Tagen' })} abgelaufen`,
    problem: (where, message) => `${where}: ${message}`,
  },
  domain: {
    title: 'Domain',
    name: 'Name',
    expires: 'Registriert bis',
    registrar: 'Registriert bei',
    checked: 'Geprüft',
    asOf: 'Stand:',
    statuses: {
      pending: 'Picket hat die Registrierungsstelle noch nicht gefragt.',
      unsupported:
        'Die Registrierungsstelle dieser Endung bietet kein RDAP an, deshalb sieht Picket nicht, wann die Domain abläuft.',
      not_told: 'Die Registrierungsstelle gibt nicht an, wann die Domain abläuft.',
      not_registered: 'Die Registrierungsstelle gibt an, dass die Domain nicht registriert ist.',
      unreachable: 'Die Registrierungsstelle hat seit drei Tagen nicht geantwortet.',
    },
  },
  results: { older: 'Ältere Ergebnisse zeigen' },
  backtest: {
    title: 'Andere Einstellungen nachrechnen',
    short: 'Nachrechnen',
    lead: 'Picket spielt die gespeicherten Ergebnisse mit anderen Einstellungen durch. Nichts ändert sich, bis Sie sie übernehmen.',
    open: 'Andere Einstellungen ausprobieren',
    confirmations: 'Bestätigungen',
    majority: (count) => `${count} (Mehrheit)`,
    retries: 'Wiederholungen',
    interval: 'Intervall',
    period: 'Zeitraum',
    days: (count) => (count === 1 ? 'letzter Tag' : `letzte ${count} Tage`),
    same: 'Das sind die Einstellungen des Monitors.',
    nothing: 'In dieser Zeit gab es keine Vorfälle, und es hätte keine gegeben.',
    sentence: (settings, kept, all) =>
      `Mit ${settings} hätte es ${kept} ${all === 1 ? 'von diesem einen Vorfall' : `dieser ${all} Vorfälle`} gegeben.`,
    added: (count) => `Dazu ${plural(count, { one: 'zusätzlicher Vorfall', other: 'zusätzliche Vorfälle' })}.`,
    settings: (confirmations, retries, interval) =>
      `${plural(confirmations, { one: 'Bestätigung', other: 'Bestätigungen' })}, ${plural(retries, { one: 'Wiederholung', other: 'Wiederholungen' })} und einer Prüfung ${every(interval)}`,
    fate: { kept: 'bleibt', dropped: 'entfällt', added: 'neu' },
    columns: { start: 'Beginn', lasted: 'Dauer', fate: 'Mit diesen Einstellungen' },
    still: 'dauert an',
    use: 'Diese Einstellungen übernehmen',
    used: (name) => `Geändert, wann ${name} alarmiert`,
    read: (results) => `${results} gespeicherte Ergebnisse durchgespielt.`,
    notes: 'Was dabei fehlt',
    running: 'Wird durchgespielt',
  },
};
