import { Webhook } from 'standardwebhooks';
import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { foreignText } from '../../../control-plane/mail/foreign-text.js';
import type { ChannelType } from '../../../control-plane/notifications/channel-configs.js';
import { createChannels } from '../../../control-plane/notifications/channels/all.js';
import type { SendContext } from '../../../control-plane/notifications/channels/channel.js';
import type { RowEvent } from '../../../control-plane/notifications/documents.js';
import { incidentMessage, type Message } from '../../../control-plane/notifications/message.js';
import { systemClock } from '../../../kernel/clock.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { webhookSecret } from '../../../kernel/webhook-signature.js';
import { KINDS } from '../../helpers/incidents/kinds.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { buildIncident, RESOLVED } from '../../helpers/notifications/build.js';
import { allMembers } from '../../helpers/recipients/all-members.js';

const receiver = await startReceiver();
const mailbox = await startMailbox();
const fetch = createGuardedFetch({ guard: createTargetGuard({ allowPrivate: true }), clock: systemClock });
const channels = createChannels({
  fetch,
  endpoints: { telegram: receiver.url, pagerduty: receiver.url },
  userAgent: 'Picket/0.0.0 (+http://picket.test)',
  mail: { smtpUrl: mailbox.url, from: 'alerts@picket.test' },
  logger: createLogger({ name: 'test', level: 'silent' }),
});
t.teardown(async () => {
  await Promise.all(Object.values(channels).map((channel) => channel.close()));
  await Promise.all([fetch.close(), receiver.close(), mailbox.close()]);
});

const CONFIG: Record<ChannelType, Record<string, unknown>> = {
  email: { to: ['ann@example.com'] },
  slack: { url: `${receiver.url}/slack` },
  discord: { url: `${receiver.url}/discord` },
  msteams: { url: `${receiver.url}/msteams` },
  telegram: { bot_token: '123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ', chat_id: '-100123' },
  pagerduty: { routing_key: 'R0123456789ABCDEFGHIJKLMNOPQRSTU' },
  webhook: { url: `${receiver.url}/webhook` },
  ntfy: { url: receiver.url, topic: 'alerts', token: 'tk_1' },
};
const secret = webhookSecret(Buffer.alloc(32, 5));

/** Whole seconds, as in a `Date` header. */
const ATTEMPT_MS = Math.floor(Date.now() / 1_000) * 1_000;
/** As long as a real one. */
const ACTION_LINK = `https://picket.example.com/on-call?t=${'Aa0_'.repeat(24)}`;

function messageOf(event: RowEvent, over: Partial<IncidentDocument> = {}, more: Record<string, unknown> = {}): Message {
  const incident = buildIncident('ws_a', { _id: 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n', ...over });
  return incidentMessage({
    id: `${incident._id}:${event}:chn_a`,
    event,
    eventMs: Date.UTC(2026, 0, 31, 12, 0, 1),
    incident,
    incidentKind: KINDS.of(incident),
    sent: [],
    monitor: { id: 'mon_x', name: incident.monitor_name ?? '', url: 'https://shop.example.com/health', type: 'http' },
    publicUrl: 'https://picket.example.com',
    actionLink: ACTION_LINK,
    locationName: (code) => ({ fra: 'Frankfurt', nyc: 'New York', sin: 'Singapore', lon: 'London' })[code] ?? code,
    renderIncident: (one) => ({ id: one._id, status: one.status, message: one.message, ...more }),
  });
}

async function sent(type: ChannelType, message: Message, context: Partial<SendContext> = {}) {
  const outcome = await channels[type].send(CONFIG[type], message, {
    attemptMs: ATTEMPT_MS,
    timeoutMs: 600_000,
    signal: new AbortController().signal,
    restartLimit: () => {},
    signingSecret: type === 'webhook' ? secret : null,
    mail: { workspaceId: 'ws_a', reached: [], sort: () => allMembers.sort('ws_a', ['ann@example.com']) },
    ...context,
  });
  return { outcome, request: receiver.requests.at(-1) };
}

const LINK = 'https://picket.example.com/incidents/inc_01kf5e6q0h3v8r2m9x4t7c1z5n';
const MAIN_POINTS = [
  'DOWN: Shop',
  'Shop is down: 2 of 3 locations cannot reach it.',
  '2026-01-31 11:59:52 UTC',
  'Frankfurt (connection refused)',
  'https://shop.example.com/health',
];

t.test('the Standard Webhooks library verifies the signature of a webhook', async (t) => {
  const { outcome, request } = await sent('webhook', messageOf('opened'));
  t.match(outcome, { kind: 'sent', responseStatus: 200 });
  const verified = new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {});
  t.same(verified, {
    type: 'incident.opened',
    timestamp: '2026-01-31T12:00:01.000Z',
    data: {
      incident: { id: 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n', status: 'firing', message: MAIN_POINTS[1] },
      monitor: { id: 'mon_x', name: 'Shop', url: 'https://shop.example.com/health', type: 'http' },
      action_url: ACTION_LINK,
    },
  });
  t.match(request?.headers, {
    'webhook-id': 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n:opened:chn_a',
    'content-type': 'application/json',
    'user-agent': 'Picket/0.0.0 (+http://picket.test)',
  });
  t.throws(() => new Webhook(webhookSecret(Buffer.alloc(32, 6))).verify(request?.body ?? '', request?.headers ?? {}));
  const later = await sent('webhook', messageOf('opened'), { attemptMs: Date.now() + 60_000 });
  t.equal(later.request?.headers['webhook-id'], request?.headers['webhook-id'], 'the ID is the same in every attempt');
  t.equal(later.request?.body, request?.body, 'and so is the body');
  t.not(later.request?.headers['webhook-timestamp'], request?.headers['webhook-timestamp'], 'the timestamp is not');

  const large = messageOf('opened', {}, { events: 'e'.repeat(15_000), decision: 'd'.repeat(15_000) });
  const bounded = await sent('webhook', large);
  t.ok((bounded.request?.body.length ?? 0) <= 20_480);
  t.match(bounded.request?.json.data.incident, { id: 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n', decision: /^d+$/ });
  t.equal(bounded.request?.json.data.incident.events, undefined);
});

t.test('Slack gets blocks with the main points', async (t) => {
  const { request } = await sent('slack', messageOf('opened'));
  t.equal(request?.path, '/slack');
  t.same(request?.json, {
    text: 'DOWN: Shop. Shop is down: 2 of 3 locations cannot reach it.',
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: ':red_circle: *DOWN: Shop*\nShop is down: 2 of 3 locations cannot reach it.',
          verbatim: true,
        },
      },
      {
        type: 'section',
        fields: [
          { type: 'mrkdwn', text: '*Target*\nhttps://shop.example.com/health', verbatim: true },
          { type: 'mrkdwn', text: '*Since*\n2026-01-31 11:59:52 UTC', verbatim: true },
          { type: 'mrkdwn', text: '*Severity*\nwarning', verbatim: true },
          {
            type: 'mrkdwn',
            text: '*Failing from*\nFrankfurt (connection refused), New York (response timeout)',
            verbatim: true,
          },
          { type: 'mrkdwn', text: '*Working from*\nLondon', verbatim: true },
          { type: 'mrkdwn', text: '*No vote from*\nSingapore (no probe)', verbatim: true },
          { type: 'mrkdwn', text: '*Confirmed*\n2026-01-31 12:00:01 UTC, by 2 of 3 locations', verbatim: true },
        ],
      },
      {
        type: 'actions',
        elements: [
          { type: 'button', text: { type: 'plain_text', text: 'Acknowledge or silence' }, url: ACTION_LINK },
          { type: 'button', text: { type: 'plain_text', text: 'Open incident' }, url: LINK },
          { type: 'button', text: { type: 'plain_text', text: 'Runbook' }, url: 'https://wiki.example.com/shop' },
        ],
      },
    ],
  });
});

t.test('Discord gets one embed without mentions', async (t) => {
  const { request } = await sent('discord', messageOf('opened'));
  t.match(request?.json, {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: 'DOWN: Shop',
        description: 'Shop is down: 2 of 3 locations cannot reach it.',
        url: LINK,
        color: 0xd92d20,
        timestamp: '2026-01-31T12:00:01.000Z',
      },
    ],
  });
  const fields: { name: string; value: string }[] = request?.json.embeds[0].fields;
  t.match(fields[1], { name: 'Since', value: '2026-01-31 11:59:52 UTC' });
  t.match(fields.at(-2), { name: 'Acknowledge or silence', value: ACTION_LINK });
  t.match(fields.at(-1), { name: 'Runbook', value: 'https://wiki.example.com/shop' });
  const green = await sent('discord', messageOf('resolved', RESOLVED(Date.UTC(2026, 0, 31, 11, 59, 52))));
  t.match(green.request?.json.embeds[0], { title: 'UP: Shop (was down 3 min 20 s)', color: 0x17a34a });
});

t.test('Teams gets an adaptive card of plain text runs', async (t) => {
  const { request } = await sent('msteams', messageOf('opened'));
  const card = request?.json.attachments[0];
  t.equal(request?.json.type, 'message');
  t.equal(card.contentType, 'application/vnd.microsoft.card.adaptive');
  t.match(card.content, { type: 'AdaptiveCard', version: '1.4', fallbackText: 'DOWN: Shop' });
  const text = JSON.stringify(card.content.body);
  for (const point of MAIN_POINTS) t.ok(text.includes(point), point);
  t.notMatch(text, /"TextBlock"|"FactSet"/, 'text blocks and fact sets would interpret Markdown');
  t.same(
    card.content.actions.map((action: { url: string }) => action.url),
    [ACTION_LINK, LINK, 'https://wiki.example.com/shop'],
  );
});

t.test('Telegram gets HTML from the bot of the token', async (t) => {
  const { request } = await sent('telegram', messageOf('opened'));
  t.equal(request?.path, '/bot123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ/sendMessage');
  t.match(request?.json, { chat_id: '-100123', parse_mode: 'HTML', link_preview_options: { is_disabled: true } });
  t.equal(
    request?.json.text,
    [
      '🔴 <b>DOWN: Shop</b>',
      'Shop is down: 2 of 3 locations cannot reach it.',
      '',
      '<b>Target:</b> https://shop.example.com/health',
      '<b>Since:</b> 2026-01-31 11:59:52 UTC',
      '<b>Severity:</b> warning',
      '<b>Failing from:</b> Frankfurt (connection refused), New York (response timeout)',
      '<b>Working from:</b> London',
      '<b>No vote from:</b> Singapore (no probe)',
      '<b>Confirmed:</b> 2026-01-31 12:00:01 UTC, by 2 of 3 locations',
      '',
      `<a href="${ACTION_LINK}">Acknowledge or silence</a>`,
      `<a href="${LINK}">Open incident</a>`,
      '<a href="https://wiki.example.com/shop">Runbook</a>',
    ].join('\n'),
  );
});

t.test('PagerDuty gets trigger, acknowledge and resolve under one key', async (t) => {
  const opened = await sent('pagerduty', messageOf('opened', { severity: 'critical' }));
  t.equal(opened.request?.path, '/v2/enqueue');
  t.match(opened.request?.json, {
    routing_key: 'R0123456789ABCDEFGHIJKLMNOPQRSTU',
    event_action: 'trigger',
    dedup_key: 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n',
    client: 'Picket',
    client_url: LINK,
    links: [{ href: LINK }, { href: ACTION_LINK }, { href: 'https://wiki.example.com/shop' }],
    payload: {
      summary: 'DOWN: Shop. Shop is down: 2 of 3 locations cannot reach it.',
      source: 'https://shop.example.com/health',
      severity: 'critical',
      timestamp: '2026-01-31T12:00:01.000Z',
      custom_details: { Since: '2026-01-31 11:59:52 UTC', 'Failing from': /Frankfurt/ },
    },
  });
  for (const [event, action] of [
    ['acknowledged', 'acknowledge'],
    ['resolved', 'resolve'],
  ] as const) {
    const { request } = await sent('pagerduty', messageOf(event));
    t.same(request?.json, {
      routing_key: 'R0123456789ABCDEFGHIJKLMNOPQRSTU',
      event_action: action,
      dedup_key: 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n',
    });
  }
});

t.test('ntfy gets JSON at its root, with its token', async (t) => {
  const { request } = await sent('ntfy', messageOf('opened', { severity: 'critical' }));
  t.match(request, { path: '/', headers: { authorization: 'Bearer tk_1' } });
  t.match(request?.json, {
    topic: 'alerts',
    title: 'DOWN: Shop',
    priority: 5,
    tags: ['red_circle'],
    click: ACTION_LINK,
    actions: [
      { action: 'view', label: 'Acknowledge or silence', url: ACTION_LINK },
      { action: 'view', url: LINK },
      { action: 'view', label: 'Runbook' },
    ],
  });
  for (const point of MAIN_POINTS.slice(1)) t.ok(request?.json.message.includes(point), point);
  const resolved = await sent('ntfy', messageOf('resolved', RESOLVED(0)));
  t.match(resolved.request?.json, { priority: 3, tags: ['green_circle'] });
});

t.test('an e-mail belongs to a thread, is marked as automatic, and has the same ID in every attempt', async (t) => {
  await sent('email', messageOf('opened'));
  await sent('email', messageOf('opened'));
  await sent('email', messageOf('reminder#1'));
  await sent('email', messageOf('resolved', RESOLVED(Date.UTC(2026, 0, 31, 11, 59, 52))));
  const [opened, again, reminder, resolved] = await mailbox.arrived(4);
  const id = 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n';
  t.match(opened, {
    from: 'alerts@picket.test',
    to: ['ann@example.com'],
    headers: {
      subject: 'DOWN: Shop',
      'message-id': `<${id}.opened.chn_a@picket.test>`,
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      from: 'Picket <alerts@picket.test>',
    },
  });
  t.equal(again?.headers['message-id'], opened?.headers['message-id']);
  const thread = opened?.headers['references'];
  t.match(thread, /^<inc_.+@picket\.test>$/);
  t.equal(reminder?.headers['message-id'], `<${id}.reminder#1.chn_a@picket.test>`);
  for (const follower of [reminder, resolved]) {
    t.equal(follower?.headers['in-reply-to'], thread);
    t.equal(follower?.headers['references'], thread);
  }
  const [text = '', html = ''] = [opened?.parts['text/plain'], opened?.parts['text/html']];
  // Mail clients make no link of the target, which a user chose.
  for (const point of MAIN_POINTS.map((one) => foreignText(one))) {
    t.ok(text.includes(point), `text: ${point}`);
    t.ok(html.includes(point), `html: ${point}`);
  }
  t.ok(text.includes(`Acknowledge or silence: ${ACTION_LINK}`));
  t.match(html, new RegExp(`<a [^>]*href="${ACTION_LINK.replace('?', '\\?')}">Acknowledge or silence</a>`));
  t.ok(text.includes(`Open incident: ${LINK}`) && html.includes(`<a href="${LINK}">`));
  t.ok(resolved?.parts['text/plain']?.includes('UP: Shop (was down 3 min 20 s)'));
});

t.test('texts of users are plain text in every channel, never markup, mention, header or link', async (t) => {
  const name = `<!channel> <b>x</b> [a](http://evil) @everyone & "q" ' *b* _i_ \`c\``;
  const evil = {
    monitor_name: `${name}\r\nBcc: evil@example.com`,
    message: `${name} <img src=x onerror=alert(1)> <script>`,
  };
  const message = messageOf('opened', evil);

  const slack = JSON.stringify((await sent('slack', message)).request?.json);
  t.notMatch(slack, /<!channel>|<b>|<script>/);
  t.match(slack, /&lt;!channel&gt;/);
  const discord = (await sent('discord', message)).request?.json;
  t.same(discord.allowed_mentions, { parse: [] });
  t.notMatch(discord.embeds[0].description, /(?<!\\)[*_`[\]<>]/, 'every Markdown character is escaped');
  const telegram: string = (await sent('telegram', message)).request?.json.text;
  t.same(
    telegram.match(/<\/?[a-z][^>]*>/g)?.filter((tag) => !/^<\/?b>$|^<a href="https:\/\/|^<\/a>$/.test(tag)),
    [],
    'only the tags of the template',
  );
  t.match(telegram, /&lt;script&gt;/);

  const before = mailbox.mails.length;
  await sent('email', message);
  const mail = (await mailbox.arrived(before + 1)).at(-1);
  t.same(mail?.to, ['ann@example.com'], 'no recipient was added');
  t.equal(mail?.headers['bcc'], undefined);
  t.match(mail?.headers['subject'], /Bcc.*=3A_evil/, 'it is part of the subject');
  t.notMatch(mail?.parts['text/html'], /<script>|<img|<b>x/);
  t.match(mail?.parts['text/html'], /&lt;script&gt;/);
});

t.test('long texts are cut to the limits of each channel', async (t) => {
  const message = messageOf('opened', { monitor_name: '<'.repeat(5_000), message: `${'&'.repeat(30_000)}é` });
  const slack = (await sent('slack', message)).request?.json;
  t.ok(slack.blocks[0].text.text.length <= 3_000 && slack.text.length <= 4_000);
  const embed = (await sent('discord', message)).request?.json.embeds[0];
  t.ok(embed.title.length <= 256 && embed.description.length <= 4_096);
  const fields: { name: string; value: string }[] = embed.fields;
  const total = fields.reduce((sum, field) => sum + field.name.length + field.value.length, 0);
  t.ok(total + embed.title.length + embed.description.length + embed.footer.text.length <= 6_000);
  t.ok(fields.every((field) => field.value.length <= 1_024) && fields.length <= 25);
  t.ok(Buffer.byteLength((await sent('msteams', message)).request?.body ?? '') < 28_000);
  t.ok((await sent('telegram', message)).request?.json.text.length <= 4_096);
  t.ok((await sent('pagerduty', message)).request?.json.payload.summary.length <= 1_024);
  const ntfy = (await sent('ntfy', message)).request?.json;
  t.ok(Buffer.byteLength(ntfy.message) <= 4_096 && ntfy.title.length <= 250);
  const { outcome } = await sent('email', message);
  t.equal(outcome.kind, 'sent');
});

t.test('the response of a receiver determines the outcome', async (t) => {
  const outcomeOf = async (type: ChannelType, status: number, headers: Record<string, string> = {}, body = '') => {
    receiver.behave({ status, headers, body });
    return (await sent(type, messageOf('opened'))).outcome;
  };
  for (const status of [200, 201, 202, 204])
    t.match(await outcomeOf('webhook', status), { kind: 'sent', responseStatus: status });
  for (const status of [301, 302, 307, 408, 425, 429, 500, 502, 503, 504]) {
    t.match(await outcomeOf('webhook', status), { kind: 'retry', responseStatus: status }, `${status} is retried`);
  }
  for (const status of [400, 401, 403, 404, 405, 413, 422])
    t.match(await outcomeOf('webhook', status), { kind: 'refused' });
  t.match(await outcomeOf('slack', 410), { kind: 'gone' });
  t.match(await outcomeOf('webhook', 429, { 'retry-after': '7' }), { retryAfterMs: 7_000 });
  const date = new Date(ATTEMPT_MS + 60_000).toUTCString();
  t.match(await outcomeOf('webhook', 503, { 'retry-after': date }), { retryAfterMs: 60_000 });
  t.match(await outcomeOf('discord', 429, {}, '{"retry_after": 1.5}'), { retryAfterMs: 1_500 });
  t.match(await outcomeOf('telegram', 429, {}, '{"parameters": {"retry_after": 12}}'), { retryAfterMs: 12_000 });
  t.match(await outcomeOf('telegram', 429, {}, 'not json'), { kind: 'retry', retryAfterMs: null });
  const noisy = await outcomeOf('webhook', 500, {}, `bad\u0000\n${'x'.repeat(9_000)}`);
  t.ok(noisy.kind === 'retry' && noisy.error.length <= 300 && !/[\n\0]/.test(noisy.error));

  mailbox.refuse(() => 450);
  t.match((await sent('email', messageOf('opened'))).outcome, { kind: 'retry', responseStatus: 450 });
  mailbox.refuse(() => 550);
  t.match((await sent('email', messageOf('opened'))).outcome, { kind: 'refused', responseStatus: 550 });
  mailbox.refuse(() => null);
  const stop = new AbortController();
  void mailbox.hang().then(() => stop.abort());
  t.match((await sent('email', messageOf('opened'), { signal: stop.signal })).outcome, {
    kind: 'retry',
    error: /timeout/,
  });
});

t.test('only a message about a firing incident has the link that acts on it', async (t) => {
  t.equal(messageOf('opened').actionLink, ACTION_LINK);
  t.equal(messageOf('reminder#1').actionLink, ACTION_LINK);
  const without = [
    messageOf('acknowledged'),
    messageOf('resolved', RESOLVED(0)),
    messageOf('opened', { status: 'silenced' }),
  ];
  for (const message of without) {
    t.equal(message.actionLink, null);
    t.equal(message.payload.data['action_url'], undefined);
  }
  for (const type of ['slack', 'discord', 'msteams', 'telegram', 'pagerduty', 'webhook', 'ntfy'] as const) {
    receiver.behave({ status: 200 });
    const { request } = await sent(type, messageOf('acknowledged'));
    t.notMatch(request?.body, /on-call/, type);
  }
});
