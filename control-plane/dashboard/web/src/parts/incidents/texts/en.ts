import { plural } from '../../../texts/format.ts';

const NOTIFIED: Readonly<Record<string, string>> = {
  opened: 'opened',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
};

/** `reminder#3` is the third reminder. */
const notifiedOf = (event: string): string => NOTIFIED[event] ?? `reminder ${event.replace(/^.*#/, '')}`;

export const en = {
  text: 'Filter by name or message',
  severity: 'Severity',
  kind: 'Kind',
  any: 'All',
  severities: { critical: 'Critical', warning: 'Warning', info: 'Info' },
  kinds: {
    monitor: 'Monitor down',
    certificate: 'Certificate',
    server: 'Server',
    blacklist: 'Blacklist',
    email: 'E-mail score',
    domain: 'Domain',
    location: 'Location',
  } as Record<string, string>,
  noMatch: 'No incident matches this filter.',
  clear: 'Clear the filter',
  searchedTo: (time: string) => `Searched back to ${time}. Older incidents have not been searched yet.`,
  searchOlder: 'Search older incidents',
  end: 'How it ended',
  recoveredFrom: (where: string) => `The checks succeeded again from ${where}.`,
  resolution: {
    recovered: 'Picket no longer detects the problem.',
    manual: 'A person resolved it.',
    paused: 'It ended because the monitor or server was paused.',
    deleted: 'It ended because the monitor or server was deleted, or no monitor is of the domain any more.',
    superseded: 'Another incident of the same monitor or domain replaced it.',
    gone: 'The device or list does not exist any more.',
    rule_deleted: 'The alert rule was deleted.',
    rule_disabled: 'The alert rule was turned off.',
    rule_changed: 'The alert rule was changed and no longer applies.',
    server_changed: 'The server was changed and the alert rule no longer applies.',
    policy_only: 'Only a policy listing remains, which needs no action.',
    not_told: 'The registry no longer says when the domain expires.',
  } as Record<string, string>,
  silenced: (at: string) => `Silenced since ${at}: no more notifications until it is resolved.`,
  silencedUntil: (until: string) =>
    `Silenced until ${until}. If the problem still exists then, it fires again and Picket notifies the channels.`,
  silencedByMaintenance: (name: string, until: string) =>
    `Silenced by the maintenance ${name} until ${until}. If the problem still exists then, it fires and Picket notifies the channels.`,
  /** Before the name of a monitor. */
  silentBecause: 'Silent because of',
  silentStates: {
    parent_down: '– it depends on that monitor, which is down. Picket notifies of that monitor only.',
    parent_recovered:
      '– it depends on that monitor, which has just recovered. It fires if it still fails after two minutes.',
    waiting: '– it depends on that monitor. Picket checks that monitor first.',
  },
  openParent: 'Open its incident',
  dependents: (total: number, down: number) =>
    `${plural(total, { one: 'monitor or server depends', other: 'monitors and servers depend' })} on it, ${down} of them down. Picket notifies of this monitor only.`,
  silence: 'Silence',
  silenceHelp: 'No notifications of this incident:',
  forTime: (lasted: string) => `For ${lasted}`,
  untilResolved: 'Until resolved',
  unsilence: 'End silence',
  unsilenceHelp: 'It fires again, and Picket notifies the channels unless it is acknowledged.',
  cause: {
    outage: (failing: number, of: number, error: string, hasOthers: boolean) =>
      `${failing} of ${plural(of, { one: 'location', other: 'locations' })} reported ${error}${hasOthers ? ', or another error' : ''}.`,
    down: (failing: number, of: number) =>
      `${failing} of ${plural(of, { one: 'location', other: 'locations' })} reported it as down.`,
    metric: (metric: string, value: string, since: string, operator: string, limit: string) =>
      `${metric}: ${value} since ${since}. Limit of the rule: ${operator} ${limit}.`,
    offline: (since: string) => `No sample from the agent of the server since ${since}.`,
    diskFilling: (mount: string, used: string, full: string) =>
      `${mount}: ${used} used, full ${full} at the rate when the incident opened.`,
    diskFull: (mount: string, used: string) => `${mount}: ${used} used.`,
    certificate: (day: string, issuer: string) =>
      `Expiry date of the certificate: ${day}.${issuer === '' ? '' : ` Issued by ${issuer}.`}`,
    listed: (blacklist: string, meanings: string) =>
      `Listed on ${blacklist}${meanings === '' ? '' : ` (${meanings})`}.`,
  },
  firingSince: (at: string, lasted: string) => `Firing since ${at} (${lasted}).`,
  openSince: (at: string, lasted: string) => `Open since ${at} (${lasted}).`,
  lastedFrom: (at: string, lasted: string) => `It lasted ${lasted}, from ${at}.`,
  measuredOnce: (rule: string, value: string, at: string) => `The rule “${rule}” measured ${value} at ${at}.`,
  measured: (rule: string, count: number, from: string, to: string, values: string, isPart: boolean) =>
    `The rule “${rule}” counted ${plural(count, { one: 'value', other: 'values' })} from ${from} to ${to}${isPart ? ', among them' : ':'} ${values}.`,
  before: {
    up: (at: string) => `It last succeeded ${at}.`,
    down: (at: string) => `It had failed, first ${at}.`,
  },
  comments: 'Comments',
  comment: 'Your comment',
  commentHelp: 'Comments cannot be changed or deleted.',
  sendComment: 'Add comment',
  commentsFailed: 'The comments could not be loaded.',
  noComments: 'No comments yet.',
  linkOf: (channel: string) => `A person with a link in the channel “${channel}”`,
  /** After "by". */
  byLinkOf: (channel: string) => `a person with a link in the channel “${channel}”`,
  personByLink: (person: string, channel: string) => `${person} (by a link in the channel “${channel}”)`,
  happened: {
    opened: 'The incident opened.',
    acknowledged: (who: string) => `${who} acknowledged it.`,
    maintenance: 'A maintenance window silenced it.',
    held: 'It is silent because of a monitor that it depends on.',
    silenced: (who: string) => `${who} silenced it until it is resolved.`,
    silencedUntil: (who: string, until: string) => `${who} silenced it until ${until}.`,
    silenceOver: 'The silence ended, and the problem still existed.',
    unsilenced: (who: string) => `${who} ended the silence.`,
    commented: (who: string) => `${who} commented.`,
    channelRemoved: (who: string) => `${who} deleted a channel of the incident. It is not notified any more.`,
    resolved: (who: string) => `${who} resolved it.`,
  },
  notified: (event: string) => notifiedOf(event),
  accepted: (at: string) => `Accepted ${at}.`,
  nextAttempt: (at: string) => `Next attempt ${at}.`,
  newestOf: (shown: number, all: number) => `The newest ${shown} of ${all} attempts:`,
  resolve: {
    title: 'Resolve this incident?',
    stillDown: (name: string) => `${name} is still down.`,
    stillWrong: (name: string) => `The problem of ${name} still exists.`,
    help: 'Resolving ends this incident. If the problem still exists after 10 minutes, a new incident opens and Picket notifies the channels again.',
    instead: 'If you only want no more notifications, silence it.',
    silence: 'Silence until resolved',
    anyway: 'Resolve anyway',
  },
  resolvedEarly: (name: string, from: string, lasted: string) =>
    `Incident of ${name} from ${from}, resolved by a person after ${lasted}`,
  whileDown: (who: string, at: string) =>
    `${who} resolved it ${at} while the monitor was still down. If it stays down, a new incident opens 10 minutes later.`,
  whileWrong: (who: string, at: string) =>
    `${who} resolved it ${at} while the problem still existed. If it stays, a new incident opens 10 minutes later.`,
  voteFailing: 'fails, not counted',
  byPerson: 'resolved by a person',
};
