import { MongoClient } from 'mongodb';
import t from 'tap';
import { createOutboxStore } from '../../../control-plane/notifications/delivery/outbox-store.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { lockDocuments } from '../../helpers/locked-monitor.js';

const RETRY_ROWS_MAX = 1_000;
const ROWS = 2 * RETRY_ROWS_MAX + 500;
const NOW = 1_000;

/** Rows of one channel that wait for a retry, and one that waits for its time. */
async function scene() {
  const mongo = await testDatabase();
  const client = new MongoClient(mongo.uri, { monitorCommands: true });
  const outbox = createOutboxStore(client.db(), testClock());
  await outbox.ensureIndexes();
  const rows = mongo.db.collection<OutboxRow>('outbox');
  const row = (_id: string, waiting: OutboxRow['waiting'], next_attempt_ms: number) =>
    ({ _id, workspace_id: 'ws_1', channel_id: 'chn_1', state: 'pending', waiting, next_attempt_ms }) as OutboxRow;
  await rows.insertMany([
    ...Array.from({ length: ROWS }, (_, index) => row(`row_${index}`, 'retry', NOW + 1 + index)),
    row('planned', null as never, NOW + 1),
    { ...row('other', 'retry', NOW + 1), channel_id: 'chn_2' },
  ]);
  const updates: { ids: number; limitMs: unknown }[] = [];
  client.on('commandStarted', ({ commandName, command }) => {
    if (commandName !== 'update') return;
    updates.push({ ids: command['updates'][0].q._id?.$in?.length, limitMs: command['maxTimeMS'] });
  });
  const end = async () => {
    await client.close();
    await mongo.drop();
  };
  const due = () => rows.countDocuments({ next_attempt_ms: NOW });
  return { mongo, outbox, updates, due, end };
}

t.test('notifications that wait for a retry become due in parts, each with a time limit', async (t) => {
  const { outbox, updates, due, end } = await scene();
  t.teardown(end);
  t.equal(await outbox.retryNow('ws_1', 'chn_1', NOW), ROWS);
  t.equal(await due(), ROWS);
  t.same(
    updates.map(({ ids }) => ids),
    [RETRY_ROWS_MAX, RETRY_ROWS_MAX, 500],
  );
  t.ok(updates.every(({ limitMs }) => limitMs === 3_000));
  t.equal(await outbox.retryNow('ws_1', 'chn_1', NOW), 0, 'once');
});

t.test('a locked notification keeps no other from being due', async (t) => {
  const { mongo, outbox, due, end } = await scene();
  const unlock = await lockDocuments<OutboxRow>(mongo.uri, 'outbox', { _id: 'row_5' });
  t.teardown(async () => {
    await unlock();
    await end();
  });
  await outbox.retryNow('ws_1', 'chn_1', NOW);
  t.equal(await due(), ROWS - 1);
});
