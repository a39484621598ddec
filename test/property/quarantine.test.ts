import fc from 'fast-check';
import t from 'tap';
import { minoritySpans } from '../../control-plane/results/uptime/minority.js';
import { minorityOf } from '../../control-plane/results/uptime/quorum.js';
import { testClock } from '../helpers/clock.js';
import { testDatabase } from '../helpers/database.js';
import { LOCATIONS, liveResult, OPERATORS, setUpVerdicts, type VerdictSetup } from '../helpers/verdicts/setup.js';

const HISTORIES = 20;
const MONITORS = 20;
const START_MS = Date.UTC(2026, 0, 31, 12);

t.test('quarantined are all broken locations, or none if they are half of the locations or more', async (t) => {
  const codes = fc.subarray(LOCATIONS);
  fc.assert(
    fc.property(codes, codes, (broken, present) => {
      const quarantined = [...minorityOf(broken, present)];
      const all = LOCATIONS.filter((code) => broken.includes(code) || present.includes(code));
      if (quarantined.length > 0 && quarantined.length * 2 >= all.length) throw new Error('no minority');
      const expected = broken.length * 2 < all.length ? broken : [];
      if (quarantined.join() !== expected.join()) throw new Error(`${quarantined} instead of ${expected}`);
    }),
  );
  t.same([...minorityOf(['fra', 'nyc'], LOCATIONS)], ['fra', 'nyc']);
  t.same([...minorityOf(['fra', 'nyc'], ['fra', 'nyc', 'sin', 'lon'])], [], 'half is not a minority');
});

t.test('uptime leaves out a location only while fewer than half of the locations are quarantined', async (t) => {
  const span = fc
    .tuple(fc.nat(100), fc.option(fc.integer({ min: 1, max: 40 })))
    .map(([from_ms, length]) => ({ from_ms, to_ms: length === null ? null : from_ms + length }));
  const spans = fc.array(span, { minLength: 1, maxLength: 4 }).map((all) => all.sort((a, b) => a.from_ms - b.from_ms));
  const history = fc.dictionary(fc.constantFrom(...LOCATIONS), spans).map((by) => new Map(Object.entries(by)));
  const isIn = (of: readonly { from_ms: number; to_ms: number | null }[] | undefined, atMs: number) =>
    (of ?? []).some(({ from_ms, to_ms }) => from_ms <= atMs && (to_ms === null || atMs < to_ms));
  let limitedTimes = 0;
  fc.assert(
    fc.property(history, fc.subarray(LOCATIONS, { minLength: 1 }), (all, locations) => {
      const spansOf = minoritySpans(all);
      const limited = spansOf(locations);
      if (spansOf([...locations]) !== limited) throw new Error('computed twice');
      for (let atMs = 0; atMs < 200; atMs++) {
        const quarantined = locations.filter((code) => isIn(all.get(code), atMs));
        const expected = quarantined.length * 2 < locations.length ? quarantined : [];
        if (quarantined.length > expected.length) limitedTimes += 1;
        const found = locations.filter((code) => isIn(limited.get(code), atMs));
        if (found.join() !== expected.join()) throw new Error(`at ${atMs}: ${found} instead of ${expected}`);
      }
    }),
  );
  t.ok(limitedTimes > 100, `${limitedTimes} times more than a minority was quarantined`);
});

type Event =
  | { kind: 'break'; at: number; share: 'all' | 'half' | 'other half' }
  | { kind: 'heal'; at: number }
  | { kind: 'connect'; at: number; on: boolean }
  | { kind: 'wait'; ms: number };

const at = fc.nat(LOCATIONS.length - 1);
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('break' as const),
      at,
      share: fc.constantFrom('all' as const, 'half' as const, 'other half' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('heal' as const), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('connect' as const), at, on: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1_000, 20_000, 61_000) }),
  },
);

/** Since when each location fails for each monitor, and which locations are connected. */
function createWorld(planes: readonly VerdictSetup[]) {
  const clock = planes[0]?.clock ?? testClock();
  const failing = new Map<string, Map<number, number>>(LOCATIONS.map((code) => [code, new Map()]));
  const connected = new Set(LOCATIONS);
  const goneSince = new Map<string, number>();
  const isHalf = (share: string, index: number) => share === 'all' || index < MONITORS / 2 === (share === 'half');

  /** Stores what the monitors would have after a round of checks from every connected location. */
  async function check(): Promise<void> {
    const nowMs = clock.now();
    const monitors = planes[0]?.mongo.db.collection<{ _id: string }>('monitors');
    await monitors?.bulkWrite(
      Array.from({ length: MONITORS }, (_, index) => {
        const since = LOCATIONS.flatMap((code) => {
          const since_ms = failing.get(code)?.get(index);
          return since_ms === undefined ? [] : [[code, { since_ms, confirmed_result_id: null, from_version: 1 }]];
        });
        const live = LOCATIONS.flatMap((code) => {
          const checkedMs = connected.has(code) ? nowMs : (goneSince.get(code) ?? nowMs);
          return [[code, liveResult(failing.get(code)?.has(index) !== true, nowMs, { checked_at_ms: checkedMs })]];
        });
        const set = {
          live: Object.fromEntries(live),
          'state.failing': Object.fromEntries(since),
          'state.attention': true,
        };
        return { updateOne: { filter: { _id: `mon_${index}` }, update: { $set: set } } };
      }),
    );
  }

  return {
    connected,
    async apply(one: Event): Promise<void> {
      const code = 'at' in one ? (LOCATIONS[one.at] ?? '') : '';
      const own = failing.get(code);
      if (one.kind === 'break') {
        for (let index = 0; index < MONITORS; index++) {
          if (isHalf(one.share, index) && !own?.has(index)) own?.set(index, clock.now());
        }
      }
      if (one.kind === 'heal') own?.clear();
      if (one.kind === 'connect') {
        if (one.on) connected.add(code);
        else if (connected.delete(code)) goneSince.set(code, clock.now());
        const [probes, since] = one.on ? [1, clock.now()] : [0, goneSince.get(code) ?? clock.now()];
        const presence = { connectedProbes: probes, checkingProbes: probes, lastCheckingAtMs: since, canaryOk: null };
        for (const plane of planes) plane.presence.set(code, presence);
      }
      await clock.advance(one.kind === 'wait' ? one.ms : 1_000);
      await check();
    },
    /** Locations that are connected or were so within the last 30 s. */
    present: () => LOCATIONS.filter((code) => connected.has(code) || clock.now() - (goneSince.get(code) ?? 0) < 30_000),
  };
}

t.test('whatever fails, at most a minority of the locations is quarantined on any control plane', async (t) => {
  const database = await testDatabase();
  t.teardown(() => database.drop());
  const empty = await setUpVerdicts(database.uri);
  await empty.ensureIndexes();
  await empty.stop();
  const seen = { one: 0, two: 0, majority: 0 };
  const property = fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 20 }), async (events) => {
    const clock = testClock(START_MS);
    const planes = [await setUpVerdicts(database.uri, clock), await setUpVerdicts(database.uri, clock)];
    const [first] = planes;
    if (first === undefined) throw new Error('no control plane');
    const { db } = first.mongo;
    for (const { name } of await db.listCollections().toArray()) await db.collection(name).deleteMany({});
    for (let index = 0; index < MONITORS; index++) await first.insert({ _id: `mon_${index}` });
    const assigned = Array.from({ length: MONITORS }, (_, index) => ({
      monitorId: `mon_${index}`,
      intervalSeconds: 60,
    }));
    for (const plane of planes) for (const code of LOCATIONS) plane.assigned.set(code, assigned);
    // Every location counts as present for some time after the start of a control plane.
    await clock.advance(31_000);
    const world = createWorld(planes);
    try {
      for (const one of events) {
        await world.apply(one);
        for (const plane of planes) {
          await plane.health.tick();
          const quarantined = LOCATIONS.filter((code) => plane.health.isQuarantined(code));
          const voting = new Set([...world.present(), ...quarantined]);
          if (quarantined.length > 0 && quarantined.length * 2 >= voting.size) {
            throw new Error(`${quarantined} of ${[...voting]} are quarantined`);
          }
          const noted = await db.collection('location_quarantines').countDocuments();
          const alerts = await db.collection('incidents').countDocuments({ open: true, workspace_id: OPERATORS });
          if (noted > 0 && quarantined.length === 0) {
            seen.majority += 1;
            if (alerts !== 1) throw new Error(`${alerts} alerts about ${noted} broken locations`);
          } else if (alerts !== quarantined.length) throw new Error(`${alerts} alerts for ${quarantined}`);
          const open = await db.collection('location_quarantine_spans').distinct('location', { to_ms: null });
          if (open.sort().join() !== [...quarantined].sort().join()) throw new Error(`spans of ${open}`);
          if (quarantined.length === 1) seen.one += 1;
          if (quarantined.length === 2) seen.two += 1;
        }
      }
    } finally {
      for (const plane of planes) await plane.stop();
    }
  });
  await t.resolves(fc.assert(property, { numRuns: HISTORIES }));
  for (const [what, times] of Object.entries(seen)) t.ok(times > 3, `"${what}" occurred ${times} times`);
});
