import { number, plural } from '../../../../texts/format.ts';
import type { en } from './en.ts';

const monitors = (count: number) => plural(count, { one: 'Monitor', other: 'Monitore' });
const windows = { '24h': '24 Std.', '30d': '30 Tage' };
const inWindow = { '24h': 'den letzten 24 Stunden', '30d': 'den letzten 30 Tagen' };
const steps = (count: number, window: '24h' | '30d') =>
  plural(count, window === '24h' ? { one: 'Stunde', other: 'Stunden' } : { one: 'Tag', other: 'Tage' });

export const de: typeof en = {
  title: 'Monitore',
  add: 'Monitor hinzufügen',
  sentence: {
    down: (down, all) =>
      down === all && all > 1
        ? `Alle ${monitors(all)} sind ausgefallen.`
        : `${number(down)} von ${plural(all, { one: 'Monitor', other: 'Monitoren' })} ${down === 1 ? 'ist' : 'sind'} ausgefallen.`,
    up: (all) => (all === 1 ? 'Der Monitor ist verfügbar.' : `Alle ${monitors(all)} sind verfügbar.`),
    mixed: (up, paused, waiting) =>
      [
        `${monitors(up)} verfügbar`,
        ...(paused === 0 ? [] : [`${number(paused)} pausiert`]),
        ...(waiting === 0 ? [] : [`${number(waiting)} ohne erstes Ergebnis`]),
      ].join(', '),
  },
  filter: 'Nach Name oder Adresse filtern',
  tag: 'Tag',
  status: 'Status',
  type: 'Art',
  sort: 'Sortieren',
  group: 'Gruppieren',
  window: 'Zeitraum',
  any: { status: 'Jeder Status', tag: 'Jeder Tag', type: 'Jede Art' },
  types: { http: 'Webseite', tcp: 'Port', ping: 'Ping' },
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
  keys: 'Pfeiltasten oder j und k bewegen, Enter öffnet, x wählt aus, / führt zum Filter.',
  none: 'Kein Monitor passt zu diesem Filter.',
  clear: 'Filter entfernen',
  columns: {
    name: 'Name',
    uptime: (window) => `Verfügbarkeit ${windows[window]}`,
    response: 'Antwortzeit',
    certificate: 'Zertifikat',
  },
  observed: (coverage) => `${coverage} beobachtet`,
  nothingObserved: 'noch nicht beobachtet',
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
  selectAll: (count) => `Alle ${monitors(count)} auswählen, die passen`,
  selected: (count) => `${monitors(count)} ausgewählt`,
  unselect: 'Auswahl aufheben',
  views: 'Ansichten',
  viewName: 'Name dieser Ansicht',
  viewHelp: 'Speichert Filter, Reihenfolge und Gruppierung. Ansichten bleiben in diesem Browser.',
  saveView: 'Speichern',
  removeView: (name) => `Ansicht ${name} entfernen`,
  noViews: 'Noch keine gespeicherten Ansichten.',
};
