import { list, plural } from '../../../../texts/format.ts';

export const en = {
  edit: 'Edit',
  sections: 'On this page',
  paused: (name: string) => `Paused ${name}`,
  resumed: (name: string) => `Resumed ${name}`,
  deleted: (name: string) => `Deleted ${name}`,
  notDeleted: (name: string, isUncertain: boolean) =>
    isUncertain ? `${name} may not have been deleted.` : `${name} was not deleted.`,
  deleteForGood:
    'Its settings and its history are deleted. This cannot be undone: the workspace already keeps as much for undoing as it can, or has made all changes that can be undone today.',
  checking: (count: number) => `Checking from ${plural(count, { one: 'location', other: 'locations' })}.`,
  why: {
    failing: (failing: number, all: number, error: string) =>
      `${failing} of ${plural(all, { one: 'location', other: 'locations' })} ${failing === 1 ? 'reports' : 'report'} ${error}`,
    where: (where: readonly string[]) => ` (${list(where)})`,
    needed: (count: number) => `${count} ${count === 1 ? 'is' : 'are'} needed for an incident`,
    open: 'Why?',
  },
  response: {
    title: 'Response time by location',
    unit: 'ms',
    ranges: 'Range',
    range: { '1h': '1 h', '6h': '6 h', '24h': '24 h', '7d': '7 d', '30d': '30 d', '90d': '90 d' },
    note: (resolution: string) => `Averages of ${resolution} of the checks that succeeded. Bands are incidents.`,
    raw: 'The checks that succeeded. Bands are incidents.',
    resolutions: { '1m': 'one minute', '5m': 'five minutes', '1h': 'one hour' } as Record<string, string>,
  },
  days: {
    title: 'Uptime by day, last 90 days',
    day: (uptime: string, observed: string) => `${uptime} · ${observed} observed`,
    none: 'not observed',
    ago: '90 days ago',
    today: 'Today',
    sentence: (clean: number, bad: number, missing: number) =>
      [
        `${plural(clean, { one: 'day', other: 'days' })} without an outage`,
        ...(bad === 0 ? [] : [`${plural(bad, { one: 'day', other: 'days' })} with one`]),
        ...(missing === 0 ? [] : [`${plural(missing, { one: 'day', other: 'days' })} not observed`]),
      ].join(', '),
    columns: { day: 'Day', uptime: 'Uptime', observed: 'Observed' },
    showTable: 'Show as table',
    hideTable: 'Hide the table',
    hint: 'Left and right arrow keys read the days. The table has all of them.',
  },
  locations: {
    checked: (ago: string) => `checked ${ago} ago`,
    never: 'not checked yet',
  },
  channels: {
    nobody: 'nobody',
    gone: (count: number) => plural(count, { one: 'deleted channel', other: 'deleted channels' }),
    deleted: (count: number, others: readonly string[]) =>
      `This monitor names ${plural(count, { one: 'channel that was', other: 'channels that were' })} deleted. ${others.length === 0 ? 'It notifies nobody.' : `It still notifies ${list(others)}.`}`,
    remove: (count: number): string => (count === 1 ? 'Remove the deleted channel' : 'Remove the deleted channels'),
    choose: 'Choose channels',
    removed: (name: string) => `${name} does not name deleted channels any more`,
  },
  certificate: {
    subject: 'Issued to',
    issuer: 'Issuer',
    expires: 'Expires',
    grade: 'Grade',
    fingerprint: 'SHA-256',
    left: (days: string) => `${days} left`,
    ago: (days: number) => `expired ${plural(days, { one: 'day', other: 'days' })} ago`,
    problem: (where: string, message: string) => `${where}: ${message}`,
  },
  domain: {
    title: 'Domain',
    name: 'Name',
    expires: 'Registered until',
    registrar: 'Registrar',
    checked: 'Checked',
    asOf: 'as of',
    statuses: {
      pending: 'Picket has not asked the registry yet.',
      unsupported: 'The registry of this suffix offers no RDAP, so Picket cannot see when the domain expires.',
      not_told: 'The registry does not say when the domain expires.',
      not_registered: 'The registry says that the domain is not registered.',
      unreachable: 'The registry has not answered for three days.',
    },
  },
  results: { older: 'Show older results' },
  backtest: {
    title: 'Backtest other settings',
    short: 'Backtest',
    lead: 'Picket replays the stored results with other settings. Nothing changes until you use them.',
    open: 'Try other settings',
    confirmations: 'Confirmations',
    majority: (count: number) => `${count} (majority)`,
    retries: 'Retries',
    interval: 'Interval',
    period: 'Replayed time',
    days: (count: number) => `last ${plural(count, { one: 'day', other: 'days' })}`,
    same: 'These are the settings of the monitor.',
    nothing: 'There were no incidents in this time, and there would have been none.',
    sentence: (settings: string, kept: number, all: number) =>
      `With ${settings} you would have had ${kept} of these ${plural(all, { one: 'incident', other: 'incidents' })}.`,
    added: (count: number) =>
      `There would have been ${plural(count, { one: 'additional incident', other: 'additional incidents' })}.`,
    settings: (confirmations: number, retries: number, interval: string) =>
      `${plural(confirmations, { one: 'confirmation', other: 'confirmations' })}, ${plural(retries, { one: 'retry', other: 'retries' })} and a check every ${interval}`,
    fate: { kept: 'kept', dropped: 'dropped', added: 'new' },
    columns: { start: 'Start', lasted: 'Lasted', fate: 'With these settings' },
    still: 'ongoing',
    use: 'Use these settings',
    used: (name: string) => `Changed when ${name} alerts`,
    read: (results: string) => `${results} stored results replayed.`,
    notes: 'What the replay leaves out',
    running: 'Replaying',
  },
};
