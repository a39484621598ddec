import { pino } from 'pino';
import t from 'tap';
import { EVENTS_MAX } from '../../../control-plane/incidents/change.js';
import type { IncidentDetail } from '../../../control-plane/incidents/schema.js';
import { testDatabase } from '../../helpers/database.js';
import { startOnCall } from '../../helpers/on-call/app.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const entriesOf = (id: string) => mongo.db.collection('audit_log').find({ 'resource.id': id }).toArray();

t.test('the link of a notification opens a page that acknowledges the incident once', async (t) => {
  const { app, receiver, channel, incident, stored, open, press } = await startOnCall(t, mongo, {
    trustedProxies: ['127.0.0.1'],
  });
  const channelId = await channel('Night shift');
  const { _id: id } = await incident();
  const [notification] = await receiver.arrived(1);
  const link: string = notification?.json.data.action_url;
  t.match(link, /^https:\/\/picket\.example\.com\/tools\/picket\/on-call\?t=[A-Za-z0-9_-]{96}$/);
  const token = new URL(link).searchParams.get('t') ?? '';

  const page = await open(token);
  t.equal(page.status, 200);
  for (const text of [
    'DOWN',
    'Shop is down: 2 of 3 locations cannot reach it.',
    'Frankfurt</bdi>: <b>down, connection refused',
    'New York</bdi>: <b>down, response timeout',
    'Singapore</bdi>: <b>no vote, no probe',
    '2 of 3 locations say down',
    'For 1 min 30 s',
    'Night shift',
    `https://picket.example.com/tools/picket/incidents/${id}`,
  ]) {
    t.ok(page.text.includes(text), text);
  }

  const pressed = await press(token, 'acknowledge', { 'x-forwarded-for': '192.0.2.7' });
  t.equal(pressed.status, 303);
  t.equal(pressed.headers.get('location'), `on-call?t=${token}`, 'a reload does not send the form again');
  const by = 'a link in the channel “Night shift”';
  t.match(await stored(id), { status: 'firing', acknowledged_by: by, acknowledged_at_ms: Number });
  t.match((await stored(id)).events.at(-1), { type: 'acknowledged', actor: by, message: `Acknowledged by ${by}.` });
  t.match(await entriesOf(id), [
    {
      action: 'alert.acknowledged',
      actor: { id: null, email: by, ip: '192.0.2.7' },
      metadata: { link: { channel_id: channelId, channel_name: 'Night shift' } },
    },
  ]);
  const [, told] = await receiver.arrived(2);
  t.equal(told?.json.type, 'incident.acknowledged', 'the receivers see that somebody is working on it');
  t.equal(told?.json.data.action_url, undefined);

  const after = await open(token);
  t.match(after.text, /<b>Acknowledged<\/b> at .* by <bdi>a link in the channel “Night shift”<\/bdi>/);
  t.notMatch(after.text, /value="acknowledge"/);
  const again = await press(token, 'acknowledge');
  t.equal(again.status, 409);
  t.match(again.text, /Nothing was changed.*Acknowledged<\/b> at .* by <bdi>a link in the channel “Night shift”/s);
  t.equal((await entriesOf(id)).length, 1);
  const shown = await app.request<IncidentDetail>('GET', `/v1/alerts/${id}`);
  t.equal(shown.body.data.notifications_sent.length, 2);
  t.notMatch(shown.text, token.slice(60));
});

t.test('opening the link changes nothing, however often and by whatever program', async (t) => {
  const { channel, incident, stored, open, tokenOf } = await startOnCall(t, mongo);
  const { _id: id } = await incident();
  const token = tokenOf({ channel: await channel(), incident: id });
  const before = await stored(id);
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'GET']) {
    for (const query of [token, `${token}&action=acknowledge`, `${token}&action=silence`]) {
      t.ok((await open(query, method, { 'sec-purpose': 'prefetch', purpose: 'prefetch' })).status < 300, method);
    }
  }
  t.equal((await open(token, 'HEAD')).text, '');
  for (const method of ['PUT', 'PATCH', 'DELETE']) t.equal((await open(token, method)).status, 405);
  t.same(await stored(id), before);
  t.same(await entriesOf(id), []);
});

t.test('of many presses at once, one acknowledges', async (t) => {
  const { channel, incident, stored, press, tokenOf } = await startOnCall(t, mongo);
  const { _id: id } = await incident();
  const [one, two] = [
    tokenOf({ incident: id, channel: await channel() }),
    tokenOf({ incident: id, channel: await channel() }),
  ];
  const answers = await Promise.all([one, one, two, one, two, two].map((token) => press(token, 'acknowledge')));
  t.same(answers.map(({ status }) => status).sort(), [303, 409, 409, 409, 409, 409]);
  t.equal((await stored(id)).events.filter(({ type }) => type === 'acknowledged').length, 1);
  t.equal((await entriesOf(id)).length, 1);
});

t.test('who acknowledged before by other means is named', async (t) => {
  const { app, channel, incident, open, press, tokenOf } = await startOnCall(t, mongo);
  const { _id: id } = await incident();
  const token = tokenOf({ incident: id, channel: await channel() });
  t.match(await app.request('POST', `/v1/alerts/${id}/acknowledge`), { status: 200 });
  t.ok((await open(token)).text.includes(app.workspace.email));
  const late = await press(token, 'acknowledge');
  t.equal(late.status, 409);
  t.ok(late.text.includes(app.workspace.email));
});

t.test('a link silences the incident, also one that a maintenance window silenced', async (t) => {
  const { channel, incident, stored, open, press, tokenOf } = await startOnCall(t, mongo);
  const channelId = await channel('Pager');
  for (const status of ['firing', 'silenced'] as const) {
    const { _id: id } = await incident({ status });
    const token = tokenOf({ incident: id, channel: channelId });
    t.equal((await press(token, 'silence')).status, 303);
    t.match(await stored(id), { status: 'silenced', acknowledged_at_ms: null });
    t.match((await entriesOf(id)).at(-1), { action: 'alert.silenced', metadata: { link: { channel_id: channelId } } });
    const page = await open(token);
    t.match(page.text, /<b>Silenced<\/b> by <bdi>a link in the channel “Pager”/);
    t.notMatch(page.text, /value="silence"/);
    t.match(page.text, /value="acknowledge"/);
    t.equal((await press(token, 'silence')).status, 409);
  }
});

t.test('a link silences for a time, once; the next notification has a link that can do it again', async (t) => {
  const { clock, channel, incident, stored, records, app, open, press, tokenOf } = await startOnCall(t, mongo);
  const channelId = await channel('Pager');
  const { _id: id } = await incident();
  const token = tokenOf({ incident: id, channel: channelId });
  for (const label of ['For 30 min', 'For 2 h', 'For 8 h', 'Until resolved'])
    t.ok((await open(token)).text.includes(`>${label}</button>`), label);
  t.equal((await press(token, 'silence-120')).status, 303);
  t.match(await stored(id), { status: 'silenced', silenced_until_ms: clock.now() + 2 * 3_600_000 });
  t.match((await open(token)).text, /<b>Silenced<\/b> by .* until <time.* fires again\./);
  const target = { workspaceId: app.workspace.id, id };
  const event = { at_ms: clock.now(), type: 'unsilenced' as const, message: '', actor: 'system' };
  await app.parts.runTransaction((tx) =>
    records.store.change(tx, target, { status: 'firing', silenced_by: null }, event),
  );
  t.equal((await press(token, 'silence')).status, 409, 'this link has done it');
  clock.jump(1);
  const next = tokenOf({ incident: id, channel: channelId });
  t.equal((await press(next, 'silence-30')).status, 303);
  for (const action of ['silence-31', 'silence-', 'silence-30 ']) t.equal((await press(next, action)).status, 404);
});

t.test('who silenced an incident is known when newer events have pushed the silence out of its history', async (t) => {
  const { channel, incident, open, press, tokenOf, app } = await startOnCall(t, mongo);
  const [channelId, other] = [await channel('Pager'), await channel('Second')];
  const { _id: id } = await incident();
  const [token, second] = [channelId, other].map((of) => tokenOf({ incident: id, channel: of })) as [string, string];
  const forget = () => {
    const events = Array.from({ length: EVENTS_MAX }, () => ({ at_ms: 1, type: 'commented', message: '', actor: 'x' }));
    return mongo.db.collection<{ _id: string }>('incidents').updateOne({ _id: id }, { $set: { events } });
  };
  t.equal((await press(token, 'silence-30')).status, 303);
  await forget();
  t.match((await open(second)).text, /<b>Silenced<\/b> by <bdi>a link in the channel “Pager”/);
  t.equal((await press(second, 'silence-30')).status, 409, 'it is silenced');
  t.equal((await app.request('POST', `/v1/alerts/${id}/unsilence`, {})).status, 200);
  await forget();
  t.equal((await press(token, 'silence-30')).status, 409, 'this link has silenced it before');
  t.equal((await press(second, 'silence-30')).status, 303);
});

t.test('the link of an e-mail channel with one receiver acts for that person', async (t) => {
  const { app, incident, stored, open, press, tokenOf } = await startOnCall(t, mongo);
  const { email, userId } = app.workspace;
  const channelTo = async (name: string, to: string[]) => {
    const created = await app.request<{ id: string }>('POST', '/v1/channels', {
      body: { type: 'email', name, config: { to } },
    });
    return created.body.data.id;
  };
  for (const [name, to, id, by] of [
    ['Own', [email.toUpperCase()], userId, email],
    ['Team', [email, 'guest@elsewhere.test'], null, 'a link in the channel “Team”'],
  ] as const) {
    const channelId = await channelTo(name, [...to]);
    const { _id: incidentId } = await incident();
    const token = tokenOf({ incident: incidentId, channel: channelId });
    t.equal((await open(token)).text.includes(`<bdi>${to[0]}</bdi> did it`), name !== 'Team', name);
    t.equal((await press(token, 'acknowledge')).status, 303);
    const link = { channel_id: channelId, channel_name: name };
    const used = { ...link, person: name === 'Team' ? null : by };
    t.match(await stored(incidentId), { acknowledged_by: by, acknowledged_link: used }, name);
    t.match(await entriesOf(incidentId), [{ actor: { id, email: by }, metadata: { link } }], name);
    const shown = await app.request<IncidentDetail>('GET', `/v1/alerts/${incidentId}`);
    t.match(shown.body.data, { acknowledged_by: by, acknowledged_link: used }, name);
    t.match(shown.body.data.events.at(-1), { type: 'acknowledged', actor: by, link: used }, name);
  }
});

t.test('the page of a resolved incident has no buttons, and its link changes nothing', async (t) => {
  const { app, channel, incident, stored, open, press, tokenOf } = await startOnCall(t, mongo);
  const { _id: id } = await incident();
  const token = tokenOf({ incident: id, channel: await channel() });
  await app.request('POST', `/v1/alerts/${id}/resolve`);
  const before = await stored(id);
  t.notMatch((await open(token)).text, /<form|<button/);
  for (const action of ['acknowledge', 'silence']) {
    const late = await press(token, action);
    t.equal(late.status, 409);
    t.match(late.text, /<b>Nothing was changed:<\/b> the incident is resolved\./);
  }
  t.same(await stored(id), before);
});

t.test('a form that is not the one of the page changes nothing', async (t) => {
  const { app, channel, incident, stored, press, tokenOf } = await startOnCall(t, mongo);
  const { _id: id } = await incident();
  const token = tokenOf({ incident: id, channel: await channel() });
  const before = await stored(id);
  const post = (body: string, type = 'application/x-www-form-urlencoded', query = '') =>
    fetch(`${app.url}/on-call${query}`, { method: 'POST', body, headers: { 'content-type': type } });
  for (const action of ['', 'resolve', 'ACKNOWLEDGE', 'constructor']) t.equal((await press(token, action)).status, 404);
  t.equal((await post('')).status, 404);
  t.equal((await post('action=acknowledge', undefined, `?t=${token}`)).status, 404, 'the token is in the form');
  t.equal((await post(`t=${token}&action=acknowledge&x=${'x'.repeat(1_000)}`)).status, 404);
  t.equal((await post('x'.repeat(1_100_000))).status, 413);
  t.equal((await post(`{"t":"${token}","action":"acknowledge"}`, 'text/plain')).status, 415);
  t.same(await stored(id), before);
});

t.test('neither logs nor errors of receivers repeat a token', async (t) => {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const { app, receiver, channel, incident, open, press } = await startOnCall(t, mongo, { logger });
  receiver.behave((request) => ({ status: 400, body: `cannot use ${request.json.data.action_url}` }));
  await channel();
  const mail = { type: 'email', name: 'Team', config: { to: ['ann@example.com'] } };
  t.equal((await app.request('POST', '/v1/channels', { body: mail })).status, 201);
  const { _id: id } = await incident();
  const [notification] = await receiver.arrived(1);
  const token = new URL(notification?.json.data.action_url).searchParams.get('t') ?? '';
  const answer = await waitFor('both attempts', 60_000, async () => {
    const shown = await app.request<IncidentDetail>('GET', `/v1/alerts/${id}`);
    return shown.body.data.notifications_sent.every(({ error }) => error !== null) ? shown : null;
  });
  t.match(answer?.text, /cannot use https:\/\/picket\.example\.com\/tools\/picket\/on-call\?\[secret\]/);
  t.equal((await open(token)).status, 200);
  t.equal((await open(`${token}x`)).status, 404);
  t.equal((await press(token, 'acknowledge')).status, 303);
  const log = lines.join('');
  t.match(log, /"path":"\/on-call"/);
  t.match(log, /no mail server is configured, so the e-mail was not sent/);
  for (const text of [log, answer?.text ?? '']) {
    for (let at = 0; at < token.length - 8; at += 8) t.notOk(text.includes(token.slice(at, at + 8)), `part ${at}`);
  }
});
