import type { Test } from 'tap';
import { openMongo } from '../../../control-plane/storage/mongo.js';
import { reportFault } from '../fault-report.js';
import { startReplicaSet } from '../machine/replica-set.js';
import { enrolNode, type FakeStream } from '../node-link/fake-node.js';
import { startControlPlane } from '../processes/control-plane.js';
import { waitFor } from '../wait.js';
import { sampleMessageOf } from './app.js';

const SAMPLE_MS = 1_000;
/** As a node, an agent has no more unacknowledged batches. */
const UNACKNOWLEDGED_MAX = 8;

/** Sends samples until `stop` is called. */
function sendSamples(stream: FakeStream): { sent(): number; stop(): void } {
  let sent = 0;
  const acknowledged = () => stream.acks.at(-1)?.upToSeq ?? 0;
  const timer = setInterval(() => {
    if (sent - acknowledged() >= UNACKNOWLEDGED_MAX) return;
    sent += 1;
    // The acknowledgements are read below; one may take longer than this promise waits.
    stream.reports([sampleMessageOf(Date.now(), { cpu_percent: sent })]).catch(() => {});
  }, SAMPLE_MS);
  return { sent: () => sent, stop: () => clearInterval(timer) };
}

/**
 * Kills the primary of three members of the database while agents send samples, and asserts that no stream ends and that each
 * sample is stored once. `whileAwayPerAgent` samples are sent while there is no primary.
 */
export async function electionWithAgents(t: Test, scene: { agents: number; whileAwayPerAgent: number }): Promise<void> {
  const set = await startReplicaSet(3);
  t.teardown(() => set.remove());
  const uri = set.uri('election');
  const controlPlane = await startControlPlane(uri);
  t.teardown(() => controlPlane.remove());
  const streams: FakeStream[] = [];
  for (let agent = 0; agent < scene.agents; agent++) {
    const made = await controlPlane.api('POST', '/v1/servers/join-tokens');
    streams.push(await (await enrolNode(made.body.data.token)).connect());
  }
  const senders = streams.map(sendSamples);
  const sent = () => senders.reduce((sum, sender) => sum + sender.sent(), 0);
  const stored = (atLeast: number) =>
    waitFor(`${atLeast} acknowledgements`, 60_000, () => {
      const over = streams.filter((stream) => stream.isOver()).length;
      if (over > 0) throw new Error(`${over} streams have ended`);
      return streams.reduce((sum, { acks }) => sum + (acks.at(-1)?.upToSeq ?? 0), 0) >= atLeast;
    });
  await stored(scene.agents * 2);
  const killed = await set.primary();
  const frozen = killed === 0 ? 1 : 0;
  set.signal(frozen, 'SIGSTOP');
  set.signal(killed, 'SIGKILL');
  // Without a majority there is no election, so it takes as long as the test wants.
  await waitFor('batches to wait', 30_000, () => controlPlane.output().includes('holding the batches of nodes'));
  const before = sent();
  await waitFor('more samples', 20_000, () => sent() >= before + scene.agents * scene.whileAwayPerAgent);
  set.signal(frozen, 'SIGCONT');
  await waitFor('another primary', 60_000, async () => (await set.primary()) !== killed);
  await stored(sent() + scene.agents);
  for (const sender of senders) sender.stop();
  await stored(sent());
  t.equal(streams.filter((stream) => stream.isOver()).length, 0, controlPlane.output());
  t.same(
    streams.flatMap(({ acks }) => acks.flatMap(({ rejections }) => rejections)),
    [],
  );
  const mongo = await openMongo(uri);
  t.teardown(() => mongo.close());
  const seen = await mongo.db.collection('server_reports').countDocuments();
  const lost = Math.max(0, sent() - seen);
  const doubled = Math.max(0, seen - sent());
  reportFault({ fault: 'election', of: 'samples', expected: sent(), seen, lost, doubled, falsePages: 0 });
  t.equal(seen, sent(), 'each sample is stored once');
  for (const stream of streams) stream.end();
}
