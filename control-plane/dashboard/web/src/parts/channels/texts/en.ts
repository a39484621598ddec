import type { ChannelType } from '../../../api/types.ts';
import { duration, milliseconds, plural } from '../../../texts/format.ts';

const MINUTE_MS = 60_000;
const channels = (count: number) => plural(count, { one: 'channel', other: 'channels' });

interface FieldWords {
  label: string;
  help: string;
}

export const en = {
  notFound: 'This channel does not exist. It may have been deleted.',
  title: 'Channels',
  add: 'Add channel',
  addSentence: 'A channel is where Picket sends notifications.',
  none: 'No channel: an incident notifies nobody.',
  allOff: 'All channels are off: an incident notifies nobody.',
  count: (all: number, off: number) =>
    off === 0
      ? `${channels(all)}, all on. A monitor notifies all of them unless it names its own.`
      : `${off} of ${channels(all)} ${off === 1 ? 'is' : 'are'} off and ${off === 1 ? 'gets' : 'get'} no notifications.`,
  empty: 'Add one to get a message when something is down: by e-mail, in a chat, on your phone or to your own program.',
  emptyForViewer: 'Your role may not add channels. Ask an owner, an admin or a member.',
  on: 'on',
  off: 'off',
  fails: 'fails',
  failedCount: (count: number) =>
    count === 1
      ? 'The last message of 1 channel was not accepted.'
      : `The last messages of ${channels(count)} were not accepted.`,
  hasFailed: 'But its last message was not accepted: send a test.',
  noMail: (type: string) => `${type} (no mail server)`,
  noMailHelp:
    'This installation cannot send e-mail: it has no mail server. Its operator can set one up (PICKET_SMTP_URL).',
  offSince: 'Off since',
  unknownReason: 'no reason is known',
  isOn: (type: string) => `${type}. It is on.`,
  isOff: (type: string, reason: string) => `${type}. It is off and gets no notifications: ${reason}.`,
  when: (minutes: number) =>
    minutes === 0 ? 'notified at once' : `notified after ${duration(minutes * MINUTE_MS)} without acknowledgement`,
  repeats: (minutes: number) => `reminder every ${duration(minutes * MINUTE_MS)}`,
  lastDelivery: {
    sent: (at: string) => `The last notification was accepted ${at}.`,
    failed: (at: string) => `The last attempt to notify failed ${at}:`,
    skipped: (at: string) => `The last notification was not sent ${at}:`,
    unconfirmed: (at: string) => `The last notification reached nobody ${at}:`,
  },
  unconfirmed: 'Not confirmed',
  unconfirmedHelp:
    'These addresses are not of members of the workspace, and get nothing before somebody confirms with the link in the e-mail that Picket has sent there. An address that has stopped the e-mails is here too: it can resume them with the link in any earlier e-mail.',
  askAgain: 'Ask again',
  asked: 'The e-mail is on its way.',
  noDelivery: 'No notification yet.',
  lastTitle: 'Last notification',
  notified: 'Notified',
  reminders: 'Reminders',
  noReminders: 'none',
  type: 'Type',
  types: {
    email: 'E-mail',
    slack: 'Slack',
    discord: 'Discord',
    msteams: 'Microsoft Teams',
    telegram: 'Telegram',
    pagerduty: 'PagerDuty',
    webhook: 'Webhook',
    ntfy: 'ntfy',
  },
  typeHelp: {
    email:
      'Every address gets each notification. Replies of one incident are one thread. An address that is not a member’s gets an e-mail that asks first.',
    slack: 'Works with an incoming webhook of Slack, Mattermost or Rocket.Chat.',
    discord: 'Works with a webhook of a Discord channel: Channel settings, Integrations, Webhooks.',
    msteams: 'Works with the workflow “Post to a channel when a webhook request is received”.',
    telegram: 'Create a bot with @BotFather, add it to the chat, then enter both values.',
    pagerduty: 'Opens and resolves incidents with the Events API v2. Add the integration “Events API V2” to a service.',
    webhook: 'Sends JSON to your own program, signed as Standard Webhooks describe.',
    ntfy: 'Push notifications to phones, by ntfy.sh or a server of your own.',
  },
  secretFollows: 'You get the signing secret in the next step.',
  name: 'Name',
  nameHelp: 'What you call it, for example “On call”.',
  config: {
    email: { to: { label: 'E-mail addresses', help: 'One per line, at most 20.' } },
    slack: { url: { label: 'Webhook URL', help: 'In Slack: Apps, Incoming Webhooks.' } },
    discord: { url: { label: 'Webhook URL', help: 'It begins with https://discord.com/api/webhooks/.' } },
    msteams: { url: { label: 'Workflow URL', help: 'Teams shows it after the workflow is saved.' } },
    telegram: {
      bot_token: { label: 'Bot token', help: '@BotFather sends it when the bot is created.' },
      chat_id: { label: 'Chat', help: 'The ID of the chat, negative for a group, or the @name of a public channel.' },
    },
    pagerduty: { routing_key: { label: 'Integration key', help: 'In PagerDuty: the service, Integrations.' } },
    webhook: { url: { label: 'URL', help: 'Picket sends a POST request here.' } },
    ntfy: {
      url: { label: 'Server', help: 'The address of the ntfy server.' },
      topic: {
        label: 'Topic',
        help: 'Whoever knows the topic of a public server can read it: choose one that is hard to guess.',
      },
      token: { label: 'Access token', help: 'Only for a protected topic.' },
    },
  } as Record<ChannelType, Record<string, FieldWords>>,
  optional: (label: string) => `${label} (optional)`,
  keepSecret: (help: string, mask: string) => `${help} Stored: ${mask}. Leave empty to keep it.`,
  removeSecret: (label: string) => `Remove the stored value of “${label}”`,
  address: (place: number, problem: string) => `Address ${place}: ${problem}`,
  delay: 'Notify after (minutes)',
  delayHelp: '0: at once. Otherwise only if nobody has acknowledged the incident by then.',
  repeat: 'Remind every (minutes)',
  repeatHelp: 'Until somebody acknowledges. Empty: no reminders.',
  create: 'Add channel',
  created: 'The channel is saved and on.',
  secretTitle: 'Signing secret',
  secretHelp:
    'Your program verifies with it that a request comes from Picket. Copy it now: Picket does not show it again.',
  testHelp: 'Send a test to see whether a notification would arrive.',
  toList: 'All channels',
  settings: 'Settings of the channel',
  save: 'Save',
  saved: (name: string) => `${name} is saved.`,
  turnOff: 'Turn off',
  turnOn: 'Turn on',
  turnedOff: (name: string) => `${name} is off and gets no notifications.`,
  turnedOffSilent: (name: string) => `${name} is off. Some incidents now notify nobody.`,
  turnedOn: (name: string) => `${name} is on.`,
  sendTest: 'Send test',
  accepted: (type: string, code: number | null, ms: number) =>
    `${type} accepted the test message after ${milliseconds(ms)}${code === null ? '' : ` (status ${code})`}. If it does not arrive, look there.`,
  butRefused: (warning: string) => `Some recipients did not get it: ${warning}.`,
  skipped: (reason: string, isUnconfirmed: boolean) =>
    `Nothing was sent: ${reason}. ${isUnconfirmed ? 'Open the link in the e-mail that Picket sent to the owner, then send the test again.' : 'Ask the operator of this installation to set it up.'}`,
  reachedNobody: (reason: string) =>
    `Nobody got the test: ${reason}. Open the link in the e-mail that Picket has sent there, then send the test again.`,
  failed: (type: string, error: string) => `The test to ${type} failed: ${error}.`,
  advice: {
    credentials: 'The receiver does not accept the credentials. Enter the key, token or URL again.',
    gone: 'Check that the webhook still exists there, and enter its URL again.',
    redirect: 'Enter the address that it leads to: Picket follows no redirects.',
    limited: 'The receiver accepts only so many messages. Wait a minute, then send the test again.',
    request: 'The receiver did not accept the message. Check the settings of the channel.',
    receiver: 'The receiver has a problem of its own. Picket tries notifications again for 24 hours.',
    name: 'Check the address for typing errors.',
    connection: 'Check host and port, and whether the receiver is running and reachable from here.',
    certificate: 'The certificate of the receiver is not valid. Renew it, or check the host name.',
    blocked: 'This installation does not allow connections to that address. Ask its operator.',
    slow: 'The receiver did not answer in time. Check whether it is overloaded, then send the test again.',
    mail: 'Check the addresses. If they are right, ask the operator of this installation about its mail server.',
    other: 'Check the settings of the channel, then send the test again.',
  },
  links: 'Links in notifications',
  linksHelp:
    'A notification of a firing incident has a link with which its receivers acknowledge or silence it for 24 hours, without logging in.',
  revokeLinks: 'Revoke links',
  revokeLinksTitle: 'Revoke the links in all notifications so far?',
  revokeLinksText: 'No link that this channel has received works any more. Later notifications have new links.',
  linksRevoked: 'The links that this channel has received until now do not work any more.',
  delete: 'Delete',
  deleted: (name: string) => `${name} is deleted.`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'It gets no more notifications, including those waiting to be sent. This cannot be undone.',
  checkingMonitors: 'Looking for monitors that would notify nobody…',
  nobodySilent: 'No monitor depends on it alone: each one has another channel.',
  silent: (count: number) => `${plural(count, { one: 'monitor', other: 'monitors' })} would then notify nobody:`,
  goingOn: (count: number) =>
    `${plural(count, { one: 'other monitor names', other: 'other monitors name' })} it, and ${count === 1 ? 'notifies its' : 'notify their'} other channels:`,
  silentRules: (count: number) =>
    `${plural(count, { one: 'alert rule', other: 'alert rules' })} would then notify nobody:`,
  goingOnRules: (count: number) =>
    `${plural(count, { one: 'other alert rule names', other: 'other alert rules name' })} it, and ${count === 1 ? 'notifies its' : 'notify their'} other channels:`,
  removedFrom: 'Deleting it also removes it from all of them.',
  deleteUsed: 'Delete and remove from all',
  more: (count: number) => `and ${count} more`,
  firstMonitors: (count: number) => `Only the first ${count} monitors were checked.`,
};
