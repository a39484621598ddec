import t from 'tap';
import { credentialIn, joinTokenText, newCredential } from '../../../control-plane/nodes/enrolment/credentials.js';
import { createRotationLimit } from '../../../control-plane/nodes/enrolment/rotation-limit.js';
import { latenessOf } from '../../../control-plane/nodes/locations/lateness.js';
import {
  type AssignmentChanges,
  createChangeCollector,
} from '../../../control-plane/nodes/probes/assignments/assignment-messages.js';
import { createAssignmentFeeds } from '../../../control-plane/nodes/probes/assignments/assignments.js';
import { rendezvousOwner } from '../../../control-plane/nodes/probes/rendezvous.js';
import { createKeyedQueue } from '../../../control-plane/nodes/streams/keyed-queue.js';
import { createSessionMachine, type SessionState } from '../../../control-plane/nodes/streams/session-state.js';
import { createStreamWriter } from '../../../control-plane/nodes/streams/writer.js';
import { createChangePoll } from '../../../control-plane/storage/poll-changes.js';
import { systemRandom } from '../../../kernel/random.js';
import { parseJoinToken } from '../../../node-link/enrolment/join-token.js';
import type { Assignments } from '../../../proto/generated/picket/link/v1/Assignments.js';
import type { MonitorAssignment } from '../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';
import { loadNodeLink } from '../../../proto/load.js';
import { testClock } from '../../helpers/clock.js';
import { assignmentOf, fakeMonitors } from '../../helpers/node-link/node-side.js';

const monitorIds = Array.from({ length: 3_000 }, (_, index) => `mon_${index}`);

t.test('rendezvous hashing distributes keys evenly and deterministically, and moves few of them', async (t) => {
  const nodes = ['prb_a', 'prb_b', 'prb_c'];
  const before = monitorIds.map((id) => rendezvousOwner(id, nodes));
  t.same(
    monitorIds.map((id) => rendezvousOwner(id, [...nodes].reverse())),
    before,
    'independent of the order of the nodes',
  );
  for (const node of nodes) {
    const share = before.filter((owner) => owner === node).length;
    t.ok(share > 900 && share < 1_100, `${node} has ${share} of 3000`);
  }
  const after = monitorIds.map((id) => rendezvousOwner(id, ['prb_a', 'prb_c']));
  t.ok(
    before.every((owner, index) => owner === 'prb_b' || owner === after[index]),
    'only the monitors of the removed node move',
  );
  t.equal(rendezvousOwner('mon_1', []), null);
});

t.test('credentials and join tokens have a fixed format that nodes can read', async (t) => {
  const credential = newCredential(systemRandom);
  t.equal(credentialIn(`Bearer ${credential}`), credential);
  for (const wrong of [undefined, '', credential, `Basic ${credential}`, `Bearer ${credential}x`, 'Bearer pn_short']) {
    t.equal(credentialIn(wrong), null);
  }
  const fingerprint = 'ab'.repeat(32);
  const token = joinTokenText({ secret: 's', fingerprint, address: '10.0.0.1:8443' });
  t.same(parseJoinToken(token), { secret: 's', fingerprint, addresses: ['10.0.0.1:8443'] });
});

t.test('a node may rotate its credential ten times per hour', async (t) => {
  const clock = testClock();
  const mayRotate = createRotationLimit(clock);
  const rotations = (count: number) => Array.from({ length: count }, () => mayRotate('prb_a'));
  t.same(rotations(12), [...Array(10).fill(true), false, false]);
  t.ok(mayRotate('prb_b'), 'each node by itself');
  await clock.advance(3_600_000);
  t.same(rotations(11), [...Array(10).fill(true), false]);
});

t.test('the lateness of an hour is never too low', async (t) => {
  t.equal(latenessOf([]), null);
  t.equal(latenessOf([{ p50_ms: 1, p99_ms: 2, slots_run: 0 }]), null);
  const quiet = Array.from({ length: 59 }, () => ({ p50_ms: 2, p99_ms: 10, slots_run: 100 }));
  t.same(latenessOf([...quiet, { p50_ms: 500, p99_ms: 900, slots_run: 100 }]), { p50_ms: 2, p99_ms: 900 });
  t.same(latenessOf([...quiet, { p50_ms: 500, p99_ms: 900, slots_run: 1 }]), { p50_ms: 2, p99_ms: 10 });
});

t.test('a session only makes known transitions, and none from closed', async (t) => {
  const entered: SessionState[] = [];
  const machine = createSessionMachine((state) => entered.push(state));
  t.notOk(machine.transition('live'), 'no stream is live without a claim');
  t.notOk(machine.transition('draining'));
  for (const state of ['claiming', 'live', 'draining', 'finishing', 'closed'] as const) t.ok(machine.transition(state));
  for (const state of ['live', 'finishing', 'closed'] as const) t.notOk(machine.transition(state));
  t.same(entered, ['claiming', 'live', 'draining', 'finishing', 'closed']);
});

t.test('the writer stops while the stream is full, keeps the order, and has a bounded queue', async (t) => {
  const written: number[] = [];
  let room = 2;
  let onDrain: () => void = () => {};
  const sink = {
    write(message: ToNode) {
      written.push(Number(message.pong?.nonce));
      room -= 1;
      return room > 0;
    },
    once: (_event: 'drain', listener: () => void) => {
      onDrain = listener;
    },
  };
  let overflows = 0;
  const writer = createStreamWriter(sink, () => {
    overflows += 1;
  });
  const pong = (nonce: number): ToNode => ({ pong: { nonce } });
  for (let nonce = 1; nonce <= 5; nonce++) writer.write(pong(nonce));
  t.same(written, [1, 2], 'nothing is written while the stream is full');
  t.equal(writer.backlog(), 3);
  let flushed = 0;
  writer.whenFlushed(() => {
    flushed += 1;
  });
  t.equal(flushed, 0);
  room = 10;
  onDrain();
  t.same(written, [1, 2, 3, 4, 5]);
  t.equal(flushed, 1);
  room = 1;
  for (let nonce = 0; nonce <= 1_001; nonce++) writer.write(pong(nonce));
  t.notOk(writer.offer(pong(1)), 'offered messages are dropped first');
  for (let nonce = 0; nonce < 2_000; nonce++) writer.write(pong(nonce));
  t.equal(overflows, 1, 'the stream of a node that never reads overflows once');
  t.equal(writer.backlog(), 0);
});

t.test('changes are split by number and by size, so that every message can be received', async (t) => {
  const collect = (put: MonitorAssignment[], remove: string[]) => {
    const messages: AssignmentChanges[] = [];
    const collector = createChangeCollector((changes) => messages.push(changes));
    for (const id of remove) collector.remove(id);
    for (const assignment of put) collector.put(assignment);
    return [...messages, collector.take()];
  };
  t.same(collect([], []), [{ put: [], remove: [] }]);
  const many = collect(
    monitorIds.slice(0, 1_234).map((id) => assignmentOf(id)),
    ['mon_gone'],
  );
  t.same(
    many.map(({ put, remove }) => put.length + remove.length),
    [500, 500, 235],
  );
  const headers = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x-${index}`, '€'.repeat(4_096)]));
  const http = { method: 'POST', expectedStatus: 200, headers, body: '€'.repeat(65_536) };
  const heavy = collect(
    monitorIds.slice(0, 20).map((id) => ({ ...assignmentOf(id), http })),
    [],
  );
  const { requestSerialize: _, responseSerialize } = loadNodeLink().service.Connect;
  const sizes = heavy.map((changes) => responseSerialize({ assignments: changes }).length);
  t.ok(Math.max(...sizes) < 1_100_000, `at most ${Math.max(...sizes)} bytes`);
  t.equal(heavy.flatMap(({ put }) => put).length, 20);
});

t.test('a feed sends a difference to a node that has the last revision, else a snapshot', async (t) => {
  const clock = testClock();
  const monitors = fakeMonitors();
  let members = ['prb_a'];
  const shares = { open: () => {}, change: () => {}, forget: () => {} };
  const feeds = createAssignmentFeeds({
    source: monitors,
    members: () => members,
    shares,
    clock,
    random: systemRandom,
  });
  monitors.put('fra', ...['a', 'b', 'c'].map((id) => assignmentOf(id)));
  await clock.advance(100);
  const connect = (nodeId: string) => {
    const sent: Assignments[] = [];
    let backlog = 0;
    return {
      sent,
      fill: (messages: number) => {
        backlog = messages;
      },
      last: () => sent.at(-1),
      receiver: {
        node: { nodeId, kind: 'probe' as const, location: 'fra' },
        send: (message: Assignments) => sent.push(message),
        backlog: () => backlog,
      },
    };
  };
  const first = connect('prb_a');
  feeds.open(first.receiver, 0);
  t.match(first.sent, [{ snapshot: true, last: true }]);
  t.equal(first.sent[0]?.put?.length, 3);

  monitors.put('fra', assignmentOf('a', 2), assignmentOf('d'));
  monitors.put('fra', assignmentOf('d', 2));
  monitors.remove('fra', 'b');
  monitors.put('nyc', assignmentOf('e'));
  await clock.advance(100);
  t.equal(first.sent.length, 2, 'concurrent changes are sent together');
  t.match(first.last(), { snapshot: false, last: true, remove: ['b'] });
  t.same(
    first.last()?.put?.map(({ monitorId, version }) => [monitorId, version]),
    [
      ['a', 2],
      ['d', 2],
    ],
  );
  t.ok(Number(first.last()?.revision) > Number(first.sent[0]?.revision), 'revisions increase');
  monitors.put('fra', assignmentOf('a', 2));
  await clock.advance(100);
  t.equal(first.sent.length, 2, 'an unchanged assignment is not sent again');

  const held = Number(first.last()?.revision);
  feeds.close(first.receiver);
  monitors.put('fra', assignmentOf('c', 9));
  await clock.advance(5_000);
  const again = connect('prb_a');
  feeds.open(again.receiver, held);
  t.match(
    again.sent,
    [{ snapshot: false, put: [{ monitorId: 'c', version: 9 }], remove: [] }],
    'only the missed changes',
  );
  feeds.close(again.receiver);
  const unchanged = connect('prb_a');
  feeds.open(unchanged.receiver, Number(again.last()?.revision));
  t.same(unchanged.sent, [], 'no message without missed changes');
  feeds.close(unchanged.receiver);
  const stale = connect('prb_a');
  feeds.open(stale.receiver, held);
  t.match(stale.sent, [{ snapshot: true }], 'a snapshot for an older revision');

  stale.fill(51);
  monitors.put('fra', assignmentOf('f'));
  await clock.advance(2_000);
  t.equal(stale.sent.length, 1, 'a node with too many waiting messages gets no more differences');
  stale.fill(0);
  await clock.advance(2_000);
  t.match(stale.last(), { put: [{ monitorId: 'f' }] }, 'it gets the missed changes once it has caught up');

  const second = connect('prb_b');
  members = ['prb_a', 'prb_b'];
  feeds.membersChanged('fra');
  feeds.open(second.receiver, 0);
  const shared = [...(second.sent[0]?.put ?? []).map(({ monitorId }) => monitorId)].sort();
  t.same([...(stale.last()?.remove ?? [])].sort(), shared, 'the first loses the monitors that the second gets');
  members = ['prb_b'];
  feeds.membersChanged('fra');
  t.equal((stale.last()?.remove?.length ?? 0) + shared.length, 4, 'a drained node has no monitors');
  feeds.stop();
});

t.test('a poll reads after a change, at least every two seconds, and again after a failure', async (t) => {
  const clock = testClock();
  let [newest, reads, failing]: [string | null, number, boolean] = [null, 0, false];
  const poll = createChangePoll({
    newest: async () => newest,
    async read() {
      reads += 1;
      if (failing) throw new Error('away');
    },
    clock,
  });
  await poll();
  t.equal(reads, 1, 'the first poll reads');
  await poll();
  t.equal(reads, 1, 'no change');
  newest = 'a';
  failing = true;
  await t.rejects(poll(), { message: 'away' });
  failing = false;
  await poll();
  t.equal(reads, 3, 'a failed read is repeated');
  await poll();
  t.equal(reads, 3);
  await clock.advance(2_000);
  await poll();
  t.equal(reads, 4, 'two entries can have the same time');
});

t.test(
  'a keyed queue runs work of a key in order, also after a failure, and work of other keys concurrently',
  async (t) => {
    const enqueue = createKeyedQueue();
    const log: string[] = [];
    let fail: (error: Error) => void = () => undefined;
    const first = enqueue('prb_a', () => new Promise((_resolve, reject) => (fail = reject)));
    const second = enqueue('prb_a', async () => void log.push('second'));
    await enqueue('prb_b', async () => void log.push('other'));
    t.same(log, ['other']);
    fail(new Error('away'));
    await t.rejects(first, { message: 'away' });
    await second;
    t.same(log, ['other', 'second']);
  },
);
