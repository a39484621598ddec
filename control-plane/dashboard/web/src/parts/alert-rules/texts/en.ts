import { duration, list, plural } from '../../../texts/format.ts';
import type { Unit } from '../metrics.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const days = (hours: number) =>
  hours % DAY_HOURS === 0 && hours > 0
    ? plural(hours / DAY_HOURS, { one: 'day', other: 'days' })
    : duration(hours * HOUR_MS);

export const en = {
  notFound: 'This alert rule does not exist. It may have been deleted.',
  toList: 'All alert rules',
  title: 'Alert rules',
  add: 'Add rule',
  addSentence: 'A rule opens an incident when servers or blacklists meet its condition, and resolves it afterwards.',
  none: 'No rule: servers and blacklists alert nobody. Monitors alert without rules.',
  count: (all: number, off: number) =>
    `${plural(all, { one: 'rule', other: 'rules' })}${off === 0 ? ', all on.' : `, ${off} of them off.`}`,
  empty:
    'Add one to get an alert when a server is offline or overloaded, a disk fills up, or an address is blacklisted.',
  off: 'off',
  turnOff: 'Turn off',
  turnOn: 'Turn on',
  turnedOff: (name: string) => `${name} is off. Its incidents are resolved.`,
  turnedOn: (name: string) => `${name} is on.`,
  isOn: 'The rule is on.',
  isOff: 'The rule is off and alerts nobody.',
  sentence: (condition: string, severity: string, notifies: string) => `When ${condition}: ${severity}, ${notifies}.`,
  metricCondition: (metric: string, is: string, forMs: number, server: string) =>
    `${metric} is ${is}${forMs === 0 ? '' : ` for ${duration(forMs)}`} on ${server}`,
  offlineCondition: (forMs: number, server: string) =>
    `${server} sends no samples${forMs === 0 ? '' : ` for more than ${duration(forMs)}`}`,
  diskCondition: (hours: number, server: string) => `a disk of ${server} will be full within ${days(hours)}`,
  blacklistCondition: (target: string) => `a blacklist lists ${target}`,
  backupCondition: (job: string) => `${job} is missed, fails, or makes a backup that is not as expected`,
  allServers: 'any server',
  onTags: (tags: string[]) => `a server tagged ${tags.length === 0 ? '…' : tags.join(' or ')}`,
  onServers: (names: string[]) => (names.length === 0 ? 'no server' : names.join(' or ')),
  allBackups: 'any backup job',
  ofBackups: (names: string[]) => (names.length === 0 ? 'no backup job' : names.join(' or ')),
  allBlacklists: 'any watched address or domain',
  ofTargets: (names: string[]) => (names.length === 0 ? 'no address or domain' : names.join(' or ')),
  notifiesAll: 'notifies all channels',
  notifies: (names: string[]) => `notifies ${list(names)}`,
  notifiesNobody: 'notifies nobody',
  deletedObject: 'something deleted',
  others: (count: number) => `${count} others`,
  name: 'Name',
  type: 'Type',
  types: {
    metric: 'Server metric beyond a threshold',
    server_offline: 'Server offline',
    disk_full: 'Disk filling up',
    blacklist_listed: 'Listed on a blacklist',
    backup_missed: 'Backup missed or failed',
    email_score_fell: 'E-mail score fell',
    domain_expiring: 'Domain expiring',
    wordpress_check_failed: 'WordPress check failed',
  },
  typeHelp: {
    metric:
      'Fires when every sample within the chosen duration is beyond the threshold; servers send one every ten seconds.',
    server_offline: 'Fires when the agent of a server has missed three samples.',
    disk_full: 'Fires when the trend of the last six hours fills a file system within the chosen time.',
    blacklist_listed: 'Fires when a blacklist lists an address or domain that you watch. Policy listings do not count.',
    backup_missed:
      'Fires when a backup job sends no ping in time, reports a failure, does not end, or makes a backup that its settings do not accept.',
    email_score_fell:
      'Fires when the score of an e-mail domain falls by 10 points or more, or when an area that passed fails in two consecutive checks.',
    domain_expiring:
      'Fires when the registration of a monitored domain expires in 30, 14, 7 or 3 days. The incident of the last 3 days is always critical.',
    wordpress_check_failed:
      'Fires when a check of a WordPress site that passed fails in two consecutive measurements of the plugin, or in one from outside.',
  },
  metric: 'Metric',
  device: 'Device (optional)',
  deviceHelp: {
    mount: 'For example /var. Empty: the fullest one.',
    block_device: 'For example sda. Empty: all together.',
    interface: 'For example eth0. Empty: all together.',
    core: 'The number of a CPU, for example 0. Empty: all together.',
  },
  operator: 'Is',
  threshold: (unit: Unit) =>
    ({
      percent: 'Percent',
      bytes: 'MB',
      bytes_per_second: 'MB per second',
      load: 'Load',
      count: 'Number',
      seconds: 'Seconds',
    })[unit],
  forMinutes: 'Duration (minutes)',
  offlineFor: 'Additional duration (minutes)',
  offlineForHelp: 'On top of the three missed samples. 0: at once.',
  withinHours: 'Full within (hours)',
  withinHoursHelp: 'Up to 168, a week.',
  which: { servers: 'Servers', blacklistMonitors: 'Addresses and domains', backupJobs: 'Backup jobs' },
  serverTargets: { all: 'All, including those added later', tags: 'Those with a tag', chosen: 'Chosen ones' },
  otherTargets: {
    blacklistMonitors: { all: 'All that are watched, including those added later', chosen: 'Chosen ones' },
    backupJobs: { all: 'All, including those added later', chosen: 'Chosen ones' },
  },
  emailCondition: 'When the score of an e-mail domain falls',
  domainCondition: 'When the registration of a monitored domain expires soon',
  wordpressCondition: 'When a check of a WordPress site that passed fails',
  tags: 'Tags',
  tagsHelp: 'Separated by commas. One of them is enough.',
  nothingToChoose: 'There is nothing to choose yet.',
  severity: 'Severity',
  severities: { critical: 'critical', warning: 'warning', info: 'info' },
  notify: 'Notifies',
  notifyKinds: { all: 'All channels', chosen: 'Chosen channels', none: 'Nobody: the incident is only shown here' },
  create: 'Add rule',
  created: (name: string) => `${name} is on.`,
  settings: 'Settings of the rule',
  save: 'Save',
  saved: (name: string) => `${name} is saved.`,
  delete: 'Delete',
  deleted: (name: string) => `${name} is deleted. Its incidents are resolved.`,
  restored: (name: string) => `${name} is back.`,
  notRestored: (name: string, isUncertain: boolean) =>
    `${name} ${isUncertain ? 'may not have been restored' : 'could not be restored'}. Undo tries again.`,
};
