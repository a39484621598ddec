import t from 'tap';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { actorOf, buildKey, buildWorkspace } from '../../helpers/factories.js';
import { openEvents, type ReceivedEvent } from '../../helpers/live/event-client.js';
import { startLiveApp } from '../../helpers/live/live-app.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

/** By this clock, no regular check of a session or key is ever due. Everything else is real. */
const withoutRechecks: Clock = { ...systemClock, monotonic: () => 0 };

const isReady = ({ type }: ReceivedEvent) => type === 'ready';
const isEnd = ({ type }: ReceivedEvent) => type === 'end';

t.test(
  'what may end an access has the streams of the workspace checked at once, without a regular check',
  async (t) => {
    const app = await startLiveApp(mongo, { clock: withoutRechecks });
    t.teardown(() => app.close());
    const { audit, runTransaction } = app.parts;
    for (const action of [
      'api_key.revoked',
      'team.member_removed',
      'auth.logged_out',
      'workspace.suspended',
    ] as const) {
      const workspace = await buildWorkspace(mongo);
      const { key } = await buildKey(mongo, workspace);
      const staying = await buildKey(mongo, await buildWorkspace(mongo));
      const [client, other] = [await openEvents(app.url, key), await openEvents(app.url, staying.key)];
      await Promise.all([client.next(isReady), other.next(isReady)]);
      await mongo.db
        .collection('api_keys')
        .updateMany({ workspace_id: workspace.id }, { $set: { revoked_at_ms: Date.now() } });
      const resource = { type: 'workspace', id: workspace.id, name: workspace.name };
      await runTransaction((tx) => audit.record(tx, actorOf(workspace), { action, resource }));
      t.match(await client.next(isEnd), { data: { reason: 'access_ended', reconnect: false } }, action);
      await client.ended;
      t.notOk(other.events.some(isEnd), 'another workspace is not concerned');
      other.close();
    }
  },
);

t.test('open streams do not delay a shutdown', async (t) => {
  // Its time stands still, so a shutdown that waits for what is left of the streams never ends.
  const app = await startLiveApp(mongo, { clock: testClock(Date.now()) });
  const workspace = await buildWorkspace(mongo);
  const client = await openEvents(app.url, (await buildKey(mongo, workspace)).key);
  await client.next(isReady);
  const closed = app.close();
  t.match(await client.next(isEnd), { data: { reason: 'stopping', reconnect: true } });
  await Promise.all([client.ended, closed]);
  t.ok(client.isComplete());
});
