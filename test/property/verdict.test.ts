import fc from 'fast-check';
import t from 'tap';
import type { LiveResult, VerdictState } from '../../control-plane/monitors/documents.js';
import type { Decision } from '../../control-plane/verdicts/incident-kinds/decision-schema.js';
import { decisionView } from '../../control-plane/verdicts/incident-kinds/decision-view.js';
import { type Verdict, verdict } from '../../control-plane/verdicts/rule/verdict.js';
import type { LocationTrust, VotingMonitor } from '../../control-plane/verdicts/rule/votes.js';
import { createReference, type RefResult, type RefWorld } from '../helpers/verdicts/reference.js';
import { replayDecision } from '../helpers/verdicts/replay-decision.js';
import { replayInPython } from '../helpers/verdicts/replay-in-python.js';

const CODES = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const START = Date.UTC(2026, 0, 31, 12);
const RUNS = 3_000;
/** Of the records that change nothing and are never stored, one of this many is replayed in Python. */
const UNCHANGED_SAMPLED = 10;

type Event =
  | { kind: 'result'; at: number; up: boolean; final: boolean; ageMs: number; lateMs: number; skewMs: number }
  | { kind: 'all'; up: boolean; except: number }
  | { kind: 'connect' | 'quarantine' | 'doubt'; at: number; on: boolean }
  | { kind: 'wait'; ms: number }
  | { kind: 'jump'; ms: number };

const location = fc.nat(4);
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('result' as const),
      at: location,
      up: fc.boolean(),
      final: fc.boolean(),
      ageMs: fc.oneof(fc.nat(3_000), fc.nat(300_000)),
      lateMs: fc.oneof({ weight: 4, arbitrary: fc.nat(500) }, { weight: 1, arbitrary: fc.nat(200_000) }),
      skewMs: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: -2_000, max: 5_000 }) },
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('all' as const), up: fc.boolean(), except: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('connect' as const), at: location, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('quarantine' as const), at: location, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('doubt' as const), at: location, on: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(fc.nat(1_500), fc.nat(60_000), fc.nat(200_000)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('jump' as const), ms: fc.integer({ min: -120_000, max: 120_000 }) }),
  },
);

const scenario = fc.record({
  count: fc.integer({ min: 1, max: 5 }),
  confirmations: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 5 })),
  intervalSeconds: fc.constantFrom(10, 30, 60, 300),
  events: fc.array(event, { minLength: 1, maxLength: 60 }),
});

/** The verdict of the product and the reference with the same data. */
function createWorld(count: number, confirmations: number | null, intervalSeconds: number) {
  const locations = CODES.slice(0, count);
  const monitor: VotingMonitor & { state: VerdictState } = {
    _id: 'mon_1',
    locations,
    live: {},
    live_from_version: 1,
    interval_seconds: intervalSeconds,
    state: {
      revision: 0,
      status: 'up',
      changed_at_ms: START,
      evaluated_through_ms: 0,
      first_failed_at_ms: null,
      recovering_since_ms: null,
      attention: false,
    },
  };
  const world: RefWorld = {
    locations,
    confirmations,
    intervalSeconds,
    results: [],
    connected: new Set(locations),
    quarantined: new Set(),
    doubted: new Set(),
    now: START,
  };
  const trust: LocationTrust = {
    hasProbe: (code) => world.connected.has(code),
    isPresent: (code) => world.connected.has(code),
    isQuarantined: (code) => world.quarantined.has(code),
    isDoubted: (code) => world.doubted.has(code),
  };
  const settings = {
    assigned: count,
    confirmations,
    retries: 1,
    interval_seconds: intervalSeconds,
    timeout_ms: 10_000,
  };
  function store(result: RefResult): void {
    world.results.push(result);
    const known = monitor.live[result.location];
    const isNewer =
      known === undefined ||
      known.slot_ms < result.slot ||
      (known.slot_ms === result.slot && known.attempt < result.attempt);
    if (!isNewer) return;
    const live: LiveResult = {
      slot_ms: result.slot,
      attempt: result.attempt,
      final: result.final,
      checked_at_ms: result.checkedAt,
      received_at_ms: result.receivedAt,
      up: result.up,
      response_time_ms: result.responseTime,
      http_status: null,
      error: result.up ? null : { code: 'connection_refused', message: 'refused' },
    };
    monitor.live[result.location] = live;
  }
  let slots = 0;
  function add(at: number, up: boolean, final: boolean, ageMs = 0, lateMs = 0, skewMs = 0): void {
    const code = locations[at % count];
    if (code === undefined) return;
    slots += 1;
    const checkedAt = world.now - ageMs + skewMs;
    store({
      location: code,
      checkedAt,
      // An old result that arrives only now was stored by the probe; `lateMs` reduces that delay.
      receivedAt: lateMs > 500 ? world.now : Math.min(world.now, world.now - ageMs + lateMs),
      responseTime: 100,
      up,
      final: up || final,
      slot: checkedAt + slots / 1_000,
      attempt: final ? 1 : 0,
    });
  }
  return {
    monitor,
    world,
    apply(one: Event): void {
      if (one.kind === 'result') add(one.at, one.up, one.final, one.ageMs, one.lateMs, one.skewMs);
      if (one.kind === 'all') {
        for (let at = 0; at < count; at++) add(at, at === one.except ? !one.up : one.up, true);
      }
      if (one.kind === 'wait') world.now += one.ms;
      if (one.kind === 'jump') world.now += one.ms;
      if (one.kind === 'connect') toggle(world.connected, locations[one.at % count], one.on);
      if (one.kind === 'quarantine') toggle(world.quarantined, locations[one.at % count], one.on);
      if (one.kind === 'doubt') toggle(world.doubted, locations[one.at % count], one.on);
    },
    evaluate(): Verdict {
      const result = verdict(monitor, settings, trust, world.now);
      monitor.state = result.next;
      return result;
    },
  };
}

function toggle(set: Set<string>, code: string | undefined, on: boolean): void {
  if (code === undefined) return;
  if (on) set.add(code);
  else set.delete(code);
}

t.test('the verdict equals a slow and simple reference for any history', async (t) => {
  const seen = { down: 0, up: 0, late: 0, doubted: 0, held: 0, settling: 0 };
  fc.assert(
    fc.property(scenario, ({ count, confirmations, intervalSeconds, events }) => {
      const it = createWorld(count, confirmations, intervalSeconds);
      const reference = createReference();
      for (const one of events) {
        it.apply(one);
        const before = it.monitor.state.status;
        const result = it.evaluate();
        reference.step(it.world);
        if (
          result.next.status !== reference.status ||
          (result.next.recovering_since_ms !== null) !== reference.recovering
        ) {
          throw new Error(
            `product: ${result.phase.from} -> ${result.phase.to} (${result.decision.reason}); reference: ${reference.status}, recovering ${reference.recovering}`,
          );
        }
        if (before === 'up' && result.next.status === 'down') seen.down += 1;
        if (before === 'down' && result.next.status === 'up') seen.up += 1;
        if (result.situation === 'settling') seen.settling += 1;
        for (const vote of result.votes) {
          if (vote.abstained === 'late') seen.late += 1;
          if (vote.doubted === true) seen.doubted += 1;
          if (vote.held_from !== undefined) seen.held += 1;
        }
      }
    }),
    { numRuns: RUNS },
  );
  for (const [what, times] of Object.entries(seen)) t.ok(times > 3, `"${what}" occurred ${times} times`);
});

t.test('invariants for any history', async (t) => {
  const shown: { decision: Decision; recovery: null }[] = [];
  let unchanged = 0;
  fc.assert(
    fc.property(scenario, ({ count, confirmations, intervalSeconds, events }) => {
      const it = createWorld(count, confirmations, intervalSeconds);
      for (const one of events) {
        it.apply(one);
        const before = it.monitor.state;
        const result = it.evaluate();
        const { decision, next } = result;
        const finals = result.votes.filter((vote) => vote.vote === 'down' && !vote.retrying).length;
        if (before.status === 'up' && next.status === 'down') {
          if (finals < decision.rule.required_down_votes) throw new Error('down with too few final down votes');
          if (decision.counts.down < decision.rule.required_down_votes) throw new Error('down against its own count');
          if (next.first_failed_at_ms === null) throw new Error('down without a first failed check');
        }
        if (before.status === 'down' && next.status === 'up' && before.recovering_since_ms === null) {
          throw new Error('up after one good round');
        }
        if (result.votes.every((vote) => vote.vote === 'unknown')) {
          if (next.status !== before.status || result.outcome !== 'unchanged')
            throw new Error('decided without a vote');
          if (next.recovering_since_ms !== before.recovering_since_ms) throw new Error('recovering without a vote');
        }
        if (2 * result.votes.filter((vote) => vote.abstained === 'quarantined').length >= count) {
          throw new Error('half of the locations or more are quarantined');
        }
        if (next.status === 'down' && !next.attention) throw new Error('a monitor that is down is forgotten');
        const record = JSON.parse(JSON.stringify(decision));
        const replay = replayDecision(record);
        if (!replay.agrees || replay.outcome !== result.outcome || replay.reason !== decision.reason) {
          throw new Error('the record does not replay');
        }
        const view = decisionView(decision, []);
        const counted = (as: string) => view.votes.filter((vote) => vote.counted_as === as).length;
        const { up, down, none } = view.counts;
        if (up !== counted('up') || down !== counted('down') || none !== counted('none')) {
          throw new Error('the counts are not the sums of the votes');
        }
        if (view.votes.some((vote) => (vote.counted_as === 'none') !== (vote.not_counted_because !== null))) {
          throw new Error('a vote does not count and the record does not say why');
        }
        if (decision.outcome !== 'unchanged' || ++unchanged % UNCHANGED_SAMPLED === 0) {
          shown.push({ decision: view, recovery: null });
        }
        // Without a new result, a second evaluation gives the same verdict.
        const again = it.evaluate();
        if (again.next.status !== next.status) throw new Error('a second look changes the status');
      }
    }),
    { numRuns: RUNS },
  );
  t.pass(`${RUNS} histories`);
  t.equal(replayInPython(shown), shown.length, `${shown.length} records replay in Python`);
  const outcomes = new Set(shown.map(({ decision }) => decision.outcome));
  t.same([...outcomes].sort(), ['down', 'unchanged', 'up']);
});

t.test('a late result never changes the state', async (t) => {
  let late = 0;
  fc.assert(
    fc.property(scenario, location, fc.boolean(), fc.integer({ min: 40_000, max: 500_000 }), (base, at, up, ageMs) => {
      const it = createWorld(base.count, base.confirmations, base.intervalSeconds);
      for (const one of base.events) {
        it.apply(one);
        it.evaluate();
      }
      // Another location has just delivered in time, so the late result is older than the last evaluated one.
      it.apply({ kind: 'result', at: (at + 1) % base.count, up: true, final: true, ageMs: 0, lateMs: 0, skewMs: 0 });
      it.evaluate();
      it.evaluate();
      const before = it.monitor.state;
      it.apply({ kind: 'result', at, up, final: true, ageMs, lateMs: 100_000, skewMs: 0 });
      const result = it.evaluate();
      // With the clock set back, that result was not the newest of its location, and none arrived in time.
      const heard = it.monitor.live[CODES[(at + 1) % base.count] ?? '']?.received_at_ms === it.world.now;
      if (base.count === 1 || !heard) return;
      late += 1;
      if (result.next.status !== before.status) throw new Error('a late result changed the status');
      if (result.next.recovering_since_ms !== before.recovering_since_ms)
        throw new Error('a late result completed a round');
      const own = result.votes.find(
        ({ location: code, result }) =>
          code === CODES[at % base.count] &&
          result?.checked_at_ms === it.world.now - ageMs &&
          result.received_at_ms === it.world.now,
      );
      if (own !== undefined && own.vote !== 'unknown') throw new Error('a late result voted');
    }),
    {
      numRuns: RUNS,
      // A late result must not end the short wait for locations that are still retrying.
      examples: [
        [
          {
            count: 3,
            confirmations: 1,
            intervalSeconds: 10,
            events: [
              { kind: 'result', at: 0, up: false, final: false, ageMs: 0, lateMs: 0, skewMs: 0 },
              { kind: 'wait', ms: 40_000 },
              { kind: 'result', at: 2, up: false, final: true, ageMs: 0, lateMs: 0, skewMs: 0 },
            ],
          },
          0,
          false,
          40_000,
        ],
      ],
    },
  );
  t.ok(late > RUNS / 2, `${late} late results`);
});
