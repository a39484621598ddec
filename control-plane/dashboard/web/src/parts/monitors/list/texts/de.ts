import { number, plural } from '../../../../texts/format.ts';
import type { en } from './en.ts';

const monitors = (count: number) => plural(count, { one: 'Monitor', other: 'Monitore' });
const windows = { '24h': '24 Std.', '30d': '30 Tage' };
const inWindow = { '24h': 'den letzten 24 Stunden', '30d': 'den letzten 30 Tagen' };
const steps = (count: number, window: '24h' | '30d') =>
  plural(count, window === '24h' ? { one: 'Stunde', other: 'Stunden' } : { one: 'Tag', other: 'Tage' });

export const de: typeof en = {
  title: 'Monitore',
  changes: 'Verlauf der Änderungen',
  add: 'Monitor hinzufügen',
  sentence: {
    down: (down, all) =>
      down === all && all > 1
        ? `Alle ${monitors(all)} sind ausgefallen.`
        : `${number(down)} von ${plural(all, { one: 'Monitor', other: 'Monitoren' })} ${down === 1 ? 'ist' : 'sind'} ausgefallen.`,
    up: (all) => (all === 1 ? 'Der Monitor ist verfügbar.' : `Alle ${monitors(all)} sind verfügbar.`),
    mixed: (up, degraded, paused, waiting) =>
      [
        `${monitors(up)} verfügbar`,
        ...(degraded === 0
          ? []
          : [`${number(degraded)} davon ${degraded === 1 ? 'schlägt' : 'schlagen'} von einigen Standorten fehl`]),
        ...(paused === 0 ? [] : [`${number(paused)} pausiert`]),
        ...(waiting === 0 ? [] : [`${number(waiting)} ohne erstes Ergebnis`]),
      ].join(', '),
  },
  filter: 'Nach Name oder Adresse filtern',
  tag: 'Tag',
  status: 'Status',
  type: 'Art der Prüfung',
  choices: (chosen) => (chosen === 0 ? 'Filtern und sortieren' : `Filtern und sortieren (${chosen})`),
  sort: 'Sortieren',
  group: 'Gruppieren',
  window: 'Zeitraum',
  any: { status: 'Jeder Status', tag: 'Jeder Tag', type: 'Jede Art' },
  types: { http: 'HTTP', tcp: 'TCP-Port', ping: 'Ping' },
  sorts: {
    worst: 'Schlechteste zuerst',
    name: 'Name',
    response: 'Langsamste zuerst',
    uptime: 'Niedrigste Verfügbarkeit zuerst',
    certificate: 'Ablauf des Zertifikats',
  },
  groups: { none: 'Nicht gruppiert', tag: 'Nach Tag' },
  windows,
  count: (shown) => monitors(shown),
  keys: 'Auf und ab oder j und k bewegen, Enter öffnet, x wählt aus, links und rechts lesen die Balken, / führt zum Filter.',
  keysOfViewer: 'Auf und ab oder j und k bewegen, Enter öffnet, links und rechts lesen die Balken, / führt zum Filter.',
  bar: (name, time, uptime) => `${name}, ${time}: ${uptime === null ? 'nicht beobachtet' : `${uptime} verfügbar`}`,
  none: 'Kein Monitor passt zu diesem Filter.',
  clear: 'Filter entfernen',
  columns: {
    name: 'Name',
    history: (window) => `Letzte ${windows[window]}`,
    uptime: (window) => `Verfügbarkeit ${windows[window]}`,
    response: 'Antwortzeit',
    certificate: 'Zertifikat',
  },
  observed: (coverage) => `${coverage} beobachtet`,
  nothingObserved: 'noch kein Wert',
  days: (count) => plural(count, { one: 'Tag', other: 'Tage' }),
  expired: 'abgelaufen',
  since: (time) => `seit ${time}`,
  noTag: 'Ohne Tag',
  inGroup: (count, down) => (down === 0 ? monitors(count) : `${monitors(count)}, ${number(down)} ausgefallen`),
  bars: (window, { up, flawed, unobserved }) =>
    [
      `In ${inWindow[window]}: ${steps(up, window)} ohne Ausfall`,
      ...(flawed === 0 ? [] : [`${steps(flawed, window)} mit Ausfall`]),
      ...(unobserved === 0 ? [] : [`${steps(unobserved, window)} nicht beobachtet`]),
    ].join(', '),
  line: (min, max, last) => `Antwortzeit ${min} bis ${max}, zuletzt ${last}`,
  select: (name) => `${name} auswählen`,
  selectAll: (count) =>
    count === 1 ? 'Den Monitor auswählen, der passt' : `Alle ${monitors(count)} auswählen, die passen`,
  selected: (count) => `${monitors(count)} ausgewählt`,
  unselect: 'Auswahl aufheben',
  views: 'Ansichten',
  viewName: 'Name dieser Ansicht',
  viewHelp: 'Speichert Filter, Reihenfolge und Gruppierung. Ansichten bleiben in diesem Browser.',
  saveView: 'Speichern',
  removeView: (name) => `Ansicht ${name} entfernen`,
  noViews: 'Noch keine gespeicherten Ansichten.',
};
