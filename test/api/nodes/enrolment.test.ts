import { createHash, X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { status } from '@grpc/grpc-js';
import t from 'tap';
import { createAuthorityStore } from '../../../control-plane/nodes/enrolment/authority-store.js';
import {
  givenCertificate,
  openCertificateAuthority,
} from '../../../control-plane/nodes/enrolment/certificate-authority.js';
import { hashSecret } from '../../../control-plane/nodes/enrolment/credentials.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { lockJoinToken } from '../../helpers/locked-monitor.js';
import { testAuthority } from '../../helpers/node-link/authority.js';
import {
  createFakeNode,
  enrolNode,
  fetchPinned,
  openClient,
  readJoinToken,
} from '../../helpers/node-link/fake-node.js';
import { fakeMonitors, openTestAuthority, startNodeSide } from '../../helpers/node-link/node-side.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const monitors = fakeMonitors();
const side = await startNodeSide(mongo, monitors);
const nodesCollection = mongo.db.collection<{ _id: string }>('nodes');
const auditEntries = (action: string) => mongo.db.collection('audit_log').find({ action }).toArray();

t.teardown(async () => {
  await side.stop();
  await mongo.drop();
});

t.test('the first control plane creates the authority, and its key is stored encrypted', async (t) => {
  const other = await testDatabase();
  const opened = await Promise.all(Array.from({ length: 6 }, () => openTestAuthority(other)));
  t.equal(
    new Set(opened.map((authority) => authority.fingerprint)).size,
    1,
    'all control planes have the same fingerprint',
  );
  t.equal(await other.db.collection('certificate_authorities').countDocuments(), 1);
  const stored = JSON.stringify(await other.db.collection('certificate_authorities').findOne());
  t.notMatch(stored, 'PRIVATE KEY', 'the key is not stored in plain text');
  const chains = opened.map((authority) => authority.identity().chain);
  t.equal(new Set(chains).size, 6, 'each control plane has its own certificate');
  const foreign = openCertificateAuthority({
    store: createAuthorityStore(other.db),
    secretBox: createSecretBox(Buffer.alloc(32, 9), systemRandom),
    clock: testClock(),
    random: systemRandom,
    logger: createLogger({ name: 'test', level: 'silent' }),
    hosts: [],
  });
  await t.rejects(foreign, { name: 'SealBroken' }, 'it cannot be opened with another key');
  for (const authority of opened) authority.close();
  await other.drop();
});

t.test('the server presents leaf and authority for its fixed name and its hosts', async (t) => {
  const [host = '', port] = side.address.split(':');
  const chain = await new Promise<X509Certificate[]>((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => {
      const leaf = socket.getPeerCertificate(true);
      resolve([new X509Certificate(leaf.raw), new X509Certificate(leaf.issuerCertificate.raw)]);
      socket.destroy();
    });
    socket.on('error', reject);
  });
  const [leaf, authority] = chain;
  if (leaf === undefined || authority === undefined) throw new Error('no chain');
  t.ok(leaf.verify(authority.publicKey), 'the leaf is signed by the authority');
  t.ok(leaf.checkHost('picket-control-plane'));
  t.ok(leaf.checkIP('127.0.0.1'));
  t.notOk(leaf.ca, 'the leaf is not an authority');
  t.ok(authority.ca);
  t.equal(createHash('sha256').update(authority.raw).digest('hex'), side.authority.fingerprint);
  t.equal(readJoinToken(await side.token('fra')).fingerprint, side.authority.fingerprint, 'join tokens contain it');
});

t.test('the running server renews a certificate when a third of its validity is left', async (t) => {
  const clock = testClock(Date.now());
  const authority = await openTestAuthority(mongo, clock);
  const identities: string[] = [];
  authority.onIdentity(({ chain }) => identities.push(chain));
  const dayMs = 86_400_000;
  for (let day = 0; day < 59; day++) await clock.advance(dayMs);
  t.equal(identities.length, 1, 'not earlier');
  await clock.advance(2 * dayMs);
  await waitFor('a new certificate', 30_000, () => identities.length === 2);
  const renewed = new X509Certificate(identities[1] ?? '');
  t.ok(Date.parse(renewed.validTo) - clock.now() > 85 * dayMs);
  t.not(identities[0], identities[1]);
  authority.close();

  // After a renewal, the server presents the new certificate to the next connection.
  let renew: (identity: { chain: string; key: string }) => void = () => {};
  const [first, second] = [(await openTestAuthority(mongo)).identity(), (await openTestAuthority(mongo)).identity()];
  const other = await startNodeSide(mongo, monitors, {
    authority: {
      fingerprint: side.authority.fingerprint,
      identity: () => first,
      onIdentity(listener) {
        renew = listener;
        listener(first);
        return () => {};
      },
      close: () => {},
    },
  });
  const serial = async () => {
    const [host = '', port] = other.address.split(':');
    return new Promise<string>((resolve, reject) => {
      const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
        resolve(new X509Certificate(socket.getPeerCertificate().raw).serialNumber);
        socket.destroy();
      }).on('error', reject);
    });
  };
  t.equal(await serial(), new X509Certificate(first.chain).serialNumber);
  renew(second);
  t.equal(await serial(), new X509Certificate(second.chain).serialNumber);
  await other.stop();
});

t.test('the certificate of the operator is presented instead; nodes pin the last one of its chain', async (t) => {
  const own = await testAuthority('probes.example');
  const authority = givenCertificate({ chain: own.chainPem, key: own.keyPem });
  t.equal(authority.fingerprint, own.fingerprint);
  const other = await startNodeSide(mongo, monitors, { authority });
  t.match(await fetchPinned(other.address, own.fingerprint), 'BEGIN CERTIFICATE');
  const foreignKey = (await testAuthority()).keyPem;
  t.throws(() => givenCertificate({ chain: own.chainPem, key: foreignKey }), /does not belong to the certificate/);
  await other.stop();
});

t.test('of 20 concurrent enrolments with one join token, one succeeds', async (t) => {
  const token = await side.token('nyc');
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => enrolNode(token, { hostname: 'rival' })));
  const won = tries.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
  const lost = tries.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []));
  t.equal(won.length, 1);
  t.ok(
    lost.every((error) => error.code === status.UNAUTHENTICATED),
    'the others are refused',
  );
  t.equal(await nodesCollection.countDocuments({ hostname: 'rival' }), 1);
  t.match(won[0], { location: 'nyc', id: /^prb_/, credential: /^pn_[\w-]{43}$/ });
  const enrolled = await auditEntries('probe.enrolled');
  t.equal(enrolled.filter(({ resource }) => resource.id === won[0]?.id).length, 1, 'one audit entry');
  t.ok((await auditEntries('probe.join_token_created')).length > 0);
});

t.test('an enrolment that the database delays ends with an answer, and its token stays valid', async (t) => {
  const runEnrolmentTransaction = createRunTransaction(mongo.client, { transactionMs: 500, commitMs: 500 });
  const other = await startNodeSide(mongo, monitors, { runEnrolmentTransaction });
  const token = await other.token('fra');
  const release = await lockJoinToken(mongo.uri, hashSecret(readJoinToken(token).secret));
  t.teardown(async () => {
    await release();
    await other.stop();
  });
  const delayed = { code: status.UNAVAILABLE, details: 'the call failed, retry' };
  await t.rejects(enrolNode(token), delayed, 'before the end of its connection');
  await release();
  t.match(await enrolNode(token), { location: 'fra' });
});

t.test('tokens and credentials are not stored in plain text', async (t) => {
  const token = await side.token('fra');
  const node = await enrolNode(token);
  const everything = JSON.stringify([
    await mongo.db.collection('join_tokens').find().toArray(),
    await nodesCollection.find().toArray(),
    await mongo.db.collection('audit_log').find().toArray(),
  ]);
  t.notMatch(everything, readJoinToken(token).secret);
  t.notMatch(everything, node.credential);
  t.match(everything, createHash('sha256').update(node.credential).digest('hex'), 'the hash is stored');
});

t.test('an expired, unknown or overlong token is refused, and so is one for an unknown location', async (t) => {
  const token = await side.token('fra');
  await mongo.db
    .collection('join_tokens')
    .updateMany({ used_at_ms: null }, { $set: { expires_at: new Date(Date.now() - 1_000) } });
  await t.rejects(enrolNode(token), { code: status.UNAUTHENTICATED });
  const { fingerprint } = readJoinToken(token);
  for (const secret of ['', 'x', 'y'.repeat(5_000)]) {
    const client = await openClient(side.address, fingerprint);
    const refused = new Promise((_resolve, reject) => client.enrol({ token: secret }, (error) => reject(error)));
    await t.rejects(refused, { code: status.UNAUTHENTICATED });
    client.close();
  }
  await t.rejects(side.token('xyz'), { code: 'validation_failed' });
});

t.test('the host name and version of a node are truncated and stripped of control characters', async (t) => {
  const node = await enrolNode(await side.token('fra'), {
    hostname: `a\r\nb\u0000${'c'.repeat(300)}`,
    version: '9\u202e.1',
  });
  const stored = await nodesCollection.findOne({ _id: node.id });
  t.match(stored, { hostname: `ab${'c'.repeat(253)}`, version: '9.1' });
});

t.test('a stream is authenticated by its credential only', async (t) => {
  const node = await side.enrol('fra');
  const stream = await node.connect();
  t.match(await stream.next((message) => message.welcome), { nodeId: node.id, location: 'fra', drained: false });
  for (const credential of [`pn_${'A'.repeat(43)}`, 'nothing', '']) {
    await t.rejects(node.connect({ credential }), { code: status.UNAUTHENTICATED });
  }
  const client = await openClient(side.address, node.fingerprint);
  const bare = await new Promise((resolve) => client.connect().on('error', resolve));
  t.match(bare, { code: status.UNAUTHENTICATED }, 'without a credential');
  client.close();
  stream.end();
});

t.test('after a rotation, the previous credential works until the first use of the new one', async (t) => {
  const node = await side.enrol('fra');
  const old = node.credential;
  const lost = await node.rotate({ keep: true });
  const kept = await node.rotate({ keep: true });
  await t.rejects(
    node.connect({ credential: lost }),
    { code: status.UNAUTHENTICATED },
    'the credential of a lost response is not valid',
  );
  const before = await node.connect({ credential: old });
  t.ok(before, 'the previous credential still works');
  const after = await node.connect({ credential: kept });
  t.ok(after, 'the new credential works too');
  await t.rejects(node.connect({ credential: old }), { code: status.UNAUTHENTICATED }, 'then only the new one works');
  await t.rejects(node.rotate({ credential: old }), { code: status.UNAUTHENTICATED });
  t.match(await before.ended, { code: status.ABORTED }, 'the stream with the previous credential is replaced');
  t.notOk(after.isOver(), 'the stream with the new credential stays');
  after.end();
  const rotations = await auditEntries('integration.credential_rotated');
  t.match(
    rotations.filter(({ resource }) => resource.id === node.id),
    Array.from({ length: 2 }, () => ({
      workspace_id: 'ws_operators',
      actor: { id: null, email: 'system', ip: null },
      resource: { type: 'probe' },
      metadata: { location: 'fra' },
    })),
    'each rotation is in the audit log of the operators, the refused one is not',
  );
  t.equal(rotations.length, 2);
});

t.test('a node that rotates without end is refused, and its credential stays valid', async (t) => {
  const node = await side.enrol('fra');
  for (let rotation = 0; rotation < 10; rotation++) await node.rotate();
  await t.rejects(node.rotate(), { code: status.RESOURCE_EXHAUSTED });
  const entries = await auditEntries('integration.credential_rotated');
  t.equal(entries.filter(({ resource }) => resource.id === node.id).length, 10);
  const stream = await node.connect();
  stream.end();
  const other = await side.enrol('fra');
  await t.resolves(other.rotate(), 'another node can rotate');
});

t.test(
  'after a rotation by a process without an instance, the stream with the new credential replaces the previous one',
  async (t) => {
    const node = await side.enrol('fra');
    const before = await node.connect({ instance: null });
    await node.rotate();
    const after = await node.connect({ instance: null });
    t.match(await before.ended, { code: status.ABORTED });
    t.notOk(after.isOver(), 'the stream with the new credential stays');
    after.end();
  },
);

t.test('a node of another installation is unknown', async (t) => {
  const node = await side.enrol('fra');
  const other = await testDatabase();
  const otherTenant = await startNodeSide(other, monitors);
  t.not(otherTenant.authority.fingerprint, node.fingerprint);
  await t.rejects(createFakeNode({ ...node, address: otherTenant.address }).connect(), /fingerprint/);
  await otherTenant.stop();
  await other.drop();
});
