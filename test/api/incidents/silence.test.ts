import t from 'tap';
import type { IncidentDetail } from '../../../control-plane/incidents/schema.js';
import { createSilenceEnd } from '../../../control-plane/incidents/silence/end-job.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { createLogger } from '../../../kernel/logger.js';
import { testDatabase } from '../../helpers/database.js';
import { NO_DEPENDENCIES } from '../../helpers/dependencies/none.js';
import { RULE_KINDS } from '../../helpers/incidents/kinds.js';
import { NO_MAINTENANCE } from '../../helpers/maintenance/none.js';
import { startOnCall } from '../../helpers/on-call/app.js';
import { waitFor } from '../../helpers/wait.js';

const MINUTE = 60_000;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

/** Starts an app, its receiver, and three tasks that end silences, as three control planes have them. */
async function world(t: Parameters<typeof startOnCall>[0]) {
  const world = await startOnCall(t, mongo);
  const { app, clock, timeline, notifications } = world;
  const { ids, audit } = app.parts;
  const tasks = [1, 2, 3].map(() =>
    createSilenceEnd({
      ...{ clock, ids, audit, timeline, notifier: notifications, store: createIncidentStore(mongo.db, RULE_KINDS) },
      maintenance: NO_MAINTENANCE,
      ...NO_DEPENDENCIES,
      ...{
        runTransaction: createRunTransaction(mongo.client),
        logger: createLogger({ name: 'test', level: 'silent' }),
      },
    }),
  );
  const rows = (id: string) => mongo.db.collection('outbox').find({ incident_id: id }).sort({ sequence: 1 }).toArray();
  return {
    ...world,
    endSilences: () => Promise.all(tasks.map((task) => task.runOnce())),
    /** Resolves when the channel has accepted the event, and this is recorded. */
    accepted: (id: string, event: string) =>
      waitFor(`${event} accepted`, 20_000, async () =>
        (await rows(id)).some((row) => row['event'] === event && row['state'] === 'sent'),
      ),
    rows,
    post: async (id: string, verb: string, body?: unknown) => {
      const answer = await app.request<IncidentDetail>('POST', `/v1/alerts/${id}/${verb}`, { body });
      return { status: answer.status, incident: answer.body.data };
    },
    actions: async (id: string) =>
      (await mongo.db.collection('audit_log').find({ 'resource.id': id }).sort({ _id: 1 }).toArray()).map(
        ({ action, actor }) => `${action} by ${actor.email}`,
      ),
  };
}

t.test('a silence for a time ends by itself, with one notification by three control planes', async (t) => {
  const { app, clock, channel, incident, receiver, accepted, endSilences, rows, post, actions } = await world(t);
  await channel();
  const { _id: id } = await incident();
  await accepted(id, 'opened');
  const { status, incident: silenced } = await post(id, 'silence', { for_minutes: 30 });
  t.equal(status, 200);
  const until = new Date(clock.now() + 30 * MINUTE).toISOString();
  const { email } = app.workspace;
  t.match(silenced, { status: 'silenced', silenced_until: until });
  t.match(silenced.events.at(-1), { type: 'silenced', message: `Silenced by ${email} for 30 min.`, until });

  await clock.advance(29 * MINUTE);
  await endSilences();
  t.equal((await app.request<IncidentDetail>('GET', `/v1/alerts/${id}`)).body.data.status, 'silenced');
  await clock.advance(MINUTE);
  await endSilences();
  const fired = (await app.request<IncidentDetail>('GET', `/v1/alerts/${id}`)).body.data;
  t.match(fired, { status: 'firing', silenced_at: null, silenced_until: null });
  t.match(fired.events.at(-1), { type: 'unsilenced', actor: 'system', until: null });
  await accepted(id, 'reminder#1');
  await endSilences();
  t.same(
    (await rows(id)).map((row) => row['event']),
    ['opened', 'reminder#1'],
  );
  t.same(
    receiver.requests.map(({ json }) => json.type),
    ['incident.opened', 'incident.reminder'],
  );
  t.same(await actions(id), [`alert.silenced by ${email}`, 'alert.unsilenced by system']);
  const lines = await mongo.db.collection('timeline').find({ 'metadata.incident_id': id }).toArray();
  t.same(
    lines.map(({ type }) => type),
    ['incident.silenced', 'incident.unsilenced'],
    'open dashboards get each change once',
  );
});

t.test('the reminder that was scheduled before comes at the end', async (t) => {
  const { app, clock, incident, receiver, accepted, endSilences, rows, post } = await world(t);
  const body = { type: 'webhook', name: 'Repeats', config: { url: `${receiver.url}/repeats` }, repeat_minutes: 60 };
  t.equal((await app.request('POST', '/v1/channels', { body })).status, 201);
  const { _id: id } = await incident();
  await accepted(id, 'opened');
  await post(id, 'silence', { for_minutes: 10 });
  await clock.advance(10 * MINUTE);
  await endSilences();
  await accepted(id, 'reminder#1');
  t.match(await rows(id), [
    { event: 'opened', state: 'sent' },
    { event: 'reminder#1', state: 'sent', first_due_ms: clock.now() },
    { event: 'reminder#2', state: 'pending' },
  ]);
});

t.test('silences in a loop send one reminder a minute, and keep one row of it', async (t) => {
  const { channel, clock, incident, receiver, accepted, rows, post } = await world(t);
  await channel();
  const { _id: id } = await incident();
  await accepted(id, 'opened');
  const openedMs = clock.now();
  const loop = async () => {
    for (let round = 0; round < 5; round++) {
      await clock.advance(5_000);
      t.equal((await post(id, 'silence')).status, 200);
      t.equal((await post(id, 'unsilence')).status, 200);
    }
  };
  await loop();
  t.match(await rows(id), [
    { event: 'opened', state: 'sent' },
    { event: 'reminder#1', state: 'pending', next_attempt_ms: openedMs + MINUTE },
  ]);
  await clock.advance(35_000);
  await accepted(id, 'reminder#1');
  await loop();
  t.same(
    (await rows(id)).map((row) => [row['event'], row['state'], row['next_attempt_ms'] - openedMs]),
    [
      ['opened', 'sent', 0],
      ['reminder#1', 'sent', MINUTE],
      ['reminder#2', 'pending', 2 * MINUTE],
    ],
  );
  t.same(
    receiver.requests.map(({ json }) => json.type),
    ['incident.opened', 'incident.reminder'],
  );
});

t.test('who resolves, acknowledges or changes the silence meanwhile decides', async (t) => {
  const { clock, channel, incident, stored, accepted, endSilences, rows, post, actions } = await world(t);
  await channel();
  const [over, known, longer, open] = [
    await incident({ subject: 'monitor:1' }),
    await incident({ subject: 'monitor:2' }),
    await incident({ subject: 'monitor:3' }),
    await incident({ subject: 'monitor:4' }),
  ].map(({ _id }) => _id) as [string, string, string, string];
  for (const id of [over, known, longer, open]) {
    await accepted(id, 'opened');
    await post(id, 'silence', { for_minutes: 1 });
  }
  await post(over, 'resolve');
  await post(known, 'acknowledge');
  await post(longer, 'silence', { for_minutes: 10_080 });
  t.match((await post(open, 'silence')).incident, { status: 'silenced', silenced_until: null });
  const before = (await actions(open)).length;
  await post(open, 'silence', {});
  t.equal((await actions(open)).length, before, 'silent until it is resolved already: no change');
  await clock.advance(2 * MINUTE);
  await endSilences();
  t.match(await stored(over), { status: 'resolved' });
  t.match(await stored(longer), { status: 'silenced' });
  t.match(await stored(open), { status: 'silenced' });
  t.match(await stored(known), { status: 'firing' });
  t.same(
    (await rows(known)).map((row) => row['event']),
    ['opened'],
    'an acknowledged incident stays quiet',
  );
});

t.test('a silence with about the same end changes nothing', async (t) => {
  const { clock, incident, post, actions } = await world(t);
  const { _id: id } = await incident();
  const { incident: first } = await post(id, 'silence', { for_minutes: 30 });
  await clock.advance(59_000);
  const again = await post(id, 'silence', { for_minutes: 30 });
  t.match([again.status, again.incident.silenced_until], [200, first.silenced_until]);
  t.equal(again.incident.events.length, first.events.length);
  t.equal((await actions(id)).length, 1);
  await clock.advance(1_000);
  const later = await post(id, 'silence', { for_minutes: 30 });
  t.equal(later.incident.silenced_until, new Date(clock.now() + 30 * MINUTE).toISOString());
  t.equal(later.incident.events.length, first.events.length + 1);
});

t.test('a person ends a silence: who was not notified of the opening is notified now', async (t) => {
  const { app, channel, incident, accepted, post, actions } = await world(t);
  const { _id: id } = await incident();
  await post(id, 'silence');
  await channel();
  const ended = await post(id, 'unsilence');
  t.match(ended, { status: 200, incident: { status: 'firing', silenced_at: null } });
  const { email } = app.workspace;
  t.match(ended.incident.events.at(-1), { type: 'unsilenced', message: `Silence ended by ${email}.`, actor: email });
  await accepted(id, 'opened');
  t.equal((await post(id, 'unsilence')).status, 200, 'idempotent');
  t.match((await post(id, 'silence')).incident, { status: 'silenced' }, 'it can be silenced again');
  t.same(await actions(id), [
    `alert.silenced by ${email}`,
    `alert.unsilenced by ${email}`,
    `alert.silenced by ${email}`,
  ]);
  await post(id, 'resolve');
  t.equal((await post(id, 'unsilence')).status, 409);
});

t.test('the time has limits', async (t) => {
  const { incident, post } = await world(t);
  const { _id: id } = await incident();
  for (const for_minutes of [0, 10_081, 1.5, '30'])
    t.equal((await post(id, 'silence', { for_minutes })).status, 422, String(for_minutes));
  for (const for_minutes of [1, 10_080, null])
    t.equal((await post(id, 'silence', { for_minutes })).status, 200, String(for_minutes));
});
