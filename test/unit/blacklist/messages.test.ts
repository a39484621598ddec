import t from 'tap';
import type { ListingDecisionRecord } from '../../../control-plane/blacklist/rules/decision-record.js';
import { listingKind } from '../../../control-plane/blacklist/rules/incident-kind.js';
import { listingMessages, type NamedListing } from '../../../control-plane/blacklist/rules/messages.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createChannels } from '../../../control-plane/notifications/channels/all.js';
import type { RowEvent } from '../../../control-plane/notifications/documents.js';
import { incidentMessage, type Message } from '../../../control-plane/notifications/message.js';
import { systemClock } from '../../../kernel/clock.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { buildIncident } from '../../helpers/notifications/build.js';
import { allMembers } from '../../helpers/recipients/all-members.js';

const NOW = Date.UTC(2026, 0, 31, 3, 14, 2);
const HOUR = 3_600_000;
const LISTED: NamedListing = {
  ...{ target: 'mail.example.com', provider_name: 'Spamhaus ZEN', codes: ['127.0.0.2'], meanings: ['SBL'] },
  ...{ addresses: [], reason: 'https://lists.example/SBL1', delist_url: 'https://check.spamhaus.org/' },
};
const HOSTILE = `\u0000a\u001b[31mb\r\nBcc: evil@example.com\u202e <!channel> <script>alert(1)</script> @everyone [a](http://evil) **b** “so” ${'😀'.repeat(5_000)}`;

t.test('what people read of a listing', async (t) => {
  const listed = (over: Partial<NamedListing> = {}) => listingMessages.listed({ ...LISTED, ...over });
  t.equal(
    listed(),
    'mail.example.com is listed on Spamhaus ZEN (SBL): “https://lists.example/SBL1”. Delisting instructions: https://check.spamhaus.org/',
  );
  t.equal(
    listed({ meanings: [], reason: null, delist_url: null }),
    'mail.example.com is listed on Spamhaus ZEN (127.0.0.2).',
  );
  t.equal(
    listed({ meanings: [], codes: [], reason: ' \n ', delist_url: null }),
    'mail.example.com is listed on Spamhaus ZEN.',
  );
  const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'];
  t.match(listed({ addresses: addresses.slice(0, 1) }), '(SBL) with its address 192.0.2.1: “');
  t.match(listed({ addresses: addresses.slice(0, 2) }), 'with its addresses 192.0.2.1, 192.0.2.2: “');
  t.match(listed({ addresses }), 'with its addresses 192.0.2.1, 192.0.2.2, 192.0.2.3 and 2 more: “');
  t.equal(
    listingMessages.delisted({ ...LISTED, startedAtMs: NOW - 74 * HOUR, atMs: NOW }),
    'mail.example.com is no longer listed on Spamhaus ZEN after 3 d 2 h (2026-01-28 01:14 UTC to 2026-01-31 03:14 UTC).',
  );
});

t.test('the text of a list is quoted, of bounded length, on one line and in one direction', async (t) => {
  const text = listingMessages.listed({ ...LISTED, reason: HOSTILE, delist_url: null });
  t.notMatch(text, /\p{C}/u);
  t.ok(text.length < 500);
  t.match(
    text,
    /“a \[31mb Bcc: evil@example\.com <!channel> .* "so" 😀+…”\.$/u,
    'no half characters, one pair of quotes',
  );
  const long = { target: 'x'.repeat(250), provider_name: 'y'.repeat(300), meanings: Array(99).fill('SBL') };
  t.ok(listingMessages.listed({ ...LISTED, ...long, delist_url: null }).length < 650);
});

const decision: ListingDecisionRecord = {
  rule: { id: 'rule_1', name: 'Listed', version: 1, type: 'blacklist_listed', severity: 'warning' },
  other_rules: [],
  listing: {
    ...{ provider: 'spamhaus-zen', provider_name: 'Spamhaus ZEN', zone: 'zen.spamhaus.org', target: LISTED.target },
    ...{ addresses: ['192.0.2.1', '192.0.2.2'], codes: ['127.0.0.2', '127.0.0.4'], meanings: ['SBL', 'XBL'] },
    ...{ policy: false, reason: HOSTILE, delist_url: LISTED.delist_url },
    tested: true,
    first: { at_ms: NOW, codes: [], reason: null },
    confirmed: { at_ms: NOW + 5_000, codes: [], reason: null },
  },
  answer: null,
  reason: '',
  times: { listed_since_ms: NOW, evaluated_at_ms: NOW, opened_at_ms: NOW, recovered_at_ms: null },
};

function messageOf(event: RowEvent, over: Partial<IncidentDocument> = {}): Message {
  return incidentMessage({
    id: 'x',
    event,
    eventMs: NOW + 74 * HOUR,
    incident: buildIncident('ws_a', {
      ...{ kind: 'blacklist', subject: 'blacklist:blm_1:spamhaus-zen', monitor_id: null, monitor_name: null },
      resource: { type: 'blacklist_monitor', id: 'blm_1', name: LISTED.target },
      ...{ decision, started_at_ms: NOW, runbook_url: LISTED.delist_url },
      message: listingMessages.listed({ ...LISTED, reason: HOSTILE }),
      ...over,
    }),
    incidentKind: listingKind,
    sent: [],
    monitor: null,
    publicUrl: 'https://picket.example.com',
    actionLink: 'https://picket.example.com/on-call?t=token',
    locationName: (code) => code,
    renderIncident: ({ _id }) => ({ id: _id }),
  });
}

t.test('titles and facts that every channel shows', async (t) => {
  const opened = messageOf('opened');
  t.equal(opened.title, 'LISTED: mail.example.com on Spamhaus ZEN');
  t.equal(opened.source, 'mail.example.com');
  t.match(opened, { runbookLabel: 'Delisting instructions', runbookLink: 'https://check.spamhaus.org/' });
  t.same(opened.facts, [
    { label: 'Target', value: 'mail.example.com' },
    { label: 'List', value: 'Spamhaus ZEN (zen.spamhaus.org)' },
    { label: 'Listing', value: 'SBL, XBL: 127.0.0.2, 127.0.0.4' },
    { label: 'Addresses', value: '192.0.2.1, 192.0.2.2' },
    { label: 'Rule', value: 'Listed' },
    { label: 'Since', value: '2026-01-31 03:14:02 UTC' },
    { label: 'Severity', value: 'warning' },
    { label: 'Confirmed', value: '2026-01-31 03:14:07 UTC, by two lookups' },
  ]);
  t.equal(messageOf('reminder#1').title, 'STILL LISTED: mail.example.com on Spamhaus ZEN (for 3 d 2 h)');
  t.equal(messageOf('acknowledged').title, 'ACKNOWLEDGED: mail.example.com on Spamhaus ZEN');
  const ended = (resolution: string) => {
    const { title, facts } = messageOf('resolved', { resolution, status: 'resolved', resolved_at_ms: NOW + 74 * HOUR });
    return [title, facts.find(({ label }) => label === 'Resolution')?.value];
  };
  const after = 'RESOLVED: mail.example.com on Spamhaus ZEN (after 3 d 2 h)';
  const delisted = 'DELISTED: mail.example.com from Spamhaus ZEN (was listed 3 d 2 h)';
  t.same(ended('recovered'), [delisted, 'no longer listed']);
  t.same(ended('gone'), [after, 'Picket no longer checks the list']);
  t.same(ended('policy_only'), [after, 'only a policy listing remains']);
  t.same(ended('deleted'), [after, 'the blacklist monitor was deleted']);
  t.same(ended('rule_disabled'), [after, 'the alert rule was disabled']);
});

t.test('a hostile text of a list does no harm in any channel', async (t) => {
  const [receiver, mailbox] = await Promise.all([startReceiver(), startMailbox()]);
  const fetch = createGuardedFetch({ guard: createTargetGuard({ allowPrivate: true }), clock: systemClock });
  const channels = createChannels({
    fetch,
    endpoints: { telegram: receiver.url, pagerduty: receiver.url },
    userAgent: 'Picket',
    mail: { smtpUrl: mailbox.url, from: 'alerts@picket.test' },
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  t.teardown(async () => {
    await Promise.all(Object.values(channels).map((channel) => channel.close()));
    await Promise.all([fetch.close(), receiver.close(), mailbox.close()]);
  });
  const context = {
    attemptMs: Date.now(),
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    restartLimit: () => {},
    signingSecret: null,
    mail: {
      ...{ workspaceId: 'ws_a', reached: [] },
      sort: () => allMembers.sort('ws_a', ['ann@example.com']),
    },
  };
  const url = receiver.url;
  const sent = async (type: keyof typeof channels, config: Record<string, unknown>) => {
    t.match(await channels[type].send(config, messageOf('opened'), context), { kind: 'sent' }, type);
    return receiver.requests.at(-1)?.json;
  };
  const label = 'Delisting instructions';

  const slack = await sent('slack', { url });
  t.notMatch(JSON.stringify(slack), /<!channel>|<script>/);
  t.match(JSON.stringify(slack), label);
  const discord = await sent('discord', { url });
  t.same(discord.allowed_mentions, { parse: [] });
  t.notMatch(discord.embeds[0].description, /(?<!\\)[*_`[\]<>]/);
  t.equal(discord.embeds[0].fields.at(-1).name, label);
  const telegram: string = (await sent('telegram', { bot_token: '123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ', chat_id: '1' }))
    .text;
  t.same(
    telegram.match(/<\/?[a-z!][^>]*>/g)?.filter((tag) => !/^<\/?b>$|^<a href="https:\/\/|^<\/a>$/.test(tag)),
    [],
    'only our own tags',
  );
  t.match(telegram, `<a href="https://check.spamhaus.org/">${label}</a>`);
  t.match(JSON.stringify(await sent('msteams', { url })), label);
  const pagerduty = await sent('pagerduty', { routing_key: 'R0123456789ABCDEFGHIJKLMNOPQRSTU' });
  t.match(pagerduty, {
    links: [{}, {}, { text: label }],
    payload: { source: 'mail.example.com', severity: 'warning' },
  });
  t.match((await sent('ntfy', { url, topic: 'alerts' })).actions, [{}, {}, { label }]);

  await sent('email', { to: ['ann@example.com'] });
  const [mail] = await mailbox.arrived(1);
  const spoken = mail?.headers['subject']?.replace(/=E2=80=8C/g, '');
  t.match(spoken, /LISTED=3A_mail=2Eexample.*=2Ecom_on_Spamhaus_ZEN/, 'mail clients make no link of the name');
  t.equal(mail?.headers['bcc'], undefined);
  t.notMatch(mail?.parts['text/plain'], /^Bcc:/m);
  t.match(mail?.parts['text/plain'], `${label}: https://check.spamhaus.org/`);
  t.notMatch(mail?.parts['text/html'], /<script>|<!channel>/);
  t.match(mail?.parts['text/html'], '&lt;script&gt;');
});
