import { number, plural } from '../../../../texts/format.ts';

const schedules = (count: number) => plural(count, { one: 'report schedule', other: 'report schedules' });
const recipients = (count: number) => plural(count, { one: 'recipient', other: 'recipients' });

/** Which months have no report on a day that they do not have. */
const MISSING_DAYS: Readonly<Record<string, string>> = {
  29: 'In most years, February has no 29th, and Picket makes no report then. Choose the last day for a report in each month.',
  30: 'February has no 30th, and Picket makes no report then. Choose the last day for a report in each month.',
  31: 'February, April, June, September and November have no 31st, and Picket makes no report then. Choose the last day for a report in each month.',
};

/** The texts of report schedules. */
export const en = {
  title: 'Report schedules',
  add: 'Create schedule',
  addSentence: 'Picket makes the report again and again, and sends it by e-mail.',
  reports: 'Reports',
  none: 'There is no report schedule yet.',
  empty: 'A schedule makes a report every month or week, and sends it to your clients by e-mail.',
  count: (count: number) => `${schedules(count)}.`,
  bad: (count: number, all: number) =>
    all === 1
      ? 'The last report did not reach everybody.'
      : `The last report of ${number(count)} of ${schedules(all)} did not reach everybody.`,
  columns: { schedule: 'Schedule', when: 'When', next: 'Next report', last: 'Last report' },
  noTime: '–',
  monthly: (day: string, time: string) => `On day ${day} of each month at ${time}`,
  monthlyLast: (time: string) => `On the last day of each month at ${time}`,
  weekly: (weekday: string, time: string) => `Every ${weekday} at ${time}`,
  byCron: (cron: string) => `By the expression ${cron}`,
  missingDays: MISSING_DAYS,
  missingSome:
    'Some months do not have each of these days, and Picket makes no report then. L is the last day of each month.',
  next: (at: string) => `The next report is made ${at}.`,
  paused: 'Paused: no report is made.',
  never: 'No further report is made.',
  states: { active: 'active', paused: 'paused' },
  generating: 'being generated',
  outcomes: { skipped: 'nothing sent', failed: 'failed' },
  sentTo: (count: number) => `sent to ${recipients(count)}`,
  queuedFor: (count: number) => `on the way to ${recipients(count)}`,
  failedFor: (count: number) => `not delivered to ${recipients(count)}`,
  unconfirmedBy: (count: number) => `${number(count)} not confirmed`,
  unknownFor: (count: number) => `not known for ${recipients(count)}`,
  notFound: 'This report schedule does not exist. It may have been deleted.',
  toList: 'All report schedules',
  warned: 'What happens next',
  facts: {
    title: 'What is sent',
    when: 'When',
    timeZone: 'Time zone',
    period: 'Period',
    reportTitle: 'Title',
    client: 'Client',
    monitors: 'Monitors',
    recipients: 'Recipients',
    createdBy: 'Created by',
  },
  allMonitors: 'all',
  noMonitors: 'None any more: the chosen ones were deleted. The next report is not made.',
  someMonitors: (ids: number, tags: readonly string[]) =>
    [...(ids === 0 ? [] : [plural(ids, { one: 'chosen monitor', other: 'chosen monitors' })]), ...tags].join(', '),
  notConfirmed: 'not confirmed',
  unconfirmed: 'Not confirmed',
  unconfirmedHelp:
    'These addresses get no report before somebody confirms with the link in the e-mail that Picket has sent there. An address that has stopped the e-mails is here too: it can resume them with the link in any earlier e-mail.',
  noMailHelp:
    'This installation cannot send e-mail: it has no mail server. Its operator can set one up (PICKET_SMTP_URL).',
  runs: {
    title: 'History',
    none: 'No report was made yet.',
    older: 'Show older ones',
    about: 'About',
    missed: (count: number) =>
      `Picket was not running for ${plural(count, { one: 'earlier report', other: 'earlier reports' })}, which was not made.`,
    open: 'Open report',
    recipients: (count: number) => recipients(count),
    status: {
      queued: 'on the way',
      sent: 'sent',
      failed: 'not delivered',
      unconfirmed: 'not sent: not confirmed',
      unknown: 'not known',
    },
  },
  pause: 'Pause',
  resume: 'Resume',
  pausedNow: (name: string) => `${name} is paused.`,
  resumed: (name: string) => `${name} makes reports again.`,
  settings: 'Settings of the schedule',
  name: 'Name',
  nameHelp: 'Recipients do not see it.',
  when: 'When',
  kinds: { month: 'Every month', week: 'Every week', cron: 'By a cron expression' },
  day: 'Day of the month',
  lastDay: 'last day',
  weekday: 'Day of the week',
  time: 'Time',
  cron: 'Cron expression',
  cronHelp:
    'Minute, hour, day of the month, month, day of the week; at most once a day. 0 8 1 1,4,7,10 *: on the first day of each quarter at 08:00. L is the last day of a month.',
  timeZone: 'Time zone',
  timeZoneHelp: 'For example Europe/Berlin. The time above is on its clocks, and so are the days in the report.',
  preview: 'Next reports, in your time zone',
  period: 'Each report is about',
  periods: {
    previous_month: 'the month before',
    previous_quarter: 'the quarter before',
    previous_week: 'the week before, Monday to Sunday',
    last_30_days: 'the last 30 days',
    last_7_days: 'the last 7 days',
  },
  recipients: 'Recipients',
  recipientsHelp:
    'E-mail addresses, one per line, at most 20. An address that is not a member’s gets an e-mail that asks first.',
  address: (place: number, problem: string) => `Address ${number(place)}: ${problem}`,
  attach: 'The e-mail has',
  attachKinds: { pdf: 'the PDF', link: 'a link to the PDF' },
  attachHelp: {
    pdf: 'A link instead if it has more than 5 MiB.',
    link: 'It works for 30 days, for everybody who has it.',
  },
  report: 'The report',
  reportTitle: 'Title',
  client: 'Client',
  clientHelp: 'The name on the cover.',
  monitors: 'About',
  monitorKinds: { all: 'All monitors', chosen: 'Only monitors with these tags' },
  tags: 'Tags',
  tagsHelp: 'Separated by commas.',
  chosenByApi: (count: number) =>
    `And ${plural(count, { one: 'monitor', other: 'monitors' })} that were chosen with the API.`,
  create: 'Create schedule',
  created: (name: string) => `${name} is created.`,
  save: 'Save',
  saved: (name: string) => `${name} is saved.`,
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'Its history is deleted, and the links in its e-mails stop working. Its reports stay.',
  deleted: (name: string) => `${name} is deleted.`,
};
