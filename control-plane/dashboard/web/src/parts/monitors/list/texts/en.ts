import { number, plural } from '../../../../texts/format.ts';

const monitors = (count: number) => plural(count, { one: 'monitor', other: 'monitors' });
const windows = { '24h': '24 h', '30d': '30 days' };
const inWindow = { '24h': 'the last 24 hours', '30d': 'the last 30 days' };
const steps = (count: number, window: '24h' | '30d') =>
  plural(count, window === '24h' ? { one: 'hour', other: 'hours' } : { one: 'day', other: 'days' });

export const en = {
  title: 'Monitors',
  changes: 'History of changes',
  add: 'Add monitor',
  sentence: {
    down: (down: number, all: number) =>
      down === all && all > 1
        ? `All ${monitors(all)} are down.`
        : `${number(down)} of ${monitors(all)} ${down === 1 ? 'is' : 'are'} down.`,
    up: (all: number) => (all === 1 ? 'The monitor is up.' : `All ${monitors(all)} are up.`),
    mixed: (up: number, degraded: number, paused: number, waiting: number) =>
      [
        `${monitors(up)} up`,
        ...(degraded === 0
          ? []
          : [`${number(degraded)} of them ${degraded === 1 ? 'fails' : 'fail'} from some locations`]),
        ...(paused === 0 ? [] : [`${number(paused)} paused`]),
        ...(waiting === 0 ? [] : [`${number(waiting)} waiting for the first result`]),
      ].join(', '),
  },
  filter: 'Filter by name or address',
  tag: 'Tag',
  status: 'Status',
  type: 'Type of check',
  choices: (chosen: number) => (chosen === 0 ? 'Filter and sort' : `Filter and sort (${chosen})`),
  sort: 'Sort by',
  group: 'Group',
  window: 'Time',
  any: { status: 'Any status', tag: 'Any tag', type: 'Any type' },
  types: { http: 'HTTP', tcp: 'TCP port', ping: 'Ping' },
  sorts: {
    worst: 'Worst first',
    name: 'Name',
    response: 'Slowest first',
    uptime: 'Lowest uptime first',
    certificate: 'Certificate expiry',
  },
  groups: { none: 'Not grouped', tag: 'By tag' },
  windows,
  count: (shown: number) => monitors(shown),
  keys: 'Up and down or j and k move, Enter opens, x selects, left and right read the bars, / goes to the filter.',
  keysOfViewer: 'Up and down or j and k move, Enter opens, left and right read the bars, / goes to the filter.',
  bar: (name: string, time: string, uptime: string | null) =>
    `${name}, ${time}: ${uptime === null ? 'not observed' : `${uptime} up`}`,
  none: 'No monitor matches this filter.',
  clear: 'Clear the filter',
  columns: {
    name: 'Name',
    history: (window: '24h' | '30d') => `Last ${windows[window]}`,
    uptime: (window: '24h' | '30d') => `Uptime ${windows[window]}`,
    response: 'Response time',
    certificate: 'Certificate',
  },
  observed: (coverage: string) => `${coverage} observed`,
  nothingObserved: 'no figure yet',
  days: (count: number) => plural(count, { one: 'day', other: 'days' }),
  expired: 'expired',
  since: (time: string) => `since ${time}`,
  noTag: 'Without a tag',
  inGroup: (count: number, down: number) => (down === 0 ? monitors(count) : `${monitors(count)}, ${number(down)} down`),
  bars: (window: '24h' | '30d', { up, flawed, unobserved }: { up: number; flawed: number; unobserved: number }) =>
    [
      `In ${inWindow[window]}: ${steps(up, window)} without an outage`,
      ...(flawed === 0 ? [] : [`${steps(flawed, window)} with an outage`]),
      ...(unobserved === 0 ? [] : [`${steps(unobserved, window)} not observed`]),
    ].join(', '),
  line: (min: string, max: string, last: string) => `Response time ${min} to ${max}, latest ${last}`,
  select: (name: string) => `Select ${name}`,
  selectAll: (count: number) =>
    count === 1 ? 'Select the monitor that matches' : `Select all ${monitors(count)} that match`,
  selected: (count: number) => `${monitors(count)} selected`,
  unselect: 'Clear the selection',
  views: 'Views',
  viewName: 'Name of this view',
  viewHelp: 'Saves the filter, the order and the grouping. Views stay in this browser.',
  saveView: 'Save',
  removeView: (name: string) => `Remove the view ${name}`,
  noViews: 'No saved views yet.',
};
