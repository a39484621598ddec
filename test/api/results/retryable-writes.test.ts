import { MongoClient } from 'mongodb';
import t from 'tap';
import type { ResultDocument } from '../../../control-plane/results/documents.js';
import { createLiveStore } from '../../../control-plane/results/live-store.js';
import { createResultsStore } from '../../../control-plane/results/store.js';
import { createLiveStore as createServerLiveStore } from '../../../control-plane/servers/live-store.js';
import { createSamplesStore } from '../../../control-plane/servers/samples/store.js';
import { testDatabase } from '../../helpers/database.js';

const NOW = Date.UTC(2031, 0, 31, 12);

const mongo = await testDatabase();
const client = new MongoClient(mongo.uri, { monitorCommands: true });
await client.connect();
t.teardown(async () => {
  await client.close();
  await mongo.drop();
});

/** Returns which writes of the work the driver repeats after an election: only these have a transaction number. */
async function retryableOf(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const listener = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }) => {
    const isRetryable = command['txnNumber'] !== undefined;
    seen.push(`${commandName} ${command[commandName]}: ${isRetryable ? 'retryable' : 'not retryable'}`);
  };
  client.on('commandStarted', listener);
  await work();
  client.off('commandStarted', listener);
  return seen;
}

const checked = { slot_ms: NOW, attempt: 0, final: true, checked_at_ms: NOW, up: true, response_time_ms: 5 };
const answer = { http_status: 200, error: null };
const result: ResultDocument = {
  ...{ _id: 'mon_1/1/fra/0', workspace_id: 'ws_1', monitor_id: 'mon_1', location: 'fra', reason: 'schedule' },
  ...checked,
  ...answer,
  received_at: new Date(NOW),
  covers_ms: 60_000,
  timings: { dns_ms: null, connect_ms: null, tls_ms: null, ttfb_ms: null, transfer_ms: null },
  address: null,
  expires_at: new Date(NOW + 86_400_000),
};
const server = { workspaceId: 'ws_1', serverId: 'srv_1', atMs: NOW, receivedAtMs: NOW, bytes: Buffer.from('sample') };

t.test('inserts of results and samples are retryable; updates of the newest ones are not', async (t) => {
  const db = client.db(mongo.db.databaseName);
  const setAside = async () => {};
  const of = { workspaceId: 'ws_1', monitorId: 'mon_1', monitorVersion: 1, location: 'fra', certificate: null };
  t.same(await retryableOf(() => createResultsStore(db, setAside).insert([result])), ['insert results: retryable']);
  t.same(await retryableOf(() => createSamplesStore(db, setAside).insert([server])), [
    'insert server_reports: retryable',
  ]);
  const live = { ...checked, ...answer, received_at_ms: NOW };
  const updates = await retryableOf(() => createLiveStore(db, setAside).apply([{ ...of, result: live }]));
  t.same([...new Set(updates)], ['update monitors: not retryable']);
  const samples = await retryableOf(() => createServerLiveStore(db, setAside).updateLive([server], 'any'));
  t.same([...new Set(samples)], ['update servers: not retryable']);
});
