import t from 'tap';
import { LINK_VALID_MS } from '../../../control-plane/on-call/link-token.js';
import { TIMES_SCRIPT } from '../../../control-plane/on-call/page/time.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startOnCall } from '../../helpers/on-call/app.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const workspaces = mongo.db.collection<{ _id: string }>('workspaces');
const REVOKE = '/v1/on-call-links/revoke';

t.test('a link works for 24 hours after the event of its notification', async (t) => {
  const { clock, channel, incident, stored, open, press, tokenOf } = await startOnCall(t, mongo);
  const { _id: id } = await incident();
  const token = tokenOf({ incident: id, channel: await channel() });
  clock.jump(LINK_VALID_MS - 1);
  t.equal((await open(token)).status, 200);
  clock.jump(1);
  t.equal((await open(token)).status, 404);
  t.equal((await press(token, 'acknowledge')).status, 404);
  t.equal((await stored(id)).acknowledged_at_ms, null);
});

t.test('an owner revokes all links until now, or those of one channel', async (t) => {
  const { app, clock, channel, incident, open, press, stored, tokenOf } = await startOnCall(t, mongo);
  const [first, second, { _id: id }] = [await channel('first'), await channel('second'), await incident()];
  const [one, two] = [tokenOf({ incident: id, channel: first }), tokenOf({ incident: id, channel: second })];
  t.match(await app.request('POST', REVOKE, { body: { channel_id: first } }), {
    status: 200,
    body: { data: { channel_id: first, revoked_at: new Date(clock.now()).toISOString() } },
  });
  t.equal((await open(one)).status, 404);
  t.equal((await press(one, 'acknowledge')).status, 404);
  t.equal((await open(two)).status, 200, 'the other channel keeps its links');
  clock.jump(1);
  const later = tokenOf({ incident: id, channel: first });
  t.equal((await open(later)).status, 200, 'the next notification has a link that works');
  t.match(await app.request('POST', REVOKE), { status: 200, body: { data: { channel_id: null } } });
  for (const token of [one, two, later]) t.equal((await open(token)).status, 404);
  t.equal((await stored(id)).acknowledged_at_ms, null);
  const entries = await mongo.db.collection('audit_log').find({ action: 'on_call_links.revoked' }).toArray();
  t.match(entries, [
    { severity: 'warning', resource: { type: 'channel', id: first, name: 'first' } },
    { severity: 'warning', resource: { type: 'workspace', id: app.workspace.id } },
  ]);
  t.equal(entries.length, 2);
});

t.test('only owners and admins revoke, and only links of their workspace', async (t) => {
  const { app, channel, incident, open, tokenOf } = await startOnCall(t, mongo);
  const [channelId, { _id: id }] = [await channel(), await incident()];
  const token = tokenOf({ incident: id, channel: channelId });
  for (const [role, status] of [
    ['viewer', 403],
    ['member', 403],
    ['admin', 200],
  ] as const) {
    const workspace = await buildWorkspace(mongo, { role });
    const { key } = await buildKey(mongo, workspace);
    t.equal((await app.request('POST', REVOKE, { key })).status, status, role);
    if (role !== 'admin') continue;
    t.equal((await app.request('POST', REVOKE, { key, body: { channel_id: channelId } })).status, 404);
  }
  const { key: limited } = await buildKey(mongo, app.workspace, { scopes: ['channels:write', 'alerts:write'] });
  t.equal((await app.request('POST', REVOKE, { key: limited })).status, 403);
  t.equal((await app.request('POST', REVOKE, { key: null })).status, 401);
  t.equal((await open(token)).status, 200, 'nobody else revoked it');
});

t.test('a link ends with its channel, and when its workspace is stopped', async (t) => {
  const { app, clock, channel, incident, open, tokenOf } = await startOnCall(t, mongo);
  const [deleted, kept, { _id: id }] = [await channel(), await channel(), await incident()];
  const [one, two] = [tokenOf({ incident: id, channel: deleted }), tokenOf({ incident: id, channel: kept })];
  t.equal((await open(one)).status, 200);
  t.equal((await app.request('DELETE', `/v1/channels/${deleted}`)).status, 204);
  t.equal((await open(one)).status, 404);
  t.equal((await open(two)).status, 200);
  const set = (fields: Record<string, unknown>) => workspaces.updateOne({ _id: app.workspace.id }, { $set: fields });
  await set({ suspended: { at_ms: clock.now(), reason: 'not paid' } });
  t.equal((await open(two)).status, 404, 'suspended');
  await set({ suspended: null, deletion: { requested_at_ms: 1, by: 'usr_x', at_ms: clock.now() + 1_000 } });
  t.equal((await open(two)).status, 404, 'about to be deleted');
  await set({ deletion: null, resumed_at_ms: clock.now() + 5 });
  t.equal((await open(two)).status, 404, 'links from before do not come back');
  clock.jump(6);
  t.equal((await open(tokenOf({ incident: id, channel: kept }))).status, 200);
});

t.test('a link ends when the receivers of its channel or its URL change, and with nothing else', async (t) => {
  const { app, clock, channel, incident, open, press, receiver, tokenOf } = await startOnCall(t, mongo);
  const webhook = await channel();
  const mail = await app.request<{ id: string }>('POST', '/v1/channels', {
    body: { type: 'email', name: 'Team', config: { to: [app.workspace.email, 'bob@example.com'] } },
  });
  const { _id: id } = await incident();
  for (const [channelId, same, other] of [
    [webhook, { url: `${receiver.url}/1` }, { url: `${receiver.url}/other` }],
    [mail.body.data.id, { to: [app.workspace.email, 'bob@example.com'] }, { to: [app.workspace.email] }],
  ] as const) {
    const token = tokenOf({ incident: id, channel: channelId });
    const change = async (body: unknown) => {
      t.equal((await app.request('PATCH', `/v1/channels/${channelId}`, { body })).status, 200);
      return (await open(token)).status;
    };
    t.equal(await change({ name: 'Renamed', delay_minutes: 5, enabled: false }), 200, 'not the configuration');
    t.equal(await change({ config: same }), 200, 'the same configuration');
    t.equal(await change({ config: other }), 404, JSON.stringify(other));
    t.equal((await press(token, 'acknowledge')).status, 404);
    t.equal(await change({ config: same }), 404, 'an earlier configuration does not bring links back');
    clock.jump(1);
    t.equal((await open(tokenOf({ incident: id, channel: channelId }))).status, 200, 'later links work');
  }
});

t.test('a notification that is delivered after the change of its channel has a link that works', async (t) => {
  const { app, channel, incident, open, receiver, notifications } = await startOnCall(t, mongo);
  receiver.behave({ status: 503 });
  const id = await channel();
  await incident();
  await receiver.arrived(1);
  receiver.behave({ status: 200 });
  await app.request('PATCH', `/v1/channels/${id}`, { body: { config: { url: `${receiver.url}/repaired` } } });
  await mongo.db.collection('outbox').updateMany({ state: 'pending' }, { $set: { next_attempt_ms: 0 } });
  notifications.wake();
  const [first, second] = await receiver.arrived(2);
  const tokenIn = (one: typeof first) => new URL(one?.json.data.action_url).searchParams.get('t') ?? '';
  t.equal((await open(tokenIn(first))).status, 404);
  t.equal((await open(tokenIn(second))).status, 200);
});

t.test('a link that mixes workspaces works in none', async (t) => {
  const { app, channel, incident, open, press, stored, tokenOf } = await startOnCall(t, mongo);
  const other = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, other);
  const [own, foreign, { _id: id }] = [await channel(), await channel('foreign', key), await incident()];
  t.equal((await open(tokenOf({ incident: id, channel: own }))).status, 200);
  for (const token of [
    tokenOf({ incident: id, channel: foreign }),
    tokenOf({ incident: id, channel: foreign, workspace: other.id }),
    tokenOf({ incident: id, channel: own, workspace: other.id }),
  ]) {
    t.equal((await open(token)).status, 404);
    t.equal((await press(token, 'acknowledge')).status, 404);
  }
  t.equal((await stored(id)).acknowledged_at_ms, null);
  t.equal(app.workspace.id === other.id, false);
});

t.test('links that do not work cannot be told apart, and their page names no incident', async (t) => {
  const { app, clock, channel, incident, open, press, tokenOf } = await startOnCall(t, mongo);
  const [channelId, { _id: id }] = [await channel(), await incident()];
  const at = clock.now();
  const revoked = tokenOf({ incident: id, channel: channelId, atMs: at });
  t.ok((await open(revoked)).text.includes('Shop'));
  await app.request('POST', REVOKE);
  clock.jump(1);
  const valid = tokenOf({ incident: id, channel: channelId });
  const tokens = [
    revoked,
    tokenOf({ incident: id, channel: channelId, atMs: at - LINK_VALID_MS }),
    tokenOf({ incident: app.parts.ids.next('inc'), channel: channelId }),
    `${valid.slice(0, -1)}${valid.endsWith('A') ? 'B' : 'A'}`,
    '',
    '<script>alert(1)</script>',
  ];
  const pages = await Promise.all(tokens.map((token) => open(encodeURIComponent(token))));
  const forms = await Promise.all(tokens.map((token) => press(token, 'acknowledge')));
  t.same(new Set([...pages, ...forms].map(({ status }) => status)), new Set([404]));
  t.equal(new Set([...pages, ...forms].map(({ text }) => text)).size, 1, 'one page for all');
  const [{ text } = { text: '' }] = pages;
  t.notMatch(text, /Shop|DOWN|inc_|chn_|On call|script/);
  t.match(text, /href="https:\/\/picket\.example\.com\/tools\/picket\/"/);
});

t.test('who sends many wrong tokens has to wait, and keeps nobody from a link that works', async (t) => {
  const { channel, incident, open, press, tokenOf } = await startOnCall(t, mongo, { trustedProxies: ['127.0.0.1'] });
  const token = tokenOf({ incident: (await incident())._id, channel: await channel() });
  const guess = (ip: string) =>
    open(`${token.slice(0, -1)}${token.endsWith('_') ? '-' : '_'}`, 'GET', { 'x-forwarded-for': ip });
  const statuses: number[] = [];
  for (let index = 0; index < 31; index++) statuses.push((await guess(`2001:db8::${index}`)).status);
  t.same(statuses, [...Array(30).fill(404), 429], 'one network, many addresses');
  const refused = await guess('2001:db8::99');
  t.ok(Number(refused.headers.get('retry-after')) > 0);
  t.match(refused.text, /<h1>Too many links that do not work<\/h1>/);
  t.match(refused.headers.get('content-type'), /text\/html/);
  t.equal((await guess('192.0.2.1')).status, 404, 'another network');
  t.equal((await open(token, 'GET', { 'x-forwarded-for': '2001:db8::1' })).status, 200);
  t.equal((await press(token, 'acknowledge', { 'x-forwarded-for': '2001:db8::1' })).status, 303);
});

t.test('no page may be cached, indexed, framed or run scripts of others, or give its address away', async (t) => {
  const { channel, incident, open, press, tokenOf } = await startOnCall(t, mongo);
  const token = tokenOf({ incident: (await incident())._id, channel: await channel() });
  const pages = [
    await open(token),
    await open('x'),
    await press(token, 'acknowledge'),
    await press(token, 'acknowledge'),
  ];
  t.same(
    pages.map(({ status }) => status),
    [200, 404, 303, 409],
  );
  for (const { status, headers, text } of pages) {
    const withoutOwn = text.replace(`<script>${TIMES_SCRIPT}</script>`, '');
    t.equal(headers.get('referrer-policy'), 'no-referrer');
    t.equal(headers.get('cache-control'), 'no-store');
    t.equal(headers.get('set-cookie'), null);
    t.equal(headers.get('access-control-allow-origin'), null);
    t.notMatch(withoutOwn, /<script|<img|<link|\son[a-z]+=|style="|javascript:/i);
    if (status === 303) continue;
    t.match(headers.get('x-robots-tag'), 'noindex');
    t.match(
      headers.get('content-security-policy'),
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
  }
});

t.test('the link of an e-mail channel works while one of its receivers may acknowledge', async (t) => {
  const { app, incident, open, press, tokenOf, stored } = await startOnCall(t, mongo);
  const { id: workspaceId } = app.workspace;
  const person = await buildWorkspace(mongo, {});
  const body = { type: 'email', name: 'Team', config: { to: ['guest@elsewhere.test', person.email] } };
  const channel = (await app.request<{ id: string }>('POST', '/v1/channels', { body })).body.data.id;
  const { _id: id } = await incident();
  const token = tokenOf({ incident: id, channel });
  const memberships = mongo.db.collection<{ _id: string }>('memberships');
  const _id = `${workspaceId}/${person.userId}`;
  for (const [role, status] of [
    [null, 404],
    ['viewer', 404],
    ['member', 200],
  ] as const) {
    const membership = { workspace_id: workspaceId, user_id: person.userId, role, created_at_ms: 1 };
    if (role !== null) await memberships.replaceOne({ _id }, membership, { upsert: true });
    t.equal((await open(token)).status, status, String(role));
    if (status === 404) t.equal((await press(token, 'silence')).status, 404, String(role));
  }
  t.match(await stored(id), { status: 'firing', acknowledged_at_ms: null });
  t.equal((await press(token, 'acknowledge')).status, 303);
});
