import { number, plural } from '../../../../texts/format.ts';

const monitors = (count: number) => plural(count, { one: 'monitor', other: 'monitors' });
const windows = { '24h': '24 h', '30d': '30 days' };
const inWindow = { '24h': 'the last 24 hours', '30d': 'the last 30 days' };
const steps = (count: number, window: '24h' | '30d') =>
  plural(count, window === '24h' ? { one: 'hour', other: 'hours' } : { one: 'day', other: 'days' });

export const en = {
  title: 'Monitors',
  add: 'Add monitor',
  sentence: {
    down: (down: number, all: number) =>
      down === all && all > 1
        ? `All ${monitors(all)} are down.`
        : `${number(down)} of ${monitors(all)} ${down === 1 ? 'is' : 'are'} down.`,
    up: (all: number) => (all === 1 ? 'The monitor is up.' : `All ${monitors(all)} are up.`),
    mixed: (up: number, paused: number, waiting: number) =>
      [
        `${monitors(up)} up`,
        ...(paused === 0 ? [] : [`${number(paused)} paused`]),
        ...(waiting === 0 ? [] : [`${number(waiting)} waiting for the first result`]),
      ].join(', '),
  },
  filter: 'Filter by name or address',
  tag: 'Tag',
  status: 'Status',
  type: 'Type',
  sort: 'Sort by',
  group: 'Group',
  window: 'Time',
  any: { status: 'Any status', tag: 'Any tag', type: 'Any type' },
  types: { http: 'Web page', tcp: 'Port', ping: 'Ping' },
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
  keys: 'Arrow keys or j and k move, Enter opens, x selects, / goes to the filter.',
  none: 'No monitor matches this filter.',
  clear: 'Clear the filter',
  columns: {
    name: 'Name',
    uptime: (window: '24h' | '30d') => `Uptime ${windows[window]}`,
    response: 'Response time',
    certificate: 'Certificate',
  },
  observed: (coverage: string) => `${coverage} observed`,
  nothingObserved: 'not observed yet',
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
  selectAll: (count: number) => `Select all ${monitors(count)} that match`,
  selected: (count: number) => `${monitors(count)} selected`,
  unselect: 'Clear the selection',
  views: 'Views',
  viewName: 'Name of this view',
  viewHelp: 'Saves the filter, the order and the grouping. Views stay in this browser.',
  saveView: 'Save',
  removeView: (name: string) => `Remove the view ${name}`,
  noViews: 'No saved views yet.',
};
