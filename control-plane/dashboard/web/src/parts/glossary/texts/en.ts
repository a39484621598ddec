interface Term {
  term: string;
  /** Words between backticks are names of the API. */
  meaning: string;
}

/** docs/glossary.md has the same terms with the same meanings; a test compares them. */
export const en = {
  lead: 'The words that the pages and the API use, and what they mean.',
  terms: {
    monitor: { term: 'Monitor', meaning: 'What Picket checks: a URL, a TCP port or a host to ping' },
    address: {
      term: 'Address',
      meaning:
        'What a monitor checks (`url` in the API): a URL, `host:port` or a host name. Of a blacklist monitor: the IP address or the domain',
    },
    typeOfCheck: { term: 'Type of check', meaning: 'HTTP, TCP port or ping (`type`)' },
    interval: {
      term: 'Interval',
      meaning: 'The time between two checks of a monitor at one location (`interval_seconds`)',
    },
    location: { term: 'Location', meaning: 'A place from which monitors are checked, such as Frankfurt (`fra`)' },
    probe: { term: 'Probe', meaning: 'The program that runs the checks at a location' },
    retries: {
      term: 'Retries',
      meaning: 'How often a location repeats a failed check, 5 s apart, before its failure counts (`retries`)',
    },
    confirmations: {
      term: 'Confirmations',
      meaning:
        'How many locations must agree that a monitor is down before an incident opens (`confirmations`). Without a value, a majority',
    },
    vote: { term: 'Vote', meaning: 'What a location says of a monitor when Picket decides: up, down, or none' },
    up: { term: 'Up', meaning: 'Fewer locations than the confirmations report a failure' },
    degraded: { term: 'Degraded', meaning: 'Up, but at least one location reports a failure' },
    down: { term: 'Down', meaning: 'Enough locations agree that the monitor fails' },
    outage: { term: 'Outage', meaning: 'The time in which a monitor is down' },
    incident: {
      term: 'Incident',
      meaning:
        'The record of an outage or of another problem, from the decision until it is resolved. The API calls it `alert` in names of audit actions and scopes',
    },
    firing: { term: 'Firing', meaning: 'Said of an incident that is not resolved and not silenced' },
    acknowledge: {
      term: 'Acknowledge',
      meaning: 'To say that somebody works on an incident. Reminders and escalation stop',
    },
    silence: { term: 'Silence', meaning: 'To stop notifications of an incident for a time, or until it is resolved' },
    resolve: { term: 'Resolve', meaning: 'To end an incident. Picket does it when the problem is over' },
    alert: {
      term: 'Alert',
      meaning:
        'What Picket does when an incident opens: it notifies the channels. An alert rule says when servers, blacklists and backup jobs do that',
    },
    notification: { term: 'Notification', meaning: 'A message to a channel about an incident' },
    channel: { term: 'Channel', meaning: 'Where notifications go: e-mail, a chat, a webhook' },
    uptime: { term: 'Uptime', meaning: 'The part of the observed time in which a monitor was up' },
    observed: {
      term: 'Observed',
      meaning:
        'The part of a time for which Picket has results of checks (`coverage`). Pauses and times without a connected probe are not observed, and count neither as up nor as down',
    },
    maintenance_window: {
      term: 'Maintenance window',
      meaning: 'Planned work: incidents that open meanwhile notify nobody',
    },
    calendar_feed: {
      term: 'Calendar feed',
      meaning: 'An address at which calendar programs read the maintenance windows of a workspace',
    },
    left_out: {
      term: 'Left out',
      meaning:
        'Said of maintenance whose window does not count in uptime (`counts_in_uptime`): it is neither up nor down',
    },
    server: { term: 'Server', meaning: "A machine with Picket's agent" },
    agent: { term: 'Agent', meaning: 'The program that measures a server and sends a sample every ten seconds' },
    sample: { term: 'Sample', meaning: 'The values that an agent measured at one time' },
    metric: { term: 'Metric', meaning: 'What a sample has values of, such as the memory in use' },
    joinToken: {
      term: 'Join token',
      meaning: 'The secret with which a probe or an agent joins. The command that installs it contains it',
    },
    blacklistMonitor: {
      term: 'Blacklist monitor',
      meaning: 'An IP address or a domain that Picket looks up on blacklists',
    },
    backupJob: {
      term: 'Backup job',
      meaning: 'A backup, or another cron job, that must run on time and says so with a ping',
    },
    pingUrl: {
      term: 'Ping URL',
      meaning: 'The secret URL to which a backup job says that it began, ended or failed',
    },
    emailDomain: {
      term: 'E-mail domain',
      meaning: 'A domain whose settings for e-mail Picket checks daily',
    },
    securityScan: {
      term: 'Security scan',
      meaning: 'A look at the website of a monitor as everybody sees it, with findings and a score',
    },
    report: { term: 'Report', meaning: 'A PDF about a period, for a client of the workspace' },
    reportSchedule: {
      term: 'Report schedule',
      meaning: 'When Picket creates a report by itself, and to whom it sends it. Each time is an occurrence',
    },
    site: { term: 'Site', meaning: "A WordPress site with Picket's plugin" },
    siteCheck: {
      term: 'Check of a site',
      meaning: 'One of ten questions about how well a site is protected. It passes only if it was measured',
    },
    bulkChange: { term: 'Bulk change', meaning: 'One change of many monitors. It can be undone for 24 hours' },
    workspace: { term: 'Workspace', meaning: 'What a team shares: monitors, servers, channels, members and a plan' },
    operator: { term: 'Operator', meaning: 'Who runs this installation of Picket' },
    apiKey: { term: 'API key', meaning: 'What a program uses the API with' },
    forwarder: { term: 'Forwarder', meaning: 'What sends the audit log to a receiver of yours' },
  },
} satisfies { lead: string; terms: Record<string, Term> };
