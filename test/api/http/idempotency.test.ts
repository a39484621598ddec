import { createHash } from 'node:crypto';
import t from 'tap';
import { canonicalJson } from '../../../control-plane/storage/canonical-json.js';
import { testDatabase } from '../../helpers/database.js';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const uri = new URL(mongo.uri);
const proxy = await tcpProxy(Number(uri.port));
uri.port = String(proxy.port);
uri.searchParams.delete('replicaSet');
uri.searchParams.set('directConnection', 'true');
const controlPlane = await startControlPlane(uri.href);
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
    t.equal(answer.headers.get('retry-after'), '1');
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
