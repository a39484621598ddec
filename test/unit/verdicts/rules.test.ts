import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { certificateStep } from '../../../control-plane/verdicts/certificate-expiry.js';
import { createKeyedQueue } from '../../../control-plane/verdicts/keyed-queue.js';
import {
  isDoubtful,
  locationLoad,
  quarantineStep,
  soundingClears,
} from '../../../control-plane/verdicts/locations/quarantine.js';
import { isSilent } from '../../../control-plane/verdicts/locations/silent-locations.js';
import { phaseOf, transition, verdict } from '../../../control-plane/verdicts/verdict.js';
import { type LocationTrust, votes } from '../../../control-plane/verdicts/votes.js';
import { LOCATIONS, liveResult, monitorDocument } from '../../helpers/verdicts/world.js';

const NOW = Date.UTC(2026, 0, 31, 12, 0, 3);
const DAY = 86_400_000;
const trusting: LocationTrust = {
  presence: () => ({ connectedProbes: 1 }),
  isQuarantined: () => false,
  isDoubted: () => false,
};
const settings = { assigned: 5, confirmations: null, retries: 1, interval_seconds: 60, timeout_ms: 10_000 };

function monitorWith(live: MonitorDocument['live'], more: Partial<MonitorDocument> = {}): MonitorDocument {
  return monitorDocument({ _id: 'mon_1', live, ...more }, NOW);
}

t.test('why a location abstains', async (t) => {
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
      presence: (code) => ({ connectedProbes: code === 'fra' ? 0 : 1 }),
      isQuarantined: (code) => code === 'sfo',
    }),
    { fra: 'no_probe', nyc: 'stale', sin: 'no_result', lon: 'late', sfo: 'quarantined' },
  );
  const edge = monitorWith({ fra: liveResult(true, NOW, { checked_at_ms: NOW - 90_000 }) }, { interval_seconds: 10 });
  t.equal(votes(edge, trusting, NOW)[0]?.vote, 'up', 'a vote lasts 90 s at least');
  t.equal(votes(edge, trusting, NOW + 1)[0]?.abstained, 'stale');
  const ahead = monitorWith({
    fra: liveResult(true, NOW, { checked_at_ms: NOW + DAY, received_at_ms: NOW - 200_000 }),
  });
  t.equal(votes(ahead, trusting, NOW)[0]?.abstained, 'stale', "a probe's clock that is ahead buys no longer vote");
});

t.test('a location that was down stays down while its next check is being retried', async (t) => {
  const monitor = monitorWith({ fra: liveResult(false, NOW, { final: false, attempt: 0 }) });
  t.match(votes(monitor, trusting, NOW)[0], { vote: 'down', retrying: true });
  monitor.state.failing = { fra: { since_ms: NOW - 60_000, confirmed_result_id: 'earlier', from_version: 1 } };
  t.match(votes(monitor, trusting, NOW)[0], { vote: 'down', retrying: false, held_from: 'earlier' });
  monitor.state.failing = { fra: { since_ms: NOW - 60_000, confirmed_result_id: 'earlier', from_version: 0 } };
  t.match(votes(monitor, trusting, NOW)[0], { retrying: true }, 'not across a change of the target');
});

t.test('the phases and their one transition', async (t) => {
  const weighing = { situation: 'good' as const, failing: 0, secondRound: false };
  t.equal(transition('up', { ...weighing, failing: 1 }), 'suspect');
  t.equal(transition('suspect', weighing), 'up');
  t.equal(transition('suspect', { ...weighing, situation: 'failing', failing: 3 }), 'down');
  t.equal(transition('suspect', { ...weighing, situation: 'settling', failing: 3 }), 'suspect');
  t.equal(transition('suspect', { ...weighing, situation: 'undecided' }), 'suspect');
  t.equal(transition('down', weighing), 'recovering');
  t.equal(transition('down', { ...weighing, situation: 'undecided' }), 'down');
  t.equal(transition('recovering', weighing), 'recovering');
  t.equal(transition('recovering', { ...weighing, secondRound: true }), 'up');
  t.equal(transition('recovering', { ...weighing, situation: 'wavering', failing: 3 }), 'recovering');
  t.equal(transition('recovering', { ...weighing, situation: 'failing', failing: 3 }), 'down');
  t.equal(phaseOf({ status: 'down', first_failed_at_ms: 1, recovering_since_ms: 2 }), 'recovering');
});

t.test('fast confirmation: whom it asks, and how often', async (t) => {
  const monitor = monitorWith(Object.fromEntries(LOCATIONS.map((code) => [code, liveResult(true, NOW - 30_000)])));
  const ask = (nowMs: number, trust = trusting) => {
    const judged = verdict(monitor, settings, trust, nowMs);
    monitor.state = judged.next;
    return judged.wants.confirm;
  };
  t.same(ask(NOW), []);
  monitor.live['sin'] = liveResult(false, NOW, { final: false, attempt: 0 });
  t.same(
    ask(NOW, { ...trusting, isQuarantined: (code) => code === 'sfo' }),
    ['fra', 'nyc', 'lon'],
    'not the quarantined',
  );
  t.same(ask(NOW + 100), [], 'once');
  monitor.live['lon'] = liveResult(true, NOW + 500);
  t.same(ask(NOW + 20_001), ['fra', 'nyc', 'sfo'], 'those that did not answer are asked again');
  t.same(ask(NOW + 40_100), ['fra', 'nyc', 'sfo']);
  t.same(ask(NOW + 60_200), [], 'but not for ever');
  monitor.live['nyc'] = liveResult(false, NOW + 61_000, { final: false, attempt: 0 });
  t.same(ask(NOW + 61_000), ['fra', 'lon', 'sfo'], 'another location that begins to fail is another episode');
  const late = monitorWith({
    fra: liveResult(true, NOW),
    sin: liveResult(false, NOW, { checked_at_ms: NOW - 50_000 }),
  });
  t.same(
    verdict(late, settings, trusting, NOW).wants.confirm.includes('sin'),
    true,
    'a late failure: what is true now?',
  );
});

t.test('a location that has failed alone for days is not when the trouble began', async (t) => {
  const monitor = monitorWith(Object.fromEntries(LOCATIONS.map((code) => [code, liveResult(false, NOW)])));
  monitor.state.failing = { sin: { since_ms: NOW - 3 * DAY, confirmed_result_id: 'r', from_version: 1 } };
  monitor.state.first_failed_at_ms = NOW - 3 * DAY;
  const { next, severity } = verdict(monitor, settings, trusting, NOW);
  t.match({ ...next, severity }, { status: 'down', first_failed_at_ms: NOW, severity: 'critical' });
});

t.test('a late result neither lowers the number that is needed nor makes a round good', async (t) => {
  const four = (sin: ReturnType<typeof liveResult>) => ({
    fra: liveResult(false, NOW),
    nyc: liveResult(false, NOW),
    lon: liveResult(true, NOW),
    sin,
  });
  const locations = ['fra', 'nyc', 'lon', 'sin'];
  const late = (up: boolean) => liveResult(up, NOW, { checked_at_ms: NOW - 60_000 });
  const judge = (live: MonitorDocument['live'], state: Partial<MonitorDocument['state']> = {}) => {
    const monitor = monitorWith(live, { locations });
    Object.assign(monitor.state, state);
    return verdict(monitor, { ...settings, assigned: 4 }, trusting, NOW);
  };
  t.match(judge(four(liveResult(true, NOW))), { outcome: 'up', phase: { to: 'suspect' } }, 'two of four are too few');
  for (const up of [true, false]) {
    const judged = judge(four(late(up)));
    t.match(judged, { outcome: 'unchanged', phase: { to: 'suspect' } }, 'two of three, and a late one, are too');
    t.ok(judged.wants.confirm.includes('sin'), 'it is asked for the present');
  }
  const down = { status: 'down' as const, first_failed_at_ms: NOW - 60_000 };
  t.match(judge(four(liveResult(false, NOW)), down), { phase: { to: 'down' } }, 'three of four');
  t.match(judge(four(late(true)), down), { phase: { to: 'down' } }, 'a late good result begins no recovery');
});

t.test('the rule of quarantine', async (t) => {
  const load = locationLoad([60, 60, 10, 300, 3_600]);
  t.match(load, { monitors: 5 });
  t.ok(
    Math.abs(load.dueInWindow - (3 + 0.2 + 1 / 60)) < 1e-9,
    'a monitor that is checked each hour cannot fail sooner',
  );
  const evidence = (begun: number, monitors: number, failing = begun, canaryOk: boolean | null = null) => ({
    failures: { begun, failing },
    load: { monitors, dueInWindow: monitors },
    canaryOk,
    connected: true,
  });
  const enters = (begun: number, monitors: number) =>
    quarantineStep(null, evidence(begun, monitors), NOW).to === 'quarantined';
  t.same(
    [enters(9, 10), enters(10, 10), enters(10, 20), enters(10, 21), enters(11, 22)],
    [false, true, true, false, true],
  );
  const quarantine = { since_ms: NOW, calm_since_ms: null };
  t.equal(quarantineStep(quarantine, evidence(0, 20, 2), NOW + 100_000).to, 'unchanged', 'a tenth is not calm');
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
    'starts anew',
  );
  t.equal(
    quarantineStep(calm, { ...evidence(0, 20, 0), connected: false }, NOW + 60_000).to,
    'quarantined',
    'silence is not calm',
  );
  t.equal(
    quarantineStep(quarantine, evidence(0, 20, 20, false), NOW + DAY).to,
    'unchanged',
    'its canaries do not answer',
  );
  t.equal(quarantineStep(quarantine, evidence(0, 20, 20, true), NOW + 30_000).to, 'trusted', 'they do again');
  t.equal(quarantineStep(quarantine, evidence(20, 20, 20, true), NOW + 30_000).to, 'unchanged', 'yet it breaks anew');
  t.same(
    [
      soundingClears({ asked: 20, good: 2, bad: 0 }),
      soundingClears({ asked: 20, good: 3, bad: 2 }),
      soundingClears({ asked: 20, good: 3, bad: 3 }),
      soundingClears({ asked: 1, good: 1, bad: 0 }),
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
    'cleared before the failure is not cleared',
  );
});

t.test('the rule of certificates', async (t) => {
  const step = (days: number | null, told: MonitorDocument['certificate_told'] = null, status: 'up' | 'down' = 'up') =>
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
        certificate_told: told,
        state: { status },
      },
      NOW,
    );
  const told = (days: 30 | 14 | 3) => ({ fingerprint: 'f', days, superseded: false, good_since_ms: null });
  t.same([step(30.1).do, step(null).do, step(2, null, 'down').do], ['nothing', 'nothing', 'nothing']);
  t.match(step(30), { do: 'open', severity: 'info' });
  t.match(step(14), { do: 'open', severity: 'warning' });
  t.match(step(3), { do: 'open', severity: 'critical' });
  t.match(step(-5), { do: 'open', severity: 'critical' }, 'expired');
  t.match([step(13, told(30)).do, step(13, told(14)).do, step(13, told(3)).do], ['open', 'nothing', 'nothing']);
  t.match(step(13, { ...told(14), superseded: true }), { do: 'open', again: true });
  t.match(step(60, told(14)), { do: 'note', told: { good_since_ms: NOW } });
  t.match(step(60, { ...told(14), good_since_ms: NOW - 599_999 }), { do: 'nothing' });
  t.match(step(60, { ...told(14), good_since_ms: NOW - 600_000 }), { do: 'forget', renewed: true });
  t.match(step(null, { ...told(14), good_since_ms: 0 }), { do: 'forget', renewed: false });
  t.match(step(13, { ...told(14), good_since_ms: NOW }), { do: 'note', told: { good_since_ms: null } });
});

t.test('which location is silent', async (t) => {
  const presence = { connectedProbes: 0, lastConnectedAtMs: NOW };
  t.equal(isSilent(presence, 1, NOW + 29_999), false);
  t.equal(isSilent(presence, 1, NOW + 30_000), true);
  t.equal(isSilent(presence, 0, NOW + DAY), false, 'nobody misses it');
  t.equal(isSilent({ ...presence, lastConnectedAtMs: null }, 9, NOW), false, 'it was never set up');
  t.equal(isSilent({ connectedProbes: 1, lastConnectedAtMs: 0 }, 9, NOW), false);
});

t.test('one run at a time for each key, so many in all, and no call is served by an older run', async (t) => {
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
      t.equal(perKey.get(key), 1, 'alone for its key');
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    active -= 1;
    for (const key of keys) perKey.set(key, (perKey.get(key) ?? 0) - 1);
    if (keys.includes('broken')) throw new Error('broken');
    return new Map(keys.filter((key) => key === 'bad').map((key) => [key, new Error('bad')] as const));
  });
  const first = queue.run('a');
  await new Promise((resolve) => setImmediate(resolve));
  const second = queue.run('a');
  const third = queue.run('a');
  t.not(first, second, 'a call while it runs is served by the next run');
  t.equal(second, third, 'which serves all that come meanwhile');
  await Promise.all([...'bcdefgh'].map((key) => queue.run(key)));
  t.equal(most, 3);
  t.ok(
    runs.every((keys) => keys.length <= 2),
    'no run is larger than it may be',
  );
  t.ok(runs.length <= 6, `what waits goes together: ${runs.map((keys) => keys.join('')).join(' ')}`);
  const [bad, good] = await Promise.allSettled([queue.run('bad'), queue.run('good')]);
  t.match([bad, good], [{ status: 'rejected', reason: { message: 'bad' } }, { status: 'fulfilled' }], 'each its own');
  t.equal(runs.at(-1)?.length, 2, 'though they ran together');
  await t.rejects(queue.run('bad'), { message: 'bad' }, 'a failure is not kept');
  const both = await Promise.allSettled([queue.run('broken'), queue.run('other')]);
  t.ok(
    both.every(({ status }) => status === 'rejected'),
    'a run that fails as a whole fails for all of its keys',
  );
  await queue.idle();
  t.equal(runs.flat().filter((key) => key === 'a').length, 2);
});
