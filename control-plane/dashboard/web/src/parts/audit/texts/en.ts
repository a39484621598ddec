import { number, plural } from '../../../texts/format.ts';
import { details } from './details-en.ts';
import { words } from './words-en.ts';

const DAY_S = 86_400;
const kept = (seconds: number) => plural(Math.round(seconds / DAY_S), { one: 'day', other: 'days' });

/** The texts of the audit log. */
export const en = {
  words,
  details,
  title: 'Audit log',
  sentence: (keptSeconds: number | null) =>
    keptSeconds === null
      ? 'Who changed what in this workspace, when and from where.'
      : `Who changed what in this workspace in the last ${kept(keptSeconds)}, when and from where.`,
  broken: 'Entries of this log were changed or deleted in the database.',
  brokenFound: 'A verification found the break at',
  brokenNext: 'Ask the operator of this installation which entries are affected.',
  filters: {
    actor: 'Who',
    actorPlaceholder: 'E-mail address, user id or “system”',
    action: 'What',
    anyAction: 'Everything',
    from: 'From',
    to: 'To',
  },
  clear: 'Clear the filter',
  empty: 'No entries yet. Picket records here who logs in and who changes what.',
  unknownAction: (action: string) =>
    `There is no action “${action}”. Choose another one under “What”, or show all actions.`,
  everyAction: 'Show all actions',
  noneMatches: 'No entry matches this filter.',
  more: 'Show older entries',
  system: 'Picket itself',
  byKey: (key: string, email: string) => `${email}, API key “${key}”`,
  byLink: (channel: string) => `A person with a link sent to ${channel}`,
  noAddress: 'without an address',
  differences: 'What was changed',
  field: 'Field',
  before: 'Before',
  after: 'After',
  value: 'value',
  nothing: 'nothing',
  yes: 'yes',
  no: 'no',
  facts: {
    time: 'When',
    actor: 'Who',
    resource: 'Object',
    address: 'IP address',
    userAgent: 'Program',
    request: 'Request id',
    action: 'Action',
    entry: 'Entry id',
    hash: 'Hash',
  },
  notSealed: 'Not sealed yet. This takes up to two seconds.',
  open: 'Open the object',
  onlyActor: 'Only entries of this person',
  onlyAction: 'Only entries like this',
  export: 'Export',
  exportAs: { csv: 'As CSV, for spreadsheets', json: 'As JSON, for verification' },
  exportHelp: 'All entries that match the filter, oldest first. A file without a filter can be verified.',
  exportNeedsPlan: 'Exports are part of the Enterprise plan.',
  plans: 'Compare plans',
  chain: {
    title: 'How can I tell that nobody changed the log?',
    how: 'Each entry contains a SHA-256 hash over its content and the hash of the entry before it. If an entry is changed or deleted in the database, the hashes after it no longer fit. Picket offers no way to change or delete entries, not even to operators.',
    verify: {
      lead: 'Picket can verify all sealed entries of this workspace now:',
      button: 'Verify',
      waiting: (wait: string) => `This workspace has had much verified just now. It goes on by itself in ${wait}.`,
      progress: (verified: number, total: number) => `${number(verified)} of ${number(total)} entries verified.`,
      intact: (count: number) =>
        count === 0
          ? 'The log is intact: it has no sealed entry yet.'
          : `The log is intact: ${plural(count, { one: 'entry', other: 'entries' })} verified, up to`,
      problems: {
        altered: 'The log was changed. The content of this entry differs from what was sealed:',
        broken: 'The log was changed. An entry is missing or was inserted before this one:',
        out_of_order: 'The log was changed. This entry is not in its place:',
        unsealed: 'The log was changed. This entry has lost its hash:',
        foreign: 'The log was changed. This entry belongs to another workspace:',
        truncated: 'The log was changed. Entries are missing after the last one:',
        miscounted: 'The log was changed. The number of entries is wrong. The last one is:',
        headless: 'The log was changed. The record of where it ends is missing. The last entry is:',
      },
      next: 'Tell the operator of this Picket, who can examine the database and its backups.',
    },
    file: 'Export the log as JSON without a filter. This command verifies the file on any computer with Picket, without a connection to this installation:',
    fileCommand: 'Command that verifies a file',
    operator:
      'On the server, this command verifies the logs of all workspaces. It also finds entries that are missing at the end:',
    operatorCommand: 'Command that verifies all logs',
  },
  forwarders: {
    title: 'Forwarders',
    none: 'No forwarder sends the audit log anywhere.',
    allWell: (count: number) => `${plural(count, { one: 'forwarder', other: 'forwarders' })}, all up to date.`,
    failing: (count: number) =>
      `${plural(count, { one: 'forwarder', other: 'forwarders' })} failing. Picket keeps trying, and no entry is lost.`,
    behind: (count: number) => `${plural(count, { one: 'forwarder is', other: 'forwarders are' })} catching up.`,
    paused: (count: number) => `${plural(count, { one: 'forwarder is', other: 'forwarders are' })} paused.`,
    purpose:
      'A forwarder sends every entry of the audit log to your SIEM or log store: by syslog, or as a signed webhook. It delivers in order, and resumes where it stopped.',
    needsPlan: 'Forwarding the audit log is part of the Enterprise plan.',
    onlyManagers: 'Owners and admins can add forwarders.',
    add: 'Add forwarder',
    edit: 'Edit',
    delete: 'Delete',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText:
      'Picket forgets how far it has sent the log. Entries that the receiver already has stay there. This cannot be undone.',
    pause: 'Pause',
    resume: 'Resume',
    test: 'Send test',
    testSent: (ms: string, status: number | null) =>
      status === null
        ? `The receiver accepted the test message after ${ms}.`
        : `The receiver answered HTTP ${status} after ${ms}.`,
    testFailed: (error: string) =>
      `The test failed: ${error} Check the address and the credentials, then send it again.`,
    created: (name: string) => `${name} sends new entries from now on.`,
    saved: (name: string) => `${name} is saved.`,
    deleted: (name: string) => `${name} is deleted.`,
    states: { active: 'active', paused: 'paused', failing: 'failing' },
    lag: 'Lag',
    upToDate: 'up to date',
    lagText: (events: number, age: string) =>
      `${plural(events, { one: 'entry', other: 'entries' })} behind, the oldest is ${age} old`,
    facts: {
      target: 'Address',
      format: 'Format',
      filter: 'Entries',
      delivered: 'Delivered',
      success: 'Last success',
      next: 'Next attempt',
    },
    allEntries: 'all',
    delivered: (count: number) => plural(count, { one: 'entry', other: 'entries' }),
    never: 'never',
    formats: { json: 'JSON', cef: 'CEF (ArcSight)', ocsf: 'OCSF' },
    severities: { info: 'info', warning: 'warning', critical: 'critical' },
    secret: 'Signing secret',
    secretText:
      'Verify the signature of each delivery with this secret. It is shown only now; Picket cannot show it again.',
    secretDone: 'I have stored it',
    form: {
      name: 'Name',
      nameHelp: 'Without a name, the host of the receiver is used.',
      type: 'How',
      types: {
        'syslog+tls': 'Syslog over TLS',
        'syslog+tcp': 'Syslog over TCP',
        'syslog+udp': 'Syslog over UDP',
        https: 'Webhook',
      },
      typeHelp: {
        'syslog+tls': 'RFC 5424, encrypted. The usual choice for a SIEM.',
        'syslog+tcp': 'RFC 5424, not encrypted: only inside your own network.',
        'syslog+udp': 'RFC 5424, not encrypted, and entries can be lost on the way.',
        https: 'Signed POST requests with several entries each.',
      } as Record<string, string>,
      address: 'Host and port',
      badAddress: 'Enter a host and a port, such as siem.example.com:6514.',
      badUrl: 'Enter a URL that begins with https://.',
      addressPlaceholder: 'siem.example.com:6514',
      url: 'URL',
      urlPlaceholder: 'https://siem.example.com/picket',
      format: 'Format',
      severity: 'Entries to send',
      auth: 'Authorization header',
      authHelp: 'For example “Bearer TOKEN”. Stored encrypted and never shown.',
      authKept: 'A value is stored. Leave this empty to keep it.',
      authRemove: 'Send no Authorization header any more',
      ca: 'Trusted certificates (PEM)',
      caHelp: 'Only if the receiver has a certificate of your own authority.',
      from: 'Send everything again since',
      fromHelp: 'Fills a gap: entries that the receiver already has are sent again. Leave it empty otherwise.',
      fromNew: 'Start with entries since',
      fromNewHelp: 'Leave it empty to start with new entries.',
      create: 'Add forwarder',
      save: 'Save',
      cancel: 'Cancel',
      noSeverity: 'Choose at least one.',
    },
  },
};
