import { MongoClient } from 'mongodb';
import t from 'tap';
import type { NotificationEvent } from '../../../control-plane/incidents/incidents.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { buildIncident, buildNotifications, RESOLVED } from '../../helpers/notifications/build.js';

const WORKSPACES = 6;

const mongo = await testDatabase();
const client = new MongoClient(mongo.uri, { monitorCommands: true });
const db = client.db(mongo.db.databaseName);
const { notifications, runTransaction, channel, ensureIndexes } = buildNotifications({
  ...{ client, db, close: () => client.close() },
});
await ensureIndexes();
t.teardown(async () => {
  await client.close();
  await mongo.drop();
});
const outbox = db.collection<OutboxRow>('outbox');

/** An incident of a workspace with a channel, one that is notified later, and one of which the incident knows nothing. */
async function incidentOf(workspaceId: string) {
  const add = (name: string, delay_minutes: number) =>
    channel(workspaceId, { type: 'webhook', name, config: { url: 'http://127.0.0.1:19999/' }, delay_minutes });
  const [now, later] = [await add('now', 0), await add('later', 10)];
  await add('other', 0);
  return buildIncident(workspaceId, { channels: [now.id, later.id] });
}

t.test('incidents of many workspaces share round trips, and each notifies its own channels', async (t) => {
  const one = [await incidentOf('ws_one')];
  const many = await Promise.all(Array.from({ length: WORKSPACES }, (_, index) => incidentOf(`ws_${index}`)));
  const everyChannel = buildIncident('ws_0');

  /** Resolves to the commands of the transaction. */
  const enqueue = async (incidents: typeof one, event: NotificationEvent) => {
    const commands: string[] = [];
    const listener = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }) => {
      if (command['autocommit'] === false) commands.push(commandName);
    };
    client.on('commandStarted', listener);
    await runTransaction((tx) => notifications.enqueue(tx, incidents, event));
    client.off('commandStarted', listener);
    return commands;
  };
  const resolved = (incidents: typeof one) => incidents.map((it) => ({ ...it, ...RESOLVED(it.started_at_ms) }));
  const rowsOf = async (incidentId: string) =>
    (await outbox.find({ incident_id: incidentId }).sort({ event_ms: 1, sequence: 1, first_due_ms: 1 }).toArray()).map(
      ({ workspace_id, channel_id, event, state }) => ({ workspace_id, channel_id, event, state }),
    );

  t.same(await enqueue(many, 'opened'), await enqueue(one, 'opened'));
  t.same(await enqueue(resolved(many), 'resolved'), await enqueue(resolved(one), 'resolved'));
  for (const { _id, workspace_id, channels } of many) {
    const [now, later] = channels ?? [];
    t.same(await rowsOf(_id), [
      { workspace_id, channel_id: now, event: 'opened', state: 'pending' },
      { workspace_id, channel_id: later, event: 'opened', state: 'withdrawn' },
      { workspace_id, channel_id: now, event: 'resolved', state: 'pending' },
    ]);
  }

  await enqueue([everyChannel, await incidentOf('ws_more')], 'opened');
  const rows = await rowsOf(everyChannel._id);
  t.equal(rows.length, 3);
  t.same(new Set(rows.map(({ workspace_id }) => workspace_id)), new Set(['ws_0']));
  const own = await db.collection('channels').distinct('_id', { workspace_id: 'ws_0' });
  t.same(new Set(rows.map(({ channel_id }) => channel_id)), new Set(own), 'no channel of another workspace');
});
