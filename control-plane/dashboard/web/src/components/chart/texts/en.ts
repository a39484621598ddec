import { plural } from '../../../texts/format.ts';

export const en = {
  hint: 'The left and right arrow keys read the values. Home and End go to the first and last value, Page up and Page down ten values on.',
  reset: 'Show the whole range',
  showTable: 'Show as table',
  hideTable: 'Hide the table',
  line: 'Line',
  time: 'Time',
  value: 'At cursor',
  last: 'Last',
  median: 'Median',
  p95: '95th percentile',
  p95Short: 'p95',
  others: (count: number) => `${plural(count, { one: 'other', other: 'others' })} (median)`,
  empty: 'There are no values in this range.',
  failed: 'The chart could not be loaded. The table has its values.',
  incident: (label: string) => `Incident: ${label}`,
  maintenance: (label: string) => `Maintenance: ${label}`,
  spoken: (time: string, values: string) => `${time}, ${values}`,
  noValue: 'no value',
  older: 'Show older values',
  events: 'In this time',
};
