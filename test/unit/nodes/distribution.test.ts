import fc from 'fast-check';
import t from 'tap';
import type { AssignmentSource } from '../../../control-plane/nodes/nodes.js';
import { createAssignmentFeeds } from '../../../control-plane/nodes/probes/assignments/assignments.js';
import { type AssignmentReceiver, createFeed } from '../../../control-plane/nodes/probes/assignments/feed.js';
import { createSlicedWork } from '../../../control-plane/nodes/probes/assignments/sliced-work.js';
import { rendezvousOwner } from '../../../control-plane/nodes/probes/rendezvous.js';
import { systemRandom } from '../../../kernel/random.js';
import { createAssignments } from '../../../probe/assignments/assignments.js';
import type { Assignments, Assignments__Output } from '../../../proto/generated/picket/link/v1/Assignments.js';
import { type TestClock, testClock } from '../../helpers/clock.js';
import { directoryOf } from '../../helpers/monitors/directory-of.js';
import { assignmentOf, fakeMonitors } from '../../helpers/node-link/node-side.js';

const noShares = { open: () => {}, change: () => {}, forget: () => {} };

/**
 * Returns a clock whose time goes on whenever it is read, so that work is cut into many slices. Each runs in its own
 * millisecond.
 */
function slicingClock(): TestClock {
  const clock = testClock();
  let readMs = 0;
  return {
    ...clock,
    after: (delayMs, run) => clock.after(Math.max(1, delayMs), run),
    monotonic() {
      readMs += 2;
      return clock.monotonic() + readMs;
    },
  };
}

t.test('a slice ends after some milliseconds, and jobs run in their order', async (t) => {
  const clock = slicingClock();
  const work = createSlicedWork(clock);
  const log: string[] = [];
  function* job(name: string, steps: number): Generator<void> {
    for (let step = 1; step <= steps; step += 1) {
      log.push(`${name}${step}`);
      yield;
    }
  }
  work.add(job('a', 4));
  t.same(log, ['a1', 'a2', 'a3'], 'the first slice runs at once');
  work.add(job('b', 1));
  t.equal(log.length, 3);
  await clock.advance(100);
  t.same(log, ['a1', 'a2', 'a3', 'a4', 'b1']);
  work.add(job('c', 9));
  work.stop();
  await clock.advance(100);
  t.equal(log.at(-1), 'c3', 'nothing runs after the stop');
});

const PROBES = ['prb_a', 'prb_b', 'prb_c'];
/** More than two messages. */
const MONITORS = 1_200;

/** A probe with the code of real ones. Its stream may be blocked, so that messages wait. */
function fakeProbe(nodeId: string) {
  const held = createAssignments({ put: () => {}, remove: () => {} });
  const probe = {
    nodeId,
    held,
    receiver: null as AssignmentReceiver | null,
    unread: [] as Assignments[],
    blocked: false,
    stray: 0,
    newReceiver(): AssignmentReceiver {
      held.restart();
      probe.unread = [];
      const receiver: AssignmentReceiver = {
        node: { nodeId, kind: 'probe', location: 'fra' },
        send(message) {
          if (probe.receiver === receiver) probe.unread.push(message);
          else probe.stray += 1;
          if (!probe.blocked) probe.read();
        },
        // More than the limit as soon as one message waits, so that the feed falls behind often.
        backlog: () => probe.unread.length * 51,
      };
      probe.receiver = receiver;
      return receiver;
    },
    read() {
      for (const message of probe.unread.splice(0)) {
        held.apply({ put: [], remove: [], ...message } as unknown as Assignments__Output);
      }
    },
    versions: () => new Map(held.all().map(({ monitorId, version }) => [monitorId, version])),
  };
  return probe;
}

/** A location of three probes, which are not connected, and what may happen to it while assignments are distributed. */
function fakeLocation() {
  const clock = slicingClock();
  const monitors = fakeMonitors();
  const members = new Set<string>();
  const probes = PROBES.map(fakeProbe);
  const current = () => [...members].sort();
  const needs = { source: monitors, members: current, shares: noShares, clock, random: systemRandom };
  const feeds = createAssignmentFeeds(needs);
  const idOf = (which: number) => `mon_${which % MONITORS}`;
  const probeOf = (which: number) => probes[which % probes.length] ?? fakeProbe('none');
  let version = 1;
  const leave = (nodeId: string) => {
    members.delete(nodeId);
    feeds.membersChanged('fra');
  };
  const events: Record<string, (which: number) => void | Promise<void>> = {
    slice: () => clock.advance(1),
    moment: (which) => clock.advance(which % 12),
    wait: (which) => clock.advance(which),
    put(which) {
      version += 1;
      monitors.put('fra', assignmentOf(idOf(which), version));
    },
    edit(which) {
      version += 1;
      const some = Array.from({ length: 100 }, (_, index) => assignmentOf(idOf(which + index), version));
      monitors.put('fra', ...some);
    },
    remove: (which) => monitors.remove('fra', idOf(which)),
    import(which) {
      version += 1;
      const many = Array.from({ length: MONITORS }, (_, index) => assignmentOf(idOf(which + index), version));
      monitors.put('fra', ...many);
    },
    connect(which) {
      const probe = probeOf(which);
      members.add(probe.nodeId);
      feeds.membersChanged('fra');
      feeds.open(probe.newReceiver(), probe.held.revision());
    },
    cut(which) {
      const probe = probeOf(which);
      if (probe.receiver === null) return;
      feeds.close(probe.receiver);
      probe.receiver = null;
      probe.unread = [];
      leave(probe.nodeId);
    },
    drain(which) {
      if (members.size > 1) leave(probeOf(which).nodeId);
    },
    undrain(which) {
      const { nodeId, receiver } = probeOf(which);
      if (receiver === null) return;
      members.add(nodeId);
      feeds.membersChanged('fra');
    },
    block(which) {
      probeOf(which).blocked = true;
    },
    read(which) {
      probeOf(which).blocked = false;
      probeOf(which).read();
    },
  };
  return { clock, monitors, probes, events, current, feeds };
}

t.test('whatever happens while assignments are distributed, every probe ends with its share', async (t) => {
  const kinds = Object.keys(fakeLocation().events);
  const event = fc.record({ kind: fc.constantFrom(...kinds), which: fc.nat(1_000) });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 60 }), async (happened) => {
      const { clock, monitors, probes, events, current, feeds } = fakeLocation();
      await events['import']?.(0);
      for (const { kind, which } of happened) await events[kind]?.(which);
      for (const probe of probes.keys()) await events['read']?.(probe);
      await clock.advance(5_000);
      for (const probe of probes) {
        if (probe.receiver === null) continue;
        const share = [...monitors.monitors('fra')].filter(({ id }) => rendezvousOwner(id, current()) === probe.nodeId);
        const expected = new Map(share.map(({ id, version }) => [id, version]));
        t.strictSame(
          [...probe.versions()].sort(),
          [...expected].sort() as [string, number][],
          `${probe.nodeId} after ${JSON.stringify(happened)}`,
        );
        if (!t.passing()) throw new Error('another share');
      }
      t.equal(
        probes.reduce((sum, { stray }) => sum + stray, 0),
        0,
        'no message on a stream that has ended',
      );
      feeds.stop();
    }),
    { numRuns: 150 },
  );
});

/** Events that leave every monitor with a probe that must check it. */
const KEEPING = ['slice', 'moment', 'edit', 'import', 'drain', 'undrain'] as const;

t.test('a monitor that moves between connected probes is never without one', async (t) => {
  const event = fc.record({ kind: fc.constantFrom(...KEEPING), which: fc.nat(1_000) });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 60 }), async (happened) => {
      const { clock, probes, events, feeds } = fakeLocation();
      for (const which of probes.keys()) await events['connect']?.(which);
      await events['import']?.(0);
      await clock.advance(1_000);
      for (const { kind, which } of happened) {
        await events[kind]?.(which);
        const held = new Set(probes.flatMap((probe) => [...probe.versions().keys()]));
        if (held.size !== MONITORS) throw new Error(`${MONITORS - held.size} monitors without a probe after ${kind}`);
      }
      feeds.stop();
    }),
    { numRuns: 300 },
  );
  t.pass('in all runs');
});

t.test(
  'what a pass has removed and a change or the next pass puts again is not lost in the same message',
  async (t) => {
    const probe = fakeProbe('prb_a');
    const feed = createFeed(probe.newReceiver(), { versions: new Map(), revision: 0 }, 'waiting', (last) => last + 1);
    feed.begin();
    feed.put(assignmentOf('mon_1', 1));
    feed.put(assignmentOf('mon_2', 1));
    feed.endOfPuts();
    feed.remove('mon_1');
    feed.change([['mon_1', assignmentOf('mon_1', 2)]]);
    t.strictSame([...probe.versions()].sort(), Object.entries({ mon_1: 2, mon_2: 1 }));
    feed.remove('mon_2');
    feed.begin();
    feed.put(assignmentOf('mon_2', 2));
    feed.endOfPuts();
    t.strictSame([...probe.versions()].sort(), Object.entries({ mon_1: 2, mon_2: 2 }));
  },
);

const LOCATION_MONITORS = 20_000;
const LOCATION_PROBES = 4;
/** What the work takes, at least, in milliseconds. `scripts/bench assignments` measures it. */
const COST_MS = { visit: 0.002, assignment: 0.004, message: 4 };
const BLOCK_MS_MAX = 20;

/** A clock on which time passes by the work that is done, and that measures each turn of the event loop. */
function workClock() {
  const clock = testClock();
  let workMs = 0;
  let longestMs = 0;
  let turns = 0;
  const measured = (run: () => void) => {
    const beforeMs = workMs;
    run();
    if (workMs === beforeMs) return;
    turns += 1;
    longestMs = Math.max(longestMs, workMs - beforeMs);
  };
  return {
    clock: {
      ...clock,
      monotonic: () => clock.monotonic() + workMs,
      after: (delayMs: number, run: () => void) => clock.after(delayMs, () => measured(run)),
    },
    work(ms: number) {
      workMs += ms;
    },
    measured,
    /** Returns the longest turn since the last call and the number of turns that worked. */
    take() {
      const taken = { longestMs, turns };
      [longestMs, turns] = [0, 0];
      return taken;
    },
  };
}

/** Returns the source with the cost of its use. */
function costly(source: AssignmentSource, work: (ms: number) => void): AssignmentSource {
  return {
    ...source,
    *monitors(location) {
      for (const monitor of source.monitors(location)) {
        work(COST_MS.visit);
        yield monitor;
      }
    },
    assignment(location, monitorId) {
      work(COST_MS.assignment);
      return source.assignment(location, monitorId);
    },
  };
}

t.test('the assignment of 20,000 monitors to four probes leaves the event loop to others', async (t) => {
  const { clock, work, measured, take } = workClock();
  const source = costly(await directoryOf(LOCATION_MONITORS), work);
  const nodeIds = Array.from({ length: LOCATION_PROBES }, (_, index) => `prb_01jgq6v3k8f0000000000000${index}`);
  let members: string[] = nodeIds;
  const feeds = createAssignmentFeeds({
    source,
    members: () => members,
    shares: noShares,
    clock,
    random: systemRandom,
  });
  const held = new Map<string, Set<string>>(nodeIds.map((nodeId) => [nodeId, new Set()]));
  const receivers = nodeIds.map(
    (nodeId): AssignmentReceiver => ({
      node: { nodeId, kind: 'probe', location: 'fra' },
      send({ put = [], remove = [] }) {
        work(COST_MS.message);
        for (const { monitorId } of put) held.get(nodeId)?.add(String(monitorId));
        for (const id of remove) held.get(nodeId)?.delete(id);
      },
      backlog: () => 0,
    }),
  );
  const isComplete = () => {
    const assigned = members.flatMap((nodeId) => [...(held.get(nodeId) ?? [])]);
    return assigned.length === LOCATION_MONITORS && new Set(assigned).size === LOCATION_MONITORS;
  };
  const checkTurns = (what: string) => {
    const { longestMs, turns } = take();
    t.ok(isComplete(), `${what}: each monitor has one probe`);
    t.ok(turns > 10, `${what}: ${turns} turns`);
    t.ok(longestMs < BLOCK_MS_MAX, `${what}: at most ${longestMs.toFixed(1)} ms at a time`);
  };

  for (const receiver of receivers) measured(() => feeds.open(receiver, 0));
  await clock.advance(1_000);
  checkTurns('four probes connect');

  members = nodeIds.slice(1);
  measured(() => feeds.membersChanged('fra'));
  await clock.advance(1_000);
  checkTurns('one is drained');
  t.equal(held.get(nodeIds[0] ?? '')?.size, 0);
  feeds.stop();
});
