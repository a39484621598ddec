import { createHash } from 'node:crypto';
import t from 'tap';
import { systemActor } from '../../../control-plane/actor.js';
import { AppError } from '../../../control-plane/errors.js';
import { createIdempotency } from '../../../control-plane/http/idempotency/idempotency.js';
import { createIdempotencyStore } from '../../../control-plane/http/idempotency/store.js';
import { canonicalJson } from '../../../control-plane/storage/canonical-json.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { testDatabase, throughProxy } from '../../helpers/database.js';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const proxy = await tcpProxy(Number(new URL(mongo.uri).port));
const controlPlane = await startControlPlane(throughProxy(mongo.uri, proxy.port));
const receiver = await startReceiver();
t.teardown(async () => {
  await controlPlane.remove();
  await receiver.close();
  await proxy.close();
  await mongo.drop();
});

const channel = await controlPlane.api('POST', '/v1/channels', {
  type: 'webhook',
  name: 'counted',
  config: { url: receiver.url },
});
const path = `/v1/channels/${channel.body.data.id}/test`;
const send = (key: string, body?: unknown) => controlPlane.api('POST', path, body, { 'idempotency-key': key });
const claims = mongo.db.collection('idempotency_keys');

t.test('concurrent repeats of one key send one message', async (t) => {
  const before = receiver.requests.length;
  receiver.behave({ status: 200, afterMs: 500 });
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send('at-once')));
  t.same(answers.map((answer) => answer.status).sort(), [200, 409, 409, 409, 409]);
  for (const answer of answers.filter(({ status }) => status === 409)) {
    t.match(answer.body, { code: 'conflict', detail: /still in progress/ });
    const seconds = Number(answer.headers.get('retry-after'));
    t.ok(seconds >= 1 && seconds < 10, `soon: ${seconds} s`);
  }
  const first = answers.find(({ status }) => status === 200);
  const repeat = await send('at-once');
  t.equal(repeat.headers.get('idempotent-replayed'), 'true');
  t.same(repeat.body, first?.body, 'a later repeat gets the first response');
  t.match(await send('at-once', { colour: 'red' }), { status: 422 });
  t.equal(receiver.requests.length - before, 1);
  t.equal((await send('another')).headers.get('idempotent-replayed'), null);
  t.equal(receiver.requests.length - before, 2, 'another key sends another message');
});

/** Aborts every open transaction of the control plane, as a write conflict does. The driver runs it again. */
async function abortTransactions(): Promise<void> {
  const admin = mongo.client.db('admin');
  const open = await admin
    .aggregate(
      [
        { $currentOp: { allUsers: true, idleSessions: true, localOps: true } },
        { $match: { client: { $in: proxy.upstreamPorts().map((port) => `127.0.0.1:${port}`) } } },
        { $match: { 'transaction.parameters.txnNumber': { $exists: true } } },
      ],
      { readConcern: { level: 'local' } },
    )
    .toArray();
  if (open.length > 0) await admin.command({ killSessions: open.map(({ lsid }) => ({ id: lsid.id })) });
}

t.test('a write conflict while the message is sent does not send it again', async (t) => {
  const before = receiver.requests.length;
  let interrupted = Promise.resolve();
  receiver.behave(() => {
    if (receiver.requests.length - before === 1) interrupted = abortTransactions();
    return { status: 200, afterMs: 500 };
  });
  const answer = await send('conflict');
  await interrupted;
  t.match(answer, { status: 200, body: { data: { status: 'sent' } } });
  t.equal((await send('conflict')).headers.get('idempotent-replayed'), 'true');
  t.equal(receiver.requests.length - before, 1);
});

t.test('the response is stored even if database connections break while the message is sent', async (t) => {
  const before = receiver.requests.length;
  receiver.behave(() => {
    proxy.cut();
    return { status: 200 };
  });
  t.match(await send('cut-off'), { status: 200, body: { data: { status: 'sent' } } });
  receiver.behave({ status: 200 });
  t.equal((await send('cut-off')).headers.get('idempotent-replayed'), 'true');
  t.equal(receiver.requests.length - before, 1);
});

/** Breaks the connection each time the response is sent to the database. The driver itself sends it twice. */
function cutWhenStored(times: number) {
  receiver.behave(() => {
    proxy.cutAt('idempotency_keys', times);
    return { status: 200 };
  });
}

t.test('the storing of the response is repeated when connections break just then', async (t) => {
  const before = receiver.requests.length;
  cutWhenStored(6);
  t.match(await send('cut-stored'), { status: 200, body: { data: { status: 'sent' } } });
  receiver.behave({ status: 200 });
  t.equal((await send('cut-stored')).headers.get('idempotent-replayed'), 'true');
  t.equal(receiver.requests.length - before, 1);
});

t.test('a response that cannot be stored reaches the client, and its key is not free', async (t) => {
  const before = receiver.requests.length;
  cutWhenStored(8);
  t.match(await send('cut-always'), { status: 200, body: { data: { status: 'sent' } } });
  receiver.behave({ status: 200 });
  t.match(await send('cut-always'), { status: 409, body: { detail: /interrupted, the key is free within a minute/ } });
  const toWaitAt = async (leftMs: number) => {
    await claims.updateOne({ answer: null }, { $set: { expires_at: new Date(Date.now() + leftMs) } });
    return Number((await send('cut-always')).headers.get('retry-after'));
  };
  const near = (seconds: number, wanted: number) => t.ok(Math.abs(seconds - wanted) < 10, `${seconds} s`);
  near(await toWaitAt(35_000), 25);
  near(await toWaitAt(20_000), 20);
  t.equal(receiver.requests.length - before, 1);
  t.equal((await claims.deleteMany({ answer: null })).deletedCount, 1);
});

t.test('an unfinished claim expires; failed work releases its key', async (t) => {
  const before = receiver.requests.length;
  receiver.behave({ status: 200, afterMs: 300 });
  const running = send('lapsed');
  await waitFor('the claim', 5_000, () => claims.findOne({ answer: null }));
  t.equal((await send('lapsed')).status, 409);
  await claims.updateOne({ answer: null }, { $set: { expires_at: new Date(Date.now() - 1) } });
  t.equal((await send('lapsed')).status, 200, 'as after a crash, a later repeat acts');
  t.equal((await running).status, 200);
  t.equal(receiver.requests.length - before, 2);
  t.equal((await send('lapsed')).headers.get('idempotent-replayed'), 'true', 'its response is not overwritten');

  const missing = `/v1/channels/chn_${'0'.repeat(26)}/test`;
  for (const _ of [1, 2]) {
    t.equal((await controlPlane.api('POST', missing, undefined, { 'idempotency-key': 'missing' })).status, 404);
  }
  t.equal(await claims.countDocuments({ answer: null }), 0);
});

t.test('a key is free after a refusal, and not after an error that leaves open whether the work acted', async (t) => {
  const idempotency = createIdempotency({
    ...{ store: createIdempotencyStore(mongo.db), runTransaction: createRunTransaction(mongo.client) },
    ...{ secretBox: createSecretBox(systemRandom.bytes(32), systemRandom), clock: systemClock },
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const actor = systemActor({ id: 'ws_1', name: 'W', plan: 'Free' }, 'req_1');
  let acts = 0;
  const act = (key: string, error: Error) =>
    idempotency.runOutside({ actor, path: '/v1/act', key, content: null }, async () => {
      acts += 1;
      throw error;
    });
  const refused = new AppError('conflict', 'refused');
  for (const _ of [1, 2]) await t.rejects(act('refused', refused), refused);
  const broken = new Error('broken');
  await t.rejects(act('broken', broken), broken);
  await t.rejects(act('broken', broken), { code: 'conflict', message: /still in progress/ });
  t.equal(acts, 3);
  await claims.deleteMany({ answer: null });
});

t.test('what is stored of a request does not help to guess its passwords', async (t) => {
  const body = { type: 'webhook', name: 'guessed', config: { url: `${receiver.url}?password=1234` } };
  const headers = { 'idempotency-key': 'guess' };
  const before = await claims.countDocuments({});
  t.equal((await controlPlane.api('POST', '/v1/channels', body, headers)).status, 201);
  const [stored] = await claims.find({}).sort({ expires_at: -1 }).limit(1).toArray();
  t.equal(await claims.countDocuments({}), before + 1);
  t.match(stored?.['fingerprint'], /^[0-9a-f]{64}$/);
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  for (const query of [{}, undefined, null]) {
    t.not(stored?.['fingerprint'], sha256(canonicalJson(['POST', query, body])), 'not a plain hash of the request');
  }
  t.equal((await controlPlane.api('POST', '/v1/channels', body, headers)).headers.get('idempotent-replayed'), 'true');
  const other = { ...body, name: 'other' };
  t.match(await controlPlane.api('POST', '/v1/channels', other, headers), { body: { code: 'idempotency_mismatch' } });
});

t.test('a workspace that stores too much is told that its requests were carried out', async (t) => {
  const time = { ms: 0 };
  const idempotency = createIdempotency({
    ...{ store: createIdempotencyStore(mongo.db), runTransaction: createRunTransaction(mongo.client) },
    secretBox: createSecretBox(systemRandom.bytes(32), systemRandom),
    clock: { ...systemClock, monotonic: () => time.ms },
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  let done = 0;
  const send = (key: string, workspaceId = 'ws_full') => {
    const actor = systemActor({ id: workspaceId, name: 'W', plan: 'Free' }, 'req_1');
    return idempotency.run({ actor, path: '/v1/long', key, content: null }, async () => {
      done += 1;
      return { status: 200, headers: {}, body: systemRandom.bytes(90_000).toString('base64') };
    });
  };
  for (let n = 0; n < 40; n++) t.equal((await send(`k${n}`)).response.status, 200);
  const rows = await claims.find({ workspace_id: 'ws_full' }).toArray();
  const bytes = rows.reduce((sum, { answer }) => sum + String(answer).length, 0);
  t.ok(bytes > 3 * 1_048_576 && bytes < 4.1 * 1_048_576, `${bytes} bytes are stored`);
  t.equal((await send('k0')).replayed, true);
  const refused = { code: 'conflict', message: /was carried out. Its response was not stored, because this workspace/ };
  await t.rejects(send('k39'), refused);
  t.equal(done, 40, 'nothing is done twice');
  await send('k0', 'ws_other');
  t.equal((await send('k0', 'ws_other')).replayed, true, 'other workspaces have their own budget');
  time.ms += 3_600_000;
  await send('later');
  t.equal((await send('later')).replayed, true);
});

t.test('a request whose transaction begins again uses the budget for responses once', async (t) => {
  const runTransaction = createRunTransaction(mongo.client);
  const idempotency = createIdempotency({
    ...{ store: createIdempotencyStore(mongo.db), secretBox: createSecretBox(systemRandom.bytes(32), systemRandom) },
    // As after write conflicts: the work was done, and is done again in another transaction.
    async runTransaction(work) {
      const again = new Error('again');
      for (let tries = 0; tries < 4; tries++) {
        const abandoned = runTransaction(async (tx) => {
          await work(tx);
          throw again;
        });
        await t.rejects(abandoned, again);
      }
      return runTransaction(work);
    },
    clock: { ...systemClock, monotonic: () => 0 },
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const actor = systemActor({ id: 'ws_again', name: 'W', plan: 'Free' }, 'req_1');
  const send = (key: string) =>
    idempotency.run({ actor, path: '/v1/long', key, content: null }, async () => {
      return { status: 200, headers: {}, body: systemRandom.bytes(90_000).toString('base64') };
    });
  const keys = Array.from({ length: 10 }, (_, n) => `again${n}`);
  for (const key of keys) t.equal((await send(key)).replayed, false);
  for (const key of keys) t.equal((await send(key)).replayed, true, 'ten responses are below the budget');
});
