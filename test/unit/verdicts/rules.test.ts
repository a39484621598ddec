import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { certificateStep } from '../../../control-plane/verdicts/certificates/rule.js';
import { createKeyedQueue } from '../../../control-plane/verdicts/evaluate/keyed-queue.js';
import { isDoubtful, spotCheckPasses } from '../../../control-plane/verdicts/locations/doubt.js';
import { locationLoad, quarantineStep } from '../../../control-plane/verdicts/locations/quarantine.js';
import { silenceOf } from '../../../control-plane/verdicts/locations/silence.js';
import { phaseOf, transition } from '../../../control-plane/verdicts/rule/phase.js';
import { verdict } from '../../../control-plane/verdicts/rule/verdict.js';
import { type LocationTrust, votes } from '../../../control-plane/verdicts/rule/votes.js';
import { LOCATIONS, liveResult, monitorDocument } from '../../helpers/verdicts/setup.js';

const NOW = Date.UTC(2026, 0, 31, 12, 0, 3);
const DAY = 86_400_000;
const trusting: LocationTrust = {
  hasProbe: () => true,
  isPresent: () => true,
  isQuarantined: () => false,
  isDoubted: () => false,
};
const settings = { assigned: 5, confirmations: null, retries: 1, interval_seconds: 60, timeout_ms: 10_000 };

function monitorWith(live: MonitorDocument['live'], more: Partial<MonitorDocument> = {}): MonitorDocument {
  return monitorDocument({ _id: 'mon_1', live, ...more }, NOW);
}

t.test('the reasons why a location has no valid vote', async (t) => {
  const monitor = monitorWith({
    fra: liveResult(true, NOW),
    nyc: liveResult(true, NOW, { checked_at_ms: NOW - 120_001, received_at_ms: NOW - 120_000 }),
    lon: liveResult(false, NOW, { checked_at_ms: NOW - 60_000, response_time_ms: 100 }),
    sfo: liveResult(false, NOW, { final: false, attempt: 0 }),
  });
  const byLocation = (trust: LocationTrust) =>
    Object.fromEntries(votes(monitor, trust, NOW).map((vote) => [vote.location, vote.abstained ?? vote.vote]));
  t.same(byLocation(trusting), { fra: 'up', nyc: 'stale', sin: 'no_result', lon: 'late', sfo: 'down' });
  t.same(
    byLocation({
      ...trusting,
      hasProbe: (code) => code !== 'fra',
      isQuarantined: (code) => code === 'sfo',
    }),
    { fra: 'no_probe', nyc: 'stale', sin: 'no_result', lon: 'late', sfo: 'quarantined' },
  );
  const edge = monitorWith({ fra: liveResult(true, NOW, { checked_at_ms: NOW - 90_000 }) }, { interval_seconds: 10 });
  t.equal(votes(edge, trusting, NOW)[0]?.vote, 'up', 'a vote is valid for at least 90 s');
  t.equal(votes(edge, trusting, NOW + 1)[0]?.abstained, 'stale');
  const ahead = monitorWith({
    fra: liveResult(true, NOW, { checked_at_ms: NOW + DAY, received_at_ms: NOW - 200_000 }),
  });
  t.equal(votes(ahead, trusting, NOW)[0]?.abstained, 'stale', "a probe's clock that is ahead buys no longer vote");
});

t.test('a location that is down stays down during the retries of its next check', async (t) => {
  const monitor = monitorWith({ fra: liveResult(false, NOW, { final: false, attempt: 0 }) });
  t.match(votes(monitor, trusting, NOW)[0], { vote: 'down', retrying: true });
  monitor.state.failing = { fra: { since_ms: NOW - 60_000, confirmed_result_id: 'earlier', from_version: 1 } };
  t.match(votes(monitor, trusting, NOW)[0], { vote: 'down', retrying: false, held_from: 'earlier' });
  monitor.state.failing = { fra: { since_ms: NOW - 60_000, confirmed_result_id: 'earlier', from_version: 0 } };
  t.match(votes(monitor, trusting, NOW)[0], { retrying: true }, 'not after a change of the target');
});

t.test('a vote says what the location had seen before its result', async (t) => {
  const [fra, nyc, sin, lon] = [
    liveResult(false, NOW),
    liveResult(true, NOW),
    liveResult(true, NOW),
    liveResult(false, NOW),
  ];
  const monitor = monitorWith(
    { fra, nyc, sin, lon },
    {
      good: {
        fra: { checked_at_ms: fra.checked_at_ms - 60_000, response_time_ms: 9 },
        nyc: { checked_at_ms: nyc.checked_at_ms, response_time_ms: 9 },
      },
    },
  );
  monitor.state.failing = { nyc: { since_ms: NOW - 200_000, confirmed_result_id: null, from_version: 1 } };
  const before = (one: MonitorDocument) =>
    Object.fromEntries(votes(one, trusting, NOW).map((vote) => [vote.location, vote.before]));
  t.same(before(monitor), {
    fra: { status: 'up', at_ms: fra.checked_at_ms - 60_000 },
    nyc: { status: 'down', at_ms: NOW - 200_000 },
    ...{ sin: undefined, lon: undefined, sfo: undefined },
  });
  const { decision } = verdict(monitor, settings, trusting, NOW);
  t.same(decision.votes[0]?.before, { status: 'up', at_ms: fra.checked_at_ms - 60_000 }, 'the record has it');
});

t.test('the transitions between phases', async (t) => {
  const tally = { situation: 'good' as const, failing: 0, secondRound: false };
  t.equal(transition('up', { ...tally, failing: 1 }), 'suspect');
  t.equal(transition('suspect', tally), 'up');
  t.equal(transition('suspect', { ...tally, situation: 'failing', failing: 3 }), 'down');
  t.equal(transition('suspect', { ...tally, situation: 'settling', failing: 3 }), 'suspect');
  t.equal(transition('suspect', { ...tally, situation: 'undecided' }), 'suspect');
  t.equal(transition('down', tally), 'recovering');
  t.equal(transition('down', { ...tally, situation: 'undecided' }), 'down');
  t.equal(transition('recovering', tally), 'recovering');
  t.equal(transition('recovering', { ...tally, secondRound: true }), 'up');
  t.equal(transition('recovering', { ...tally, situation: 'unconfirmed', failing: 3 }), 'recovering');
  t.equal(transition('recovering', { ...tally, situation: 'failing', failing: 3 }), 'down');
  t.equal(phaseOf({ status: 'down', first_failed_at_ms: 1, recovering_since_ms: 2 }), 'recovering');
});

t.test('fast confirmation: which locations it asks, and how often', async (t) => {
  const monitor = monitorWith(Object.fromEntries(LOCATIONS.map((code) => [code, liveResult(true, NOW - 30_000)])));
  const ask = (nowMs: number, trust = trusting) => {
    const result = verdict(monitor, settings, trust, nowMs);
    monitor.state = result.next;
    return result.requests.confirm;
  };
  t.same(ask(NOW), []);
  monitor.live['sin'] = liveResult(false, NOW, { final: false, attempt: 0 });
  t.same(
    ask(NOW, { ...trusting, isQuarantined: (code) => code === 'sfo' }),
    ['fra', 'nyc', 'lon'],
    'quarantined locations are not asked',
  );
  t.same(ask(NOW + 100), [], 'only once');
  monitor.live['lon'] = liveResult(true, NOW + 500);
  t.same(ask(NOW + 20_001), ['fra', 'nyc', 'sfo'], 'locations that did not answer are asked again');
  t.same(ask(NOW + 40_100), ['fra', 'nyc', 'sfo']);
  t.same(ask(NOW + 60_200), [], 'but not without limit');
  monitor.live['nyc'] = liveResult(false, NOW + 61_000, { final: false, attempt: 0 });
  t.same(ask(NOW + 61_000), ['fra', 'lon', 'sfo'], 'a new failure of another location starts again');
  const late = monitorWith({
    fra: liveResult(true, NOW),
    sin: liveResult(false, NOW, { checked_at_ms: NOW - 50_000 }),
  });
  t.same(
    verdict(late, settings, trusting, NOW).requests.confirm.includes('sin'),
    true,
    'a location with a late failure is asked for its current result',
  );
});

t.test('a location that has failed alone for days is not the start of a new outage', async (t) => {
  const monitor = monitorWith(Object.fromEntries(LOCATIONS.map((code) => [code, liveResult(false, NOW)])));
  monitor.state.failing = { sin: { since_ms: NOW - 3 * DAY, confirmed_result_id: 'r', from_version: 1 } };
  monitor.state.first_failed_at_ms = NOW - 3 * DAY;
  const { next, severity } = verdict(monitor, settings, trusting, NOW);
  t.match({ ...next, severity }, { status: 'down', first_failed_at_ms: NOW, severity: 'critical' });
});

t.test('a late result neither lowers the required number nor completes a good round', async (t) => {
  const four = (sin: ReturnType<typeof liveResult>) => ({
    fra: liveResult(false, NOW),
    nyc: liveResult(false, NOW),
    lon: liveResult(true, NOW),
    sin,
  });
  const locations = ['fra', 'nyc', 'lon', 'sin'];
  const late = (up: boolean) => liveResult(up, NOW, { checked_at_ms: NOW - 60_000 });
  const evaluate = (live: MonitorDocument['live'], state: Partial<MonitorDocument['state']> = {}) => {
    const monitor = monitorWith(live, { locations });
    Object.assign(monitor.state, state);
    return verdict(monitor, { ...settings, assigned: 4 }, trusting, NOW);
  };
  t.match(
    evaluate(four(liveResult(true, NOW))),
    { outcome: 'up', phase: { to: 'suspect' } },
    'two of four are too few',
  );
  for (const up of [true, false]) {
    const result = evaluate(four(late(up)));
    t.match(
      result,
      { outcome: 'unchanged', phase: { to: 'suspect' } },
      'two of three and a late one are too few as well',
    );
    t.ok(result.requests.confirm.includes('sin'), 'the late location is asked for its current result');
  }
  const down = { status: 'down' as const, first_failed_at_ms: NOW - 60_000 };
  t.match(evaluate(four(liveResult(false, NOW)), down), { phase: { to: 'down' } }, 'three of four');
  t.match(evaluate(four(late(true)), down), { phase: { to: 'down' } }, 'a late good result starts no recovery');
});

t.test('the rule of quarantine', async (t) => {
  const load = locationLoad(
    [60, 60, 10, 300, 3_600].map((interval_seconds) => ({ interval_seconds, workspace_id: 'ws_test' })),
  );
  t.match(load, { monitors: 5 });
  t.ok(Math.abs(load.dueInWindow - (3 + 0.2 + 1 / 60)) < 1e-9, 'an hourly monitor cannot fail sooner');
  const evidence = (
    startedRecently: number,
    monitors: number,
    failing = startedRecently,
    canaryOk: boolean | null = null,
  ) => ({
    owners: [{ startedRecently, failing, down: 0, monitors, dueInWindow: monitors }],
    canaryOk,
    connected: true,
  });
  const enters = (startedRecently: number, monitors: number) =>
    quarantineStep(null, evidence(startedRecently, monitors), NOW).to === 'quarantined';
  t.same(
    [enters(9, 10), enters(10, 10), enters(10, 20), enters(10, 21), enters(11, 22)],
    [false, true, true, false, true],
  );
  const quarantine = { since_ms: NOW, calm_since_ms: null };
  t.equal(
    quarantineStep(quarantine, evidence(0, 20, 2), NOW + 100_000).to,
    'unchanged',
    'a tenth of the monitors is too many',
  );
  t.same(quarantineStep(quarantine, evidence(0, 20, 1), NOW + 1), {
    to: 'quarantined',
    quarantine: { since_ms: NOW, calm_since_ms: NOW + 1 },
  });
  const calm = { since_ms: NOW, calm_since_ms: NOW };
  t.equal(quarantineStep(calm, evidence(0, 20, 1), NOW + 59_999).to, 'unchanged');
  t.equal(quarantineStep(calm, evidence(0, 20, 1), NOW + 60_000).to, 'trusted');
  t.match(
    quarantineStep(calm, evidence(0, 20, 3), NOW + 60_000),
    { quarantine: { calm_since_ms: null } },
    'the calm time starts again',
  );
  t.equal(
    quarantineStep(calm, { ...evidence(0, 20, 0), connected: false }, NOW + 60_000).to,
    'quarantined',
    'a location without a probe is not calm',
  );
  t.equal(
    quarantineStep(quarantine, evidence(0, 20, 20, false), NOW + DAY).to,
    'unchanged',
    'the canary targets do not answer',
  );
  t.equal(
    quarantineStep(quarantine, evidence(0, 20, 20, true), NOW + 30_000).to,
    'trusted',
    'the canary targets answer again',
  );
  t.equal(
    quarantineStep(quarantine, evidence(20, 20, 20, true), NOW + 30_000).to,
    'unchanged',
    'but new failures begin',
  );
  t.same(
    [
      spotCheckPasses({ requested: 20, good: 2, bad: 0 }),
      spotCheckPasses({ requested: 20, good: 3, bad: 2 }),
      spotCheckPasses({ requested: 20, good: 3, bad: 3 }),
      spotCheckPasses({ requested: 1, good: 1, bad: 0 }),
    ],
    [false, true, false, true],
  );
  const location = { monitors: 10, canaryOk: null, clearedAtMs: null };
  t.equal(isDoubtful(location, NOW, NOW + 74_999), true);
  t.equal(isDoubtful(location, NOW, NOW + 75_000), false);
  t.equal(isDoubtful({ ...location, monitors: 9 }, NOW, NOW), false);
  t.equal(
    isDoubtful({ ...location, clearedAtMs: NOW - 1 }, NOW, NOW),
    true,
    'a spot check from before the failure does not count',
  );
});

t.test('the rule of certificates', async (t) => {
  const step = (days: number | null, sent: MonitorDocument['certificate_told'] = null, status: 'up' | 'down' = 'up') =>
    certificateStep(
      {
        certificate:
          days === null
            ? null
            : {
                grade: 'A',
                not_after_ms: NOW + days * DAY,
                fingerprint: 'f',
                issuer: '',
                subject: '',
                checked_at_ms: NOW,
              },
        certificate_told: sent,
        state: { status },
      },
      NOW,
    );
  const notice = (days: 30 | 14 | 3) => ({ fingerprint: 'f', days, superseded: false, good_since_ms: null });
  t.same([step(30.1).do, step(null).do, step(2, null, 'down').do], ['nothing', 'nothing', 'nothing']);
  t.match(step(30), { do: 'open', severity: 'info' });
  t.match(step(14), { do: 'open', severity: 'warning' });
  t.match(step(3), { do: 'open', severity: 'critical' });
  t.match(step(-5), { do: 'open', severity: 'critical' }, 'expired');
  t.match([step(13, notice(30)).do, step(13, notice(14)).do, step(13, notice(3)).do], ['open', 'nothing', 'nothing']);
  t.match(step(13, { ...notice(14), superseded: true }), { do: 'open', again: true });
  t.match(step(60, notice(14)), { do: 'note', notice: { good_since_ms: NOW } });
  t.match(step(60, { ...notice(14), good_since_ms: NOW - 599_999 }), { do: 'nothing' });
  t.match(step(60, { ...notice(14), good_since_ms: NOW - 600_000 }), { do: 'clear', renewed: true });
  t.match(step(null, { ...notice(14), good_since_ms: 0 }), { do: 'clear', renewed: false });
  t.match(step(13, { ...notice(14), good_since_ms: NOW }), { do: 'note', notice: { good_since_ms: null } });
});

t.test('silent locations', async (t) => {
  const gone = { connectedProbes: 0, checkingProbes: 0, lastCheckingAtMs: NOW };
  t.same(silenceOf(null, gone, 1, NOW + DAY), { cause: 'disconnected', sinceMs: NOW });
  t.same(silenceOf(null, { ...gone, connectedProbes: 1 }, 1, NOW + DAY), { cause: 'drained', sinceMs: NOW });
  const never = { ...gone, lastCheckingAtMs: null };
  const first = silenceOf(null, never, 1, NOW);
  t.same(first, { cause: 'no_probe', sinceMs: NOW }, 'since it was noticed');
  t.same(silenceOf(first, never, 1, NOW + DAY), first);
  t.equal(silenceOf(first, gone, 0, NOW + DAY), null, 'it has no monitors');
  t.equal(silenceOf(first, { ...gone, connectedProbes: 2, checkingProbes: 1 }, 9, NOW), null, 'one probe can check');
});

t.test('one run at a time per key, a limited number in total, and no call shares an older run', async (t) => {
  let active = 0;
  let most = 0;
  const runs: string[][] = [];
  const perKey = new Map<string, number>();
  const queue = createKeyedQueue({ runsMax: 3, keysMax: 2 }, async (keys) => {
    active += 1;
    most = Math.max(most, active);
    runs.push([...keys]);
    for (const key of keys) {
      perKey.set(key, (perKey.get(key) ?? 0) + 1);
      t.equal(perKey.get(key), 1, 'no other run of the key');
    }
    await turn();
    active -= 1;
    for (const key of keys) perKey.set(key, (perKey.get(key) ?? 0) - 1);
    if (keys.includes('broken')) throw new Error('broken');
    return new Map(keys.filter((key) => key === 'bad').map((key) => [key, new Error('bad')] as const));
  });
  const first = queue.run('a');
  await new Promise((resolve) => setImmediate(resolve));
  const second = queue.run('a');
  const third = queue.run('a');
  t.not(first, second, 'a call during a run waits for the next run');
  t.equal(second, third, 'the next run serves all calls during the run');
  await Promise.all([...'bcdefgh'].map((key) => queue.run(key)));
  t.equal(most, 3);
  t.ok(
    runs.every((keys) => keys.length <= 2),
    'no run exceeds the limit',
  );
  t.ok(runs.length <= 6, `waiting keys run together: ${runs.map((keys) => keys.join('')).join(' ')}`);
  const [bad, good] = await Promise.allSettled([queue.run('bad'), queue.run('good')]);
  t.match(
    [bad, good],
    [{ status: 'rejected', reason: { message: 'bad' } }, { status: 'fulfilled' }],
    'each key has its own outcome',
  );
  t.equal(runs.at(-1)?.length, 2, 'although they ran together');
  await t.rejects(queue.run('bad'), { message: 'bad' }, 'a failure does not affect later calls');
  const both = await Promise.allSettled([queue.run('broken'), queue.run('other')]);
  t.ok(
    both.every(({ status }) => status === 'rejected'),
    'an error of a whole run applies to all of its keys',
  );
  await queue.idle();
  t.equal(runs.flat().filter((key) => key === 'a').length, 2);
});
