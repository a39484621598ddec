import t from 'tap';
import { createShareHistory, SHARES_MAX, type Share } from '../../../control-plane/nodes/probes/share-history.js';
import { createProbeShares } from '../../../control-plane/nodes/probes/shares.js';
import { createLogger } from '../../../kernel/logger.js';
import { testClock } from '../../helpers/clock.js';

const NOW = Date.UTC(2026, 0, 31, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ids = Array.from({ length: 200 }, (_, index) => `mon_${index}`);

/** Opens a history and merges what is stored. */
function opened(
  nodeId: string,
  members: readonly string[],
  atMs: number,
  stored: readonly Share[] = [],
  enrolledMs = 0,
) {
  const history = createShareHistory(nodeId);
  history.open(members, atMs);
  history.merge(stored, enrolledMs);
  return history;
}

/** Returns the monitors that the probe alone had at the time of the slot, of those that not every probe has. */
const held = (history: ReturnType<typeof createShareHistory>, slotMs: number) =>
  ids.filter((id) => history.has(id, slotMs));

t.test('members share the monitors, and others have none', async (t) => {
  const a = opened('a', ['a', 'b'], NOW);
  const b = opened('b', ['a', 'b'], NOW);
  t.same([...held(a, NOW), ...held(b, NOW)].sort(), [...ids].sort());
  t.same(held(opened('a', ['a'], NOW), NOW), ids);
  t.same(held(opened('a', ['b'], NOW), NOW), [], 'a drained probe');
  t.same(held(opened('a', [], NOW), NOW), []);
});

t.test('a change ends the previous share after the hand-over, and begins the next one before it', async (t) => {
  const a = opened('a', ['a', 'b'], NOW, [], NOW - HOUR_MS);
  const shared = held(a, NOW);
  a.change(['a'], NOW + HOUR_MS);
  t.same(held(a, NOW), shared, 'what it had before');
  t.same(held(a, NOW + HOUR_MS - MINUTE_MS), ids);
  a.change([], NOW + 2 * HOUR_MS);
  t.same(held(a, NOW + 2 * HOUR_MS + MINUTE_MS), ids);
  t.same(held(a, NOW + 2 * HOUR_MS + MINUTE_MS + 1), []);
  a.change(['a'], NOW + 3 * HOUR_MS);
  t.same(held(a, NOW + 9 * HOUR_MS), ids);
});

t.test('a probe that was never stored has had its first share since it was enrolled', async (t) => {
  const a = createShareHistory('a');
  a.open(['a'], NOW);
  a.change(['a', 'b'], NOW + 100);
  a.merge([], NOW - 24 * HOUR_MS);
  t.same(held(a, NOW - 23 * HOUR_MS), ids);
  t.same(held(a, NOW - 25 * HOUR_MS), []);
  t.ok(held(a, NOW + HOUR_MS).length < ids.length);
});

t.test('a probe kept its latest stored share until it opened a stream', async (t) => {
  const stored = [
    { members: ['a', 'b'], fromMs: NOW - 20 * HOUR_MS, lastMs: NOW - 10 * HOUR_MS },
    { members: ['a'], fromMs: NOW - 30 * HOUR_MS, lastMs: NOW - 20 * HOUR_MS },
  ];
  for (const order of [stored, [...stored].reverse()]) {
    const a = opened('a', ['a', 'c'], NOW, order);
    const between = held(a, NOW - 5 * HOUR_MS);
    t.same(between, held(opened('a', ['a', 'b'], NOW), NOW));
    t.same(held(a, NOW - 25 * HOUR_MS), ids);
    t.notSame(held(a, NOW + 5 * HOUR_MS), between);
  }
  const drained = opened('a', ['b'], NOW, stored);
  t.same(held(drained, NOW + 2 * MINUTE_MS), []);
});

t.test('what is written by two control planes gives the same history in any order', async (t) => {
  const written = new Map<string, Share>();
  const write = (shares: readonly Share[]) => {
    for (const { members, fromMs, lastMs } of shares) {
      const known = written.get(members.join()) ?? { members, fromMs, lastMs };
      written.set(members.join(), {
        members,
        fromMs: Math.min(known.fromMs, fromMs),
        lastMs: Math.max(known.lastMs, lastMs),
      });
    }
  };
  const one = opened('a', ['a', 'b'], NOW, [], NOW);
  const atOne = one.takeUnsaved().map((share) => ({ ...share }));
  const two = opened('a', ['a', 'c'], NOW + HOUR_MS, atOne);
  write(two.takeUnsaved());
  // The first control plane was slow.
  write(atOne);
  const three = opened('a', ['a'], NOW + 2 * HOUR_MS, [...written.values()]);
  t.same(held(three, NOW + 1.5 * HOUR_MS), held(opened('a', ['a', 'c'], NOW), NOW));
  t.same(held(three, NOW + 0.5 * HOUR_MS), held(opened('a', ['a', 'b'], NOW), NOW));
});

t.test('what could not be written is written again, and the number of shares is limited', async (t) => {
  const a = opened('a', ['a'], NOW);
  const first = a.takeUnsaved();
  t.match(first, [{ members: ['a'] }]);
  t.same(a.takeUnsaved(), []);
  a.keepUnsaved(first);
  t.same(a.takeUnsaved(), first);
  a.renew(NOW + HOUR_MS);
  t.match(a.takeUnsaved(), [{ members: ['a'], lastMs: NOW + HOUR_MS }]);
  for (let change = 1; change <= 2 * SHARES_MAX; change += 1) a.change(['a', `b${change}`], NOW + change * HOUR_MS);
  t.same(held(a, NOW), [], 'the oldest are forgotten');
  t.ok(held(a, NOW + 2 * SHARES_MAX * HOUR_MS).length > 0);
});

t.test('shares that the database did not take are written again after 5 s', async (t) => {
  const clock = testClock();
  const saved: (readonly Share[])[] = [];
  let isAway = true;
  const shares = createProbeShares({
    store: {
      ensureIndexes: async () => {},
      of: async () => [],
      async save(_nodeId, written) {
        if (isAway) throw new Error('the database is away');
        saved.push(written);
      },
    },
    nodes: { findProbe: async () => null },
    clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  shares.open('a', ['a', 'b']);
  await shares.ready('a');
  await clock.advance(4_000);
  isAway = false;
  t.same(saved, []);
  await clock.advance(1_000);
  t.match(saved, [[{ members: ['a', 'b'] }]]);
  await clock.advance(60_000);
  t.equal(saved.length, 1, 'once');
  shares.stop();
});
