import { plural } from '../../../texts/format.ts';
import type { en } from './en.ts';

export const de: typeof en = {
  hint: 'Die Pfeiltasten nach links und rechts lesen die Werte vor. Pos1 und Ende gehen zum ersten und letzten Wert, Bild auf und Bild ab zehn Werte weiter.',
  reset: 'Ganzen Zeitraum zeigen',
  showTable: 'Als Tabelle zeigen',
  hideTable: 'Tabelle ausblenden',
  legend: (title) => `Legende: ${title}`,
  table: (title) => `Werte: ${title}`,
  line: 'Linie',
  time: 'Zeit',
  value: 'Am Cursor',
  last: 'Zuletzt',
  median: 'Median',
  p95: '95. Perzentil',
  p95Short: 'p95',
  others: (count) => `${plural(count, { one: 'weitere', other: 'weitere' })} (Median)`,
  empty: 'In diesem Zeitraum gibt es keine Werte.',
  failed: 'Das Diagramm konnte nicht geladen werden. Die Tabelle enthält seine Werte.',
  incident: (label) => `Vorfall: ${label}`,
  maintenance: (label) => `Wartung: ${label}`,
  spoken: (time, values) => `${time}, ${values}`,
  noValue: 'kein Wert',
  older: 'Ältere Werte zeigen',
  events: 'In dieser Zeit',
};
