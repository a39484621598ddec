import { MongoClient } from 'mongodb';
import t, { type Test } from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createLiveStore } from '../../../control-plane/results/live-store.js';
import { MAJORITY_MS, REQUEST_TRANSACTION } from '../../../control-plane/storage/deadlines.js';
import { openMongo } from '../../../control-plane/storage/mongo.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { isDatabaseUnavailable } from '../../../control-plane/storage/unavailable.js';
import { type ReplicaSet, startReplicaSet } from '../../helpers/machine/replica-set.js';
import { enrolNode } from '../../helpers/node-link/fake-node.js';
import { fakeMonitors, startNodeSide } from '../../helpers/node-link/node-side.js';
import { personAt } from '../../helpers/people/person.js';
import { type ControlPlane, startControlPlane } from '../../helpers/processes/control-plane.js';
import { buildMonitor } from '../../helpers/results/history.js';
import { liveUpdate } from '../../helpers/results/live-update.js';
import { neverSetAside } from '../../helpers/set-aside.js';
import { LOCATIONS, liveResult, setUpVerdicts } from '../../helpers/verdicts/setup.js';
import { waitFor } from '../../helpers/wait.js';

const ANSWER_MS_MAX = 10_000;
/** It takes a while to find out that a member is frozen. */
const FROZEN_ANSWER_MS_MAX = 15_000;
/** Longer than the answers take. */
const NO_ELECTION_S = 120;
/** More than the connections of a control plane. */
const PARALLEL = 80;
const BODY = { name: 'm', type: 'tcp', url: '127.0.0.1:9', interval_seconds: 3600 };

const set = await startReplicaSet(3);
t.teardown(() => set.remove());

/** Stops or resumes replication, while every member stays well. */
async function replicate(own: ReplicaSet, does: boolean): Promise<void> {
  const primary = await own.primary();
  // What resumes is every member: while replication stopped, another one can have become the primary.
  for (const member of [0, 1, 2].filter((one) => does || one !== primary)) {
    await own.command(member, { configureFailPoint: 'stopReplProducer', mode: does ? 'off' : 'alwaysOn' });
  }
}

/** Returns the statuses of parallel requests, each of which must be answered in time. */
async function statuses(
  t: Test,
  controlPlane: ControlPlane,
  count: number,
  when: string,
  msMax = ANSWER_MS_MAX,
): Promise<number[]> {
  const timed = async (run: () => Promise<{ status: number }>) => {
    const startedMs = performance.now();
    const { status } = await run();
    return { status, tookMs: performance.now() - startedMs };
  };
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      timed(() =>
        index % 4 === 3 ? controlPlane.api('GET', '/v1/monitors') : controlPlane.api('POST', '/v1/monitors', BODY),
      ),
    ),
  );
  const slowestMs = Math.round(Math.max(...answers.map(({ tookMs }) => tookMs)));
  t.ok(slowestMs < msMax, `${when}: the slowest of ${count} answers took ${slowestMs} ms`);
  return [...new Set(answers.map(({ status }) => status))].sort();
}

/** What people do before they have a session waits no longer than other requests. */
async function people(t: Test, { url }: ControlPlane, when: string): Promise<void> {
  const password = 'gravel onion tuesday lamp';
  const email = 'ada@example.com';
  const sent: Record<string, [string, object]> = {
    'sign-up': ['/v1/auth/signup', { email, password, workspace_name: 'Shop' }],
    'forgotten password': ['/v1/auth/password/forgot', { email: 'owner@picket.localhost' }],
  };
  for (const [name, [path, body]] of Object.entries(sent)) {
    const startedMs = performance.now();
    const { status } = await personAt(url).send('POST', path, body);
    const tookMs = Math.round(performance.now() - startedMs);
    t.equal(status, 503, `${when}: ${name}`);
    t.ok(tookMs < ANSWER_MS_MAX, `${when}: ${name} took ${tookMs} ms`);
  }
}

const works = (controlPlane: ControlPlane) =>
  waitFor('a write', 60_000, async () => (await controlPlane.api('POST', '/v1/monitors', BODY)).status === 201);

t.test('an outage opens while each call takes a second', async (t) => {
  const it = await setUpVerdicts(set.uri('slow'));
  t.teardown(() => it.stop());
  const rows = it.mongo.db.collection('rows');
  await waitFor('a write', 60_000, () => rows.insertOne({}).then(() => true));
  await it.ensureIndexes();
  const live = Object.fromEntries(LOCATIONS.map((code) => [code, liveResult(false, it.clock.now())]));
  await it.insert({ _id: 'mon_1', live });
  const primary = await set.primary();
  const delay = (mode: 'alwaysOn' | 'off') => {
    const failCommands = ['find', 'insert', 'update', 'commitTransaction'];
    const data = { failCommands, blockConnection: true, blockTimeMS: 1_000, appName: 'picket' };
    return set.command(primary, { configureFailPoint: 'failCommand', mode, data });
  };
  await delay('alwaysOn');
  await it.evaluator.evaluate(['mon_1']);
  await delay('off');
  t.match(await it.open('mon_1'), { status: 'firing' });
});

t.test('results that a majority confirms late are not taken for those of a locked monitor', async (t) => {
  const writeConcern = { w: 'majority', wtimeoutMS: MAJORITY_MS } as const;
  const client = new MongoClient(set.uri('live'), { writeConcern, monitorCommands: true });
  t.teardown(() => client.close());
  const monitors = client.db().collection<MonitorDocument>('monitors');
  const ids = ['mon_1', 'mon_2', 'mon_3'];
  await waitFor('the monitors', 60_000, () =>
    // A try that failed can have stored them.
    monitors
      .deleteMany({})
      .then(() => monitors.insertMany(ids.map((_id) => buildMonitor({ _id }))))
      .then(() => true),
  );
  const replies: { writeConcernError?: object }[] = [];
  client.on('commandSucceeded', ({ commandName, reply }) => {
    if (commandName === 'update') replies.push(reply as { writeConcernError?: object });
  });
  const live = createLiveStore(client.db(), neverSetAside);
  const apply = (checkedAtMs: number) => live.apply(ids.map((id) => liveUpdate(id, checkedAtMs)));

  await replicate(set, false);
  const applied = apply(1_000);
  await waitFor('the time limit of the write', 30_000, () => replies.length > 0).finally(() => replicate(set, true));
  t.same(await applied, []);
  t.equal(replies.length, 2, 'none is written by itself');
  t.ok(replies[0]?.writeConcernError);
  t.notOk(replies[1]?.writeConcernError, 'a majority has them');
  for (const id of ids) t.equal((await monitors.findOne({ _id: id }))?.live['fra']?.checked_at_ms, 1_000);

  await replicate(set, false);
  const refusal: unknown = await apply(2_000).then(
    () => null,
    (error: unknown) => error,
  );
  await replicate(set, true);
  t.ok(isDatabaseUnavailable(refusal), 'what no majority has is not acknowledged');
});

t.test('a node that a majority confirms later than a request gets its credential', async (t) => {
  const mongo = await openMongo(set.uri('enrolments'));
  const rows = mongo.db.collection('rows');
  await waitFor('a write', 60_000, () => rows.insertOne({}).then(() => true));
  const side = await startNodeSide(mongo, fakeMonitors());
  t.teardown(async () => {
    await side.stop();
    await mongo.close();
  });
  const token = await side.token('fra');
  // The enrolment begins to commit a moment later than the transaction beside it.
  const commitMs = REQUEST_TRANSACTION.commitMs + 1_000;
  const runTransaction = createRunTransaction(mongo.client, { ...REQUEST_TRANSACTION, commitMs });

  await replicate(set, false);
  const enrolled = enrolNode(token).then(
    ({ location }) => location,
    (error: unknown) => error,
  );
  const beside = runTransaction((tx) => rows.insertOne({}, { session: tx.session }));
  await t.rejects(beside, 'a request has ended').finally(() => replicate(set, true));
  t.equal(await enrolled, 'fra');
});

t.test('while the database hangs, every request is answered in time', async (t) => {
  const controlPlane = await startControlPlane(set.uri('requests'));
  t.teardown(() => controlPlane.remove());
  await works(controlPlane);

  await replicate(set, false);
  t.same(await statuses(t, controlPlane, 1, 'a majority hangs'), [503]);
  const beside = await statuses(t, controlPlane, PARALLEL, 'a majority hangs, no connection is free');
  t.same(
    beside.filter((status) => status !== 200),
    [503],
  );
  await people(t, controlPlane, 'a majority hangs');
  await replicate(set, true);
  await works(controlPlane);

  const primary = await set.primary();
  const others = [0, 1, 2].filter((member) => member !== primary);
  for (const member of others) set.signal(member, 'SIGSTOP');
  await waitFor('the primary to step down', 30_000, async () => {
    t.same(await statuses(t, controlPlane, 1, 'both other members are frozen'), [503]);
    return (await set.command(primary, { hello: 1 }))['isWritablePrimary'] !== true;
  });
  t.same(await statuses(t, controlPlane, PARALLEL, 'there is no primary'), [503]);
  for (const member of others) set.signal(member, 'SIGCONT');
  await works(controlPlane);

  const frozen = await set.primary();
  const voters = [0, 1, 2].filter((member) => member !== frozen);
  // Otherwise a new primary can answer all of them, if the machine is late.
  for (const member of voters) await set.command(member, { replSetFreeze: NO_ELECTION_S });
  set.signal(frozen, 'SIGSTOP');
  const when = 'the primary itself is frozen';
  const frozenOut = await statuses(t, controlPlane, PARALLEL, when, FROZEN_ANSWER_MS_MAX);
  t.same(
    frozenOut.filter((status) => status !== 200 && status !== 201),
    [503],
  );
  for (const member of voters) await set.command(member, { replSetFreeze: 0 });
  await works(controlPlane);
  set.signal(frozen, 'SIGCONT');
});

t.test('every kind of call ends within its deadline, as an unavailable database', async (t) => {
  const mongo = await openMongo(set.uri('calls'));
  t.teardown(() => mongo.close());
  const rows = mongo.db.collection<{ _id: number; n?: number }>('rows');
  // A try that failed can have stored it.
  const store = (_id: number) => rows.replaceOne({ _id }, {}, { upsert: true }).then(() => true);
  await waitFor('a write', 30_000, () => store(0));
  const runTransaction = createRunTransaction(mongo.client, REQUEST_TRANSACTION);
  const calls: Record<string, (id: number) => Promise<unknown>> = {
    insertOne: (_id) => rows.insertOne({ _id }),
    insertMany: (_id) => rows.insertMany([{ _id }]),
    updateOne: () => rows.updateOne({ _id: 0 }, { $inc: { n: 1 } }),
    updateMany: () => rows.updateMany({}, { $inc: { n: 1 } }),
    replaceOne: (n) => rows.replaceOne({ _id: 0 }, { n }),
    findOneAndUpdate: () => rows.findOneAndUpdate({ _id: 0 }, { $inc: { n: 1 } }),
    deleteMany: (_id) => rows.deleteMany({ _id }),
    bulkWrite: (_id) => rows.bulkWrite([{ insertOne: { document: { _id } } }], { ordered: false }),
    transaction: (_id) => runTransaction((tx) => rows.insertOne({ _id }, { session: tx.session })),
  };
  const ended = async (what: string, call: () => Promise<unknown>) => {
    const startedMs = performance.now();
    const error = await call().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    const tookMs = Math.round(performance.now() - startedMs);
    t.ok(isDatabaseUnavailable(error), `${what}: ${error}`);
    t.ok(tookMs < ANSWER_MS_MAX, `${what}: ${tookMs} ms`);
  };
  const all = (when: string) =>
    Promise.all(Object.entries(calls).map(([name, call], index) => ended(`${name}, ${when}`, () => call(index + 1))));

  await replicate(set, false);
  await all('a majority hangs');
  const holders = Array.from({ length: PARALLEL }, (_, index) => rows.insertOne({ _id: 1_000 + index }));
  await Promise.all([all('no connection is free'), Promise.allSettled(holders)]);
  await replicate(set, true);

  const primary = await set.primary();
  const others = [0, 1, 2].filter((member) => member !== primary);
  for (const member of others) set.signal(member, 'SIGSTOP');
  await waitFor(
    'the primary to step down',
    30_000,
    async () => (await set.command(primary, { hello: 1 }))['isWritablePrimary'] !== true,
  );
  await all('there is no primary');
  for (const member of others) set.signal(member, 'SIGCONT');
  await waitFor('a write', 60_000, () => store(-1));
});
