import t from 'tap';
import { goodSince, holdOf, type Parent } from '../../../control-plane/dependencies/decide.js';
import type { FailingThing } from '../../../control-plane/dependencies/dependencies.js';

const NOW_MS = 1_000_000_000;
const RECOVERY_GRACE_MS = 120_000;
const ANCESTORS_KEPT_MAX = 200;
const thing: FailingThing = {
  ...{
    workspaceId: 'ws',
    type: 'monitor',
    id: 'child',
    tags: [],
    channels: null,
    failingSinceMs: NOW_MS - 5_000,
    hold: null,
  },
};
const up: Parent = {
  ...{ id: 'parent', workspaceId: 'ws', name: 'Parent', tags: [], locations: ['fra'] },
  ...{ isPaused: false, isKnown: true, status: 'up', changedAtMs: 0, hasRecovered: false, intervalMs: 60_000 },
  ...{ goodSinceMs: NOW_MS - 1_000, incidentId: null, hadIncident: false, channels: null, isStopped: false },
  ...{ isCovered: false, hasParentDown: false, isFailing: false, confirmations: null, checks: [] },
};
const down: Parent = { ...up, status: 'down', goodSinceMs: null, incidentId: 'inc_parent', hadIncident: true };
const unchecked: Parent = { ...up, goodSinceMs: NOW_MS - 6_000 };

t.test('a parent that is down keeps it silent without an end', async (t) => {
  t.match(holdOf(thing, [down], NOW_MS), {
    ...{ state: 'parent_down', monitor_id: 'parent', incident_id: 'inc_parent', until_ms: null, since_ms: NOW_MS },
    ancestor_ids: ['parent'],
  });
  const root = { ...down, id: 'root', name: 'Root' };
  t.match(
    holdOf(thing, [{ ...down, hasParentDown: true }, root], NOW_MS),
    { monitor_id: 'root' },
    'the one that notifies',
  );
});

t.test('a parent mutes nothing that is paused or not known, or that maintenance keeps silent', async (t) => {
  for (const change of [
    { isPaused: true },
    { isKnown: false, hadIncident: false },
    { isCovered: true },
    { isCovered: true, incidentId: null },
  ])
    t.equal(holdOf(thing, [{ ...down, ...change }], NOW_MS), null, JSON.stringify(change));
});

t.test('a parent that counts as up is waited for until it was checked, or for a time', async (t) => {
  t.equal(holdOf(thing, [up], NOW_MS), null, 'checked since');
  const hold = holdOf(thing, [unchecked], NOW_MS);
  t.match(hold, { state: 'waiting', until_ms: NOW_MS + 90_000 }, 'its interval and 30 s');
  t.match(holdOf({ ...thing, hold }, [unchecked], NOW_MS + 89_999), { state: 'waiting', until_ms: NOW_MS + 90_000 });
  t.equal(holdOf({ ...thing, hold }, [unchecked], NOW_MS + 90_000), null);
  t.match(
    holdOf(thing, [{ ...unchecked, intervalMs: 3_600_000 }], NOW_MS),
    { until_ms: NOW_MS + 180_000 },
    'at most 3 min',
  );
  t.match(holdOf(thing, [{ ...up, goodSinceMs: null }], NOW_MS), { state: 'waiting' }, 'too few succeeded');
  const failing = { ...unchecked, isFailing: true };
  t.match(holdOf({ ...thing, hold }, [failing], NOW_MS), { until_ms: NOW_MS + 180_000 }, 'retries take time');
  for (const change of [{ isPaused: true }, { isKnown: false }, { isCovered: true }])
    t.equal(holdOf(thing, [{ ...unchecked, ...change }], NOW_MS), null, JSON.stringify(change));
});

t.test('what still fails two minutes after a recovery notifies', async (t) => {
  const recovered = { ...up, hasRecovered: true, changedAtMs: NOW_MS };
  t.match(holdOf(thing, [recovered], NOW_MS + RECOVERY_GRACE_MS - 1), {
    ...{ state: 'parent_recovered', until_ms: NOW_MS + 120_000 },
  });
  t.equal(holdOf(thing, [recovered], NOW_MS + RECOVERY_GRACE_MS), null);
  t.equal(holdOf(thing, [{ ...recovered, hasRecovered: false }], NOW_MS), null, 'a new monitor has not recovered');
});

t.test('the incident of a parent that a person resolved stays the link while the parent is down', async (t) => {
  const hold = holdOf(thing, [down], NOW_MS);
  t.match(holdOf({ ...thing, hold }, [{ ...down, incidentId: null }], NOW_MS), { incident_id: 'inc_parent' });
  const other = { ...down, id: 'other', incidentId: null };
  t.match(holdOf({ ...thing, hold }, [other], NOW_MS), { monitor_id: 'other', incident_id: null });
});

t.test('a hold names a limited number of ancestors', async (t) => {
  const many = Array.from({ length: ANCESTORS_KEPT_MAX + 1 }, (_, index) => ({ ...down, id: `mon_${index}` }));
  t.equal(holdOf(thing, many, NOW_MS)?.ancestor_ids.length, ANCESTORS_KEPT_MAX);
});

t.test('a parent mutes only what would notify nobody else', async (t) => {
  const of = (channels: string[] | null, parent: string[] | null) =>
    [down, unchecked].map((one) => holdOf({ ...thing, channels }, [{ ...one, channels: parent }], NOW_MS) !== null);
  const silent = [true, true];
  const loud = [false, false];
  t.same(of(['chn_a'], ['chn_a', 'chn_b']), silent);
  t.same(of(['chn_a'], null), silent, 'every channel');
  t.same(of([], []), silent, 'it has none');
  t.same(of(['chn_a'], []), loud, 'the parent notifies nobody');
  t.same(of(['chn_a', 'chn_b'], ['chn_a']), loud);
  t.same(of(null, ['chn_a']), loud);
});

t.test('a parent that was down is waited for, for a time, when its checks stop or its settings change', async (t) => {
  const hold = holdOf(thing, [down], NOW_MS);
  const lost = { ...down, isKnown: false, incidentId: null };
  const laterMs = NOW_MS + 3_600_000;
  const waiting = holdOf({ ...thing, hold }, [lost], laterMs);
  t.match(waiting, { state: 'waiting', until_ms: laterMs + 90_000 });
  t.match(holdOf({ ...thing, hold: waiting }, [lost], laterMs + 89_999), { until_ms: laterMs + 90_000 });
  t.equal(holdOf({ ...thing, hold: waiting }, [lost], laterMs + 90_000), null);
  t.match(holdOf({ ...thing, hold: waiting }, [down], laterMs + 60_000), { state: 'parent_down' });
  const stopped = { ...lost, isStopped: true };
  t.equal(holdOf({ ...thing, hold }, [stopped], laterMs), hold, 'a stopped workspace decides nothing');
  t.equal(holdOf(thing, [stopped], NOW_MS), null);
});

t.test('nothing is silent for more than 24 hours, however often the parent recovers', async (t) => {
  const hold = holdOf(thing, [down], NOW_MS);
  const endMs = NOW_MS + 86_400_000;
  const recovered = { ...up, hasRecovered: true, changedAtMs: endMs - 1_000 };
  t.match(holdOf({ ...thing, hold }, [down], endMs - 1), { state: 'parent_down', since_ms: NOW_MS });
  t.equal(holdOf({ ...thing, hold }, [down], endMs), null);
  t.match(holdOf({ ...thing, hold }, [recovered], endMs - 1), { state: 'parent_recovered', until_ms: endMs });
  t.equal(holdOf({ ...thing, hold }, [recovered], endMs), null);
});

t.test('so many good checks are enough that the others cannot make the parent down', async (t) => {
  const check = (atMs: number, up = true) => ({ atMs, up });
  t.equal(goodSince([check(30), check(20), check(10)], 2), 20, 'of three, two');
  t.equal(goodSince([check(30), check(20), check(40, false)], 2), 20, 'one fails');
  t.equal(goodSince([check(30), check(40, false), check(50, false)], 2), null);
  t.equal(goodSince([check(30), check(20), check(10)], 1), 10, 'one alone could make it down');
  t.equal(goodSince([check(30), check(40, false)], 2), 30);
  t.equal(goodSince([], 1), null);
});
