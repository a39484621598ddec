import { duration, list, milliseconds, number, plural } from '../format.ts';

const monitors = (count: number) => plural(count, { one: 'monitor', other: 'monitors' });
const locations = (count: number) => plural(count, { one: 'location', other: 'locations' });

/** Rows of a list of which only the first page is read. */
export interface Count {
  count: number;
  hasMore: boolean;
}

/** `3`, or `200+` if there are more. */
export const shown = ({ count, hasMore }: Count): string => `${number(count)}${hasMore ? '+' : ''}`;

/** The texts of the application. The German catalogue has the same entries, and the compiler checks it. */
export const en = {
  frame: {
    skip: 'Skip to the content',
    loading: 'Loading …',
    navigation: 'Main navigation',
    overview: 'Overview',
    monitors: 'Monitors',
    incidents: 'Incidents',
    servers: 'Servers',
    wordpress: 'WordPress',
    blacklists: 'Blacklists',
    reports: 'Reports',
    statusPages: 'Status pages',
    auditLog: 'Audit log',
    settings: 'Settings',
    more: 'More',
    search: 'Search',
    narrow: 'Collapse',
    widen: 'Expand',
    workspace: 'Workspace',
    createWorkspace: 'Create workspace',
    createWorkspaceText:
      'It starts on the Free plan, and you are its owner. You can switch between workspaces at any time.',
    workspaceName: 'Name',
    create: 'Create',
    firing: (count: number) => `${count} firing`,
    showPassword: 'Show password',
    account: 'Account',
    colours: 'Colours',
    light: 'Light',
    dark: 'Dark',
    system: 'System',
    language: 'Language',
    apiReference: 'API reference',
    glossary: 'Glossary',
    logOut: 'Log out',
    slow: 'Picket takes longer than usual to answer. The page appears as soon as it does.',
    version: (version: string) => `Picket ${version}`,
    unconfirmed: (email: string) =>
      `Confirm your e-mail address ${email} with the link in the e-mail from Picket. Until then, you cannot create API keys, passkeys, invitations or channels.`,
    unconfirmable: (email: string) =>
      `Your e-mail address ${email} is not confirmed. Until it is, you cannot create API keys, passkeys, invitations or channels. Picket sends no e-mail here. Ask the person who runs it for a link: the command “scripts/picket confirm-email” prints one.`,
    resend: 'Send the e-mail again',
    resent: 'The e-mail is on its way.',
    moreFiring: (count: number) => `more than ${count} firing`,
  },
  dialog: { cancel: 'Cancel' },
  toasts: {
    undo: 'Undo',
    close: 'Close the message',
    slow: 'Picket takes longer than usual. Your request is still under way.',
  },
  file: { choose: 'Choose file', none: 'No file chosen' },
  copy: { copy: 'Copy', copied: 'Copied' },
  settings: {
    navigation: 'Settings',
    groups: { workspace: 'Workspace', person: 'My account', operator: 'Operator' },
  },
  problem: {
    title: 'This could not be loaded',
    unreachable: 'Picket does not answer. The page tries again every few seconds.',
    unavailable:
      'Picket cannot read its database right now. Checks continue, and results are kept. The page tries again.',
    forbidden: 'Your role in this workspace does not include this. Ask an owner or an admin.',
    emailNotConfirmed: 'Confirm your e-mail address first. The note at the top of this page says how.',
    fields: 'Nothing was saved yet. Correct what is marked, then try again.',
    notConfirmed:
      'You did not confirm that it is you. Nothing was changed. Try again, and confirm with your password, a code or a passkey.',
    rateLimited: 'Too many requests in this minute. The page tries again by itself.',
    tryAgain: 'Try again',
    trying: 'Trying again …',
    look: 'Look in a new tab',
    loggedOut: 'Your session has ended. Log in again, then repeat it.',
    changedMeanwhile:
      'Somebody else changed this meanwhile. Nothing of yours was saved. Look at it again, then try again.',
    failed: (detail: string) => (detail === '' ? 'The request failed. Try again.' : detail),
    loadFailed: (requestId: string) =>
      `Picket failed to answer. The page tries again.${requestId === '' ? '' : ` If this stays so, tell your operator the number of the request: ${requestId}.`}`,
    action: {
      unreachable:
        'Picket did not answer, so this is probably not done. Once it answers again, check whether it was done. If not, try again.',
      answersAgain:
        'Picket answers again now. Before, it did not, so this is probably not done. Check whether it was done. If not, try again.',
      rateLimited: (wait: string) =>
        `Nothing was changed: there were too many requests in this minute. Try again in ${wait}.`,
      unavailable: (wait: string) =>
        `Picket cannot reach its database right now, so this is probably not done. Check in ${wait} whether it was done. If not, try again.`,
      failed: (requestId: string) =>
        `Picket failed while it did this, so this is probably not done. Check whether it was done. If not, try again.${requestId === '' ? '' : ` If this stays so, tell your operator the number of the request: ${requestId}.`}`,
    },
  },
  broken: {
    title: 'This page cannot be shown',
    text: 'Picket made a mistake while it drew the page. Load it again. If that does not help, tell the operator of this installation the address of the page.',
    reload: 'Load again',
  },
  notFound: {
    title: 'There is no such page',
    text: 'The address may be misspelt, or what it showed was deleted.',
    toOverview: 'To the overview',
    toList: (list: string) => `Open “${list}”`,
    elsewhere: 'Is it in another of your workspaces? Open that one:',
  },
  status: {
    up: 'up',
    degraded: 'degraded',
    down: 'down',
    paused: 'paused',
    unknown: 'unknown',
    no_probe: 'no probe',
    firing: 'firing',
    resolved: 'resolved',
    silenced: 'silenced',
    acknowledged: 'acknowledged',
    critical: 'critical',
    warning: 'warning',
    info: 'info',
  },
  overview: {
    title: 'Overview',
    allUp: (count: number) => (count === 1 ? 'The monitor is up.' : `All ${monitors(count)} are up.`),
    allUpButPaused: (up: number, paused: number) => `All is well: ${monitors(up)} up, ${paused} paused.`,
    oneDown: (name: string, since: string, lasted: string) => `${name} has been down since ${since} (${lasted}).`,
    manyDown: (count: number) => `${monitors(count)} are down.`,
    silenced: (count: number) => `${plural(count, { one: 'incident is', other: 'incidents are' })} silenced.`,
    otherProblem: (count: number) => `${plural(count, { one: 'incident', other: 'incidents' })} firing.`,
    allPaused: 'Every monitor is paused. Nothing is checked.',
    broken: 'Broken now',
    timeline: 'Last 24 hours',
    quiet: 'Nothing happened in the last 24 hours.',
    counts: { up: 'up', degraded: 'degraded', down: 'down', paused: 'paused', unknown: 'not checked yet' },
    since: (lasted: string) => `for ${lasted}`,
    more: (count: number) => `and ${count} more`,
    together: {
      monitors: (count: Count) => `${shown(count)} monitors`,
      down: 'Down together.',
    },
    reported: (error: string) => `The locations reported ${error}.`,
    onlyRecords: 'The newest entries are log-ins and other records, which are not shown here.',
    andMore: 'And more:',
    allIncidents: 'all incidents',
    someWaiting: (up: number, all: number, waiting: number, paused: number) =>
      all === 1
        ? 'The monitor waits for its first result.'
        : `${up} of ${monitors(all)} ${up === 1 ? 'is' : 'are'} up, ${waiting} ${waiting === 1 ? 'waits for its' : 'wait for their'} first result${paused === 0 ? '' : `, ${paused} paused`}.`,
    someDegraded: (up: number, degraded: number, paused: number) =>
      `${up === 1 ? 'The monitor is up, but it fails' : `${monitors(up)} are up, but ${degraded} of them ${degraded === 1 ? 'fails' : 'fail'}`} from some locations${paused === 0 ? '' : `; ${paused} paused`}.`,
    servers: (all: number, offline: Count) =>
      offline.count > 0
        ? all === 1
          ? 'The server is offline.'
          : `${shown(offline)} of ${plural(all, { one: 'server', other: 'servers' })} ${offline.count === 1 ? 'is' : 'are'} offline.`
        : all === 1
          ? 'The server is online.'
          : `All ${plural(all, { one: 'server', other: 'servers' })} are online.`,
    targets: (all: number, listed: Count, unknown: Count) =>
      listed.count > 0
        ? all === 1
          ? 'The address is on a blacklist.'
          : `${shown(listed)} of ${plural(all, { one: 'address', other: 'addresses' })} ${listed.count === 1 ? 'is' : 'are'} on a blacklist.`
        : unknown.count === 0
          ? 'No address is on a blacklist.'
          : unknown.count >= all
            ? `It is not known whether ${plural(all, { one: 'address is', other: 'addresses are' })} on a blacklist.`
            : `As far as is known, no address is on a blacklist; nothing is known of ${shown(unknown)}.`,
    allMonitors: 'All monitors',
    filling: {
      title: 'Disks that fill up',
      fullIn: (left: string) => `full in ${left}`,
      sentence: (count: number) =>
        `${plural(count, { one: 'server has', other: 'servers have' })} a disk that will be full within 24 hours.`,
    },
    watched: 'What is watched',
    monitorCount: (count: number) => monitors(count),
    noMonitors: 'No monitors yet.',
    uptime: (uptime: string, coverage: string) => `Uptime of 30 days: ${uptime} (${coverage} observed)`,
    serverCount: (count: number) => plural(count, { one: 'server', other: 'servers' }),
    offline: (offline: Count) => (offline.count === 0 ? 'none offline' : `${shown(offline)} offline`),
    targetCount: (count: number) =>
      plural(count, { one: 'address checked on blacklists', other: 'addresses checked on blacklists' }),
    listed: (listed: Count) => (listed.count === 0 ? 'none listed' : `${shown(listed)} listed`),
    unknown: (targets: Count) => `${shown(targets)} unknown`,
  },
  watch: {
    title: 'What should we watch?',
    lead: 'A web page, a port or a machine. Picket checks it from several locations and alerts you when enough of them agree that it is down.',
    target: 'Address',
    placeholder: 'https://shop.example, db.example:5432 or 203.0.113.7',
    suggest: 'Continue',
    nothing: 'Enter an address, for example https://shop.example.',
    badPort: 'The port must be a number from 1 to 65535.',
    badAddress: 'This is not a URL, host:port or host name. Check it for spaces and typing errors.',
    name: 'Name',
    type: 'Type of check',
    types: { http: 'HTTP', tcp: 'TCP port', ping: 'Ping' },
    typeHelp: {
      http: 'Loads the page and expects status 200.',
      tcp: 'Connects to the port.',
      ping: 'Sends ICMP echo requests.',
    },
    certificateToo: 'The certificate is checked too.',
    interval: 'Interval',
    create: 'Watch it',
    change: 'Change the address',
    checking: (name: string, answered: number, all: number) =>
      `Checking ${name}: ${answered} of ${locations(all)} answered.`,
    isUp: (name: string, up: number, all: number) =>
      up === all
        ? `${name} is up from ${all === 1 ? '1 location' : `all ${locations(all)}`}.`
        : `${name} is up from ${up} of ${locations(all)}.`,
    isDown: (name: string, down: number, all: number) =>
      `${name} does not answer as expected from ${down} of ${locations(all)}. Picket keeps checking and opens an incident when enough locations agree.`,
    created: 'The monitor is saved and is checked from now on.',
    open: 'Open the monitor',
    another: 'Watch something else',
    remove: 'Remove it again',
    viewerOnly: 'Your role may not add monitors. Ask a member of the workspace.',
  },
  monitors: {
    days: (count: number) => plural(count, { one: 'day', other: 'days' }),
  },
  monitor: {
    notFound: 'This monitor does not exist. It may have been deleted.',
    sentence: {
      up: (since: string, lasted: string) => `Up since ${since} (${lasted}).`,
      down: (since: string, lasted: string) => `Down since ${since} (${lasted}).`,
      paused: (since: string) => `Paused since ${since}. Nothing is checked until it is resumed.`,
      unknown: 'Waiting for the first result.',
    },
    checked: (ago: string, every: string, locations: number) =>
      `Checked ${ago} ago, every ${every} from ${plural(locations, { one: 'location', other: 'locations' })}.`,
    checkNow: 'Check now',
    pause: 'Pause',
    resume: 'Resume',
    delete: 'Delete',
    deleteTitle: (name: string) => `Delete ${name}?`,
    uptime: 'Uptime',
    windows: { '24h': '24 hours', '7d': '7 days', '30d': '30 days' },
    observed: (coverage: string) => `${coverage} observed`,
    leftOut: (time: string) => `${time} of planned maintenance left out`,
    leftOutHelp:
      'This maintenance does not count in uptime, as its window says: it is neither up nor down. It was observed all the same.',
    observedHelp:
      'Observed is the part of the time for which Picket has results of checks. The time before the monitor was added, pauses, and times without a connected probe count neither as up nor as down.',
    noUptime: 'no figure yet',
    locations: 'Locations',
    response: 'Response time',
    median: 'median of the locations',
    certificate: 'Certificate',
    incidents: 'Incidents',
    noIncidents: 'No incidents.',
    results: 'Latest results',
    noResults: 'No results yet.',
    columns: { time: 'Time', location: 'Location', result: 'Result', response: 'Response', phases: 'Phases' },
    phases: { dns_ms: 'DNS', connect_ms: 'connect', tls_ms: 'TLS', ttfb_ms: 'first byte', transfer_ms: 'transfer' },
    retried: 'retried',
    settings: 'Settings',
    limited: 'The plan limits this monitor: it is checked less often or from fewer locations than set.',
    labels: {
      type: 'Type of check',
      url: 'Address',
      interval: 'Interval',
      timeout: 'Timeout',
      locations: 'Locations',
      confirmations: 'Confirmations',
      retries: 'Retries',
      method: 'Method',
      status: 'Expected status',
      keyword: 'Response must contain',
      keywordAbsent: 'Response must not contain',
      tags: 'Tags',
      runbook: 'Runbook',
      channels: 'Notifies',
      created: 'Created',
    },
    majority: 'majority of the locations',
    allChannels: 'every channel',
    channelCount: (count: number) => plural(count, { one: 'channel', other: 'channels' }),
  },
  incidents: {
    title: 'Incidents',
    filter: 'Status',
    all: 'All',
    firing: 'Firing',
    resolved: 'Resolved',
    silenced: 'Silenced',
    noneFiring: 'No incident is firing.',
    countFiring: (count: number) => `${plural(count, { one: 'incident', other: 'incidents' })} firing.`,
    empty: 'No incidents. Picket opens one when enough locations agree that something is down.',
    more: 'Show older incidents',
    lasted: (time: string) => `lasted ${time}`,
    for: (time: string) => `for ${time}`,
    acknowledgedBy: (who: string) => `acknowledged by ${who}`,
    moreFiring: (count: number) => `More than ${plural(count, { one: 'incident', other: 'incidents' })} firing.`,
  },
  incident: {
    notFound: 'This incident does not exist. It may belong to another workspace.',
    toList: 'All incidents',
    isDown: (name: string, since: string, lasted: string) => `${name} has been down since ${since} (${lasted})`,
    wasDown: (name: string, from: string, lasted: string) => `${name} was down for ${lasted}, from ${from}`,
    acknowledge: 'Acknowledge',
    resolve: 'Resolve',
    acknowledged: (who: string, at: string) => `${who} acknowledged it ${at}. Reminders and escalation have stopped.`,
    openMonitor: 'Open the monitor',
    openObject: 'Open its page',
    runbook: 'Open the runbook',
    why: 'Why did this alert?',
    votes: 'Votes of the locations',
    timeline: 'Timeline',
    notifications: 'Notifications',
    noNotifications: 'No notification was sent.',
    sendStatus: {
      pending: 'on its way',
      sent: 'sent',
      failed: 'failed',
      skipped: 'skipped',
      unconfirmed: 'not confirmed',
    },
    record: 'Decision record as JSON',
    confirmedBy: (down: number, valid: number, needed: number) =>
      `${down} of ${plural(valid, { one: 'location', other: 'locations' })} had confirmed it when it was decided (${needed} needed).`,
    reported: (error: string, where: readonly string[]) => `${list(where)} reported ${error}.`,
    failingToo: (where: readonly string[], why: (count: number) => string) =>
      `${list(where)} failed too and ${why(where.length)}.`,
    notYet: {
      retrying: (count: number) => `${count === 1 ? 'was' : 'were'} still trying again`,
      doubted: () => 'did not count, because the network there may have caused it',
    },
    working: (where: readonly string[]) => `${list(where)} reported it as up.`,
    noVote: (where: string, reason: string) => `${where} did not count: ${reason}.`,
    retries: (count: number) =>
      `Each location tried again ${count === 1 ? 'once' : `${count} times`} before its failure counted.`,
    firstFailed: (at: string) => `The first check failed ${at}.`,
    confirmed: (at: string, later: string) => `The outage was confirmed ${at}, ${later} later.`,
    notified: (channel: string, at: string) => `The first notification (${channel}) was accepted ${at}.`,
    notCounted: {
      stale: 'its latest result was too old',
      no_result: 'it had no result yet',
      no_probe: 'no probe was connected',
      quarantined: 'the network of the location itself looked broken',
      late: 'its result arrived late',
      retrying: 'the location was still trying again',
      doubted: 'its own network may have caused the failure',
    },
    voteUp: (ms: number) => `up, ${milliseconds(ms)}`,
    voteDown: 'down',
    voteNone: 'no vote',
  },
  errors: {
    dns_failure: 'a DNS failure',
    connection_refused: '“connection refused”',
    connection_reset: 'a connection reset',
    connect_timeout: 'a connection timeout',
    tls_handshake: 'a failed TLS handshake',
    tls_untrusted: 'an untrusted certificate',
    tls_expired: 'an expired certificate',
    tls_name_mismatch: 'a certificate for another name',
    response_timeout: 'no response in time',
    status_mismatch: 'an unexpected HTTP status',
    keyword_missing: 'a missing keyword',
    keyword_present: 'a forbidden keyword',
    too_many_redirects: 'too many redirects',
    response_too_large: 'a response that is too large',
    blocked_target: 'a blocked address',
    packet_loss: 'packet loss',
    unreachable: 'an unreachable target',
    protocol_error: 'a protocol error',
  } as Record<string, string>,
  seconds: (count: number) => duration(count * 1_000),
};

export type Texts = typeof en;
