import t, { type Test } from 'tap';
import { REQUEST_TRANSACTION } from '../../../control-plane/storage/deadlines.js';
import { openMongo } from '../../../control-plane/storage/mongo.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { isDatabaseUnavailable } from '../../../control-plane/storage/unavailable.js';
import { type ReplicaSet, startReplicaSet } from '../../helpers/machine/replica-set.js';
import { personAt } from '../../helpers/people/person.js';
import { type ControlPlane, startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const ANSWER_MS_MAX = 10_000;
/** It takes a while to find out that a member is frozen. */
const FROZEN_ANSWER_MS_MAX = 15_000;
/** More than the connections of a control plane. */
const PARALLEL = 80;
const BODY = { name: 'm', type: 'tcp', url: '127.0.0.1:9', interval_seconds: 3600 };

const set = await startReplicaSet(3);
t.teardown(() => set.remove());

/** Stops or resumes replication, while every member stays well. */
async function replicate(own: ReplicaSet, does: boolean): Promise<void> {
  const primary = await own.primary();
  for (const member of [0, 1, 2].filter((one) => one !== primary)) {
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
  set.signal(frozen, 'SIGSTOP');
  const when = 'the primary itself is frozen';
  const frozenOut = await statuses(t, controlPlane, PARALLEL, when, FROZEN_ANSWER_MS_MAX);
  t.same(
    frozenOut.filter((status) => status !== 200 && status !== 201),
    [503],
  );
  await works(controlPlane);
  set.signal(frozen, 'SIGCONT');
});

t.test('every kind of call ends within its deadline, as an unavailable database', async (t) => {
  const mongo = await openMongo(set.uri('calls'));
  t.teardown(() => mongo.close());
  const rows = mongo.db.collection<{ _id: number; n?: number }>('rows');
  await waitFor('a write', 30_000, () => rows.insertOne({ _id: 0 }).then(() => true));
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
  await waitFor('a write', 60_000, () => rows.insertOne({ _id: -1 }).then(() => true));
});
