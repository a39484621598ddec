import { status } from '@grpc/grpc-js';
import { Registry } from 'prom-client';
import t from 'tap';
import type { AgentDocument } from '../../../control-plane/nodes/documents.js';
import { hashSecret, newCredential } from '../../../control-plane/nodes/enrolment/credentials.js';
import type { AgentOwner, NodeRecord } from '../../../control-plane/nodes/nodes.js';
import { systemRandom } from '../../../kernel/random.js';
import { createOpenChannel } from '../../../node-link/channel.js';
import { loadNodeLink } from '../../../proto/load.js';
import { testDatabase } from '../../helpers/database.js';
import { createGate } from '../../helpers/gate.js';
import { createFakeNode, fetchPinned } from '../../helpers/node-link/fake-node.js';
import { linkedAgent } from '../../helpers/node-link/linked-agent.js';
import { fakeMonitors, noAgents, startNodeSide } from '../../helpers/node-link/node-side.js';
import { waitFor } from '../../helpers/wait.js';

const MIB = 1_048_576;
const AGENTS = 200;
const RECORDS = 250;
const RECORD_BYTES = 2_048;
const INGEST_BYTES = 8 * MIB;
/** As in `ingest-memory.ts`. */
const [CREDIT_BYTES, DECODED_BYTES, DECODED_FACTOR] = [INGEST_BYTES / 4, (INGEST_BYTES * 3) / 4, 16];

/** Records of a batch of 160 KiB. */
const BATCH_RECORDS = 5;
/** As in `credit.ts`. */
const STREAM_BYTES_MIN = 8_192;
const OVERDRAFT_SHARE = 1 / 32;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const openChannel = createOpenChannel(loadNodeLink());
const bytesOf = (records: readonly Uint8Array[]) => records.reduce((sum, { length }) => sum + length, 0);

/** Writes agents to the database, without the enrolment of each. */
async function insertAgents(prefix: string, count: number): Promise<{ id: string; credential: string }[]> {
  const agents = Array.from({ length: count }, (_, index) => ({
    id: `${prefix}_${index}`,
    credential: newCredential(systemRandom),
  }));
  await mongo.db.collection<AgentDocument>('nodes').insertMany(
    agents.map(({ id, credential }) => ({
      ...{ _id: id, kind: 'agent', workspace_id: 'ws_1', version: '', hostname: id, document_version: 1 },
      ...{ credential_hash: hashSecret(credential), previous_credential_hash: null },
      ...{ credential_issued_at_ms: 1, enrolled_at_ms: 1, drained_at_ms: null, revoked_at_ms: null },
    })),
  );
  return agents;
}

t.test('what 200 agents with a backlog send, and what is decoded of it, is bounded; all is stored once', async (t) => {
  const stored = new Map<string, number[]>();
  const most = { decoded: 0, unacknowledged: 0 };
  let decoded = 0;
  const accept = async ({ nodeId }: { nodeId: string }, records: NodeRecord[]) => {
    const own = bytesOf(records.map(({ bytes }) => bytes)) * DECODED_FACTOR;
    decoded += own;
    most.decoded = Math.max(most.decoded, decoded);
    await mongo.db.command({ ping: 1 });
    decoded -= own;
    stored.set(nodeId, [...(stored.get(nodeId) ?? []), ...records.map(({ seq }) => seq)]);
    return [];
  };
  const owner: AgentOwner = { ...noAgents, records: { accept, delayMs: () => 0 } };
  const registry = new Registry();
  const side = await startNodeSide(mongo, fakeMonitors(), { agents: owner, ingestBytesMax: INGEST_BYTES, registry });
  t.teardown(() => side.stop());
  const authorityPem = await fetchPinned(side.address, side.authority.fingerprint);
  const sizes = new Map<string, number>();
  let unacknowledged = 0;
  const agents = (await insertAgents('srv', AGENTS)).map((identity) =>
    linkedAgent({
      ...{ ...identity, address: side.address, authorityPem, openChannel },
      record: (seq) => Buffer.alloc(RECORD_BYTES, seq),
      sent({ records = [] }) {
        const bytes = bytesOf(records as Uint8Array[]);
        sizes.set(identity.id, bytes);
        unacknowledged += bytes;
        most.unacknowledged = Math.max(most.unacknowledged, unacknowledged);
      },
      acknowledged() {
        unacknowledged -= sizes.get(identity.id) ?? 0;
        sizes.delete(identity.id);
      },
    }),
  );
  t.teardown(() => Promise.all(agents.map((agent) => agent.stop())));
  for (const agent of agents) {
    agent.add(RECORDS);
    agent.start();
  }
  await waitFor('everything to be delivered', 120_000, () => agents.every((agent) => agent.waiting() === 0));
  const creditMax = CREDIT_BYTES + AGENTS * STREAM_BYTES_MIN;
  t.ok(most.unacknowledged <= creditMax, `${most.unacknowledged} bytes sent at once of ${creditMax}`);
  t.ok(most.decoded <= DECODED_BYTES, `${most.decoded} bytes decoded at once of ${DECODED_BYTES}`);
  t.equal(stored.size, AGENTS);
  const inOrder = Array.from({ length: RECORDS }, (_, index) => index + 1);
  t.ok(
    [...stored.values()].every((seqs) => JSON.stringify(seqs) === JSON.stringify(inOrder)),
    'every record of every agent, once and in order',
  );
  const metric = await registry.getSingleMetric('picket_ingest_memory_bytes')?.get();
  const used = metric?.values.find(({ labels }) => labels['use'] === 'decoded')?.value;
  t.equal(used, 0, 'the memory is free again');
});

t.test('agents that send more than they were granted do not fill the memory, and others are served', async (t) => {
  const opened = createGate();
  const accept = async () => {
    await opened.pass();
    return [];
  };
  const owner: AgentOwner = { ...noAgents, records: { accept, delayMs: () => 0 } };
  const registry = new Registry();
  const side = await startNodeSide(mongo, fakeMonitors(), { agents: owner, ingestBytesMax: INGEST_BYTES, registry });
  t.teardown(() => side.stop());
  const bytesOfUse = async (use: 'overdrawn' | 'granted') => {
    const metric = await registry.getSingleMetric('picket_ingest_memory_bytes')?.get();
    return metric?.values.find(({ labels }) => labels['use'] === use)?.value ?? Number.NaN;
  };
  const overdrawn = () => bytesOfUse('overdrawn');
  const where = { location: '', fingerprint: side.authority.fingerprint, address: side.address };
  const [honest, ...greedy] = (await insertAgents('srv_greedy', 13)).map((one) => createFakeNode({ ...one, ...where }));
  t.teardown(() => {
    for (const node of [honest, ...greedy]) node?.close();
  });
  const batch = Array.from({ length: BATCH_RECORDS }, () => Buffer.alloc(32_768));
  const streams = await Promise.all(greedy.map((node) => node.connect()));
  for (const stream of streams) {
    for (let sent = 0; sent < 4; sent++) {
      stream.send({ batch: { firstSeq: 1 + sent * batch.length, records: batch, droppedTotal: 0 } });
    }
  }
  const room = INGEST_BYTES * OVERDRAFT_SHARE;
  const fitting = Math.floor(room / (batch.length * 32_768 - CREDIT_BYTES / 32));
  await waitFor(
    'the greedy streams to end',
    20_000,
    () => streams.filter((one) => one.isOver()).length >= 12 - fitting,
  );
  t.ok((await overdrawn()) <= room, `${await overdrawn()} of ${room} bytes`);
  const open = streams.filter((stream) => !stream.isOver());
  t.ok(open.length > 0, 'a few may exceed it');
  const ended = await Promise.all(streams.filter((stream) => stream.isOver()).map((stream) => stream.ended));
  t.same([...new Set(ended.map(({ code }) => code))], [status.RESOURCE_EXHAUSTED]);
  const stream = await honest?.connect();
  const ack = stream?.records([Buffer.alloc(4_096)]);
  opened.open();
  t.match(await ack, { rejections: [] }, 'an agent that keeps to it is served');
  for (const one of [...open, stream]) one?.cut();
  await waitFor('the memory to be free again', 10_000, async () => (await overdrawn()) === 0);
  await waitFor('the credit of all streams to be free again', 10_000, async () => (await bytesOfUse('granted')) === 0);
});
