import t from 'tap';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import type { ResultDocument } from '../../../control-plane/results/documents.js';
import { createBacktest } from '../../../control-plane/verdicts/backtest/backtest.js';
import type { DecisionRecord } from '../../../control-plane/verdicts/decision-record.js';
import { delaysByLocation } from '../../../control-plane/verdicts/delays-by-location.js';
import { createVerdictRoutes } from '../../../control-plane/verdicts/routes.js';
import { systemClock } from '../../../kernel/clock.js';
import { testClock } from '../../helpers/clock.js';
import { LOCATIONS, monitorDocument, person } from '../../helpers/verdicts/setup.js';

const NOW = Date.UTC(2026, 0, 31, 12, 0, 3);
const DAY = 86_400_000;
const NEVER = new AbortController().signal;

t.test('detection delays by location', async (t) => {
  const decision = (delayMs: number, down: string[]) =>
    ({
      times: { first_failed_at_ms: NOW, confirmed_at_ms: NOW + delayMs, opened_at_ms: NOW, recovered_at_ms: null },
      votes: LOCATIONS.map((location) => ({ location, vote: down.includes(location) ? 'down' : 'up' })),
    }) as DecisionRecord;
  const delays = delaysByLocation([
    ...Array.from({ length: 99 }, (_, n) => decision(n + 1, ['fra'])),
    decision(9_000, ['fra', 'nyc']),
  ]);
  t.same(delays.get('fra'), { p50_ms: 50, p99_ms: 99 });
  t.same(delays.get('nyc'), { p50_ms: 9_000, p99_ms: 9_000 });
  t.equal(delays.get('sin'), undefined);
});

t.test('backtest: the same rule on stored results with other settings', async (t) => {
  const monitor = monitorDocument({ _id: 'mon_1', live: {}, locations: ['fra', 'nyc', 'sin'] }, NOW);
  const results: ResultDocument[] = [];
  const add = (location: string, slotMs: number, up: boolean, attempt = 0, final = true, reason = 'schedule') =>
    results.push({
      _id: `mon_1/${slotMs}/${location}/${attempt}`,
      workspace_id: monitor.workspace_id,
      monitor_id: 'mon_1',
      location,
      slot_ms: slotMs,
      attempt,
      final,
      reason,
      checked_at_ms: slotMs + attempt * 5_000,
      received_at: new Date(slotMs + attempt * 5_000 + 200),
      covers_ms: 60_000,
      up,
      response_time_ms: 50,
      timings: { dns_ms: null, connect_ms: null, tls_ms: null, ttfb_ms: null, transfer_ms: null },
      http_status: null,
      error: up ? null : { code: 'connection_refused', message: 'refused' },
      address: null,
      expires_at: new Date(NOW + DAY),
    });
  const minute = (n: number) => NOW + n * 60_000;
  // Minutes 10 to 14: down everywhere. Minute 30: one failure at sin, and its retry succeeds. Minute 40: two locations fail once.
  for (let n = 0; n < 60; n++) {
    for (const [index, location] of ['fra', 'nyc', 'sin'].entries()) {
      const slot = minute(n) + index * 20_000;
      const down = n >= 10 && n < 15;
      const blip = (n === 30 && location === 'sin') || (n === 40 && location !== 'sin');
      if (down || blip) add(location, slot, false, 0, false);
      add(location, slot, !down && !(n === 40 && blip), down || blip ? 1 : 0);
    }
  }
  const read: number[] = [];
  const backtest = createBacktest({
    monitors: { find: async (_workspace, id) => (id === 'mon_1' ? monitor : null) },
    results: {
      async *readRange(_workspace, _id, fromMs, toMs) {
        for (const result of results) {
          if (result.slot_ms < fromMs || result.slot_ms > toMs) continue;
          read.push(1);
          yield result;
        }
      },
    },
    incidents: { during: async () => [] },
    yieldToEventLoop: async () => {},
    clock: systemClock,
  });
  const run = async (change: object) => {
    const outcome = await backtest(person(), 'mon_1', { fromMs: NOW, toMs: minute(60), ...change }, NEVER);
    return outcome.wouldHaveBeen.map(({ startedAtMs, resolvedAtMs, severity, locations }) => ({
      minute: Math.floor((startedAtMs - NOW) / 60_000),
      ended: resolvedAtMs === null ? null : Math.floor((resolvedAtMs - NOW) / 60_000),
      severity,
      by: locations.length,
    }));
  };
  const unchanged = await run({});
  t.match(unchanged, [
    { minute: 10, severity: 'critical' },
    { minute: 40, severity: 'warning', by: 2 },
  ]);
  t.ok((unchanged[0]?.ended ?? 0) >= 15 && (unchanged[0]?.ended ?? 0) <= 17, 'resolved after two good rounds');
  t.match(await run({ confirmations: 3 }), [{ minute: 10, severity: 'critical' }], 'all three locations must agree');
  const eager = await run({ confirmations: 1, retries: 0 });
  t.same(
    eager.map((outage) => outage.minute),
    [10, 30, 40],
    'one location without retries also detects the single failure',
  );
  t.match(await run({ retries: 3 }), [{ minute: 10 }], 'with more retries a failure of one check is no outage');
  const slow = await backtest(person(), 'mon_1', { fromMs: NOW, toMs: minute(60), intervalSeconds: 600 }, NEVER);
  t.ok(slow.resultsUsed < slow.resultsRead / 4, 'a longer interval leaves results out');
  t.match(slow.settings, { interval_seconds: 600, retries: 1, confirmations: null });
  await t.rejects(backtest(person(), 'mon_2', { fromMs: NOW, toMs: NOW }, NEVER), { code: 'not_found' });
  await t.rejects(backtest(person(), 'mon_1', { fromMs: NOW, toMs: NOW - 1 }, NEVER), { code: 'validation_failed' });
  await t.rejects(backtest(person(), 'mon_1', { fromMs: NOW, toMs: NOW + 32 * DAY }, NEVER), {
    code: 'validation_failed',
  });
});

t.test('settings that no monitor could have are refused', async (t) => {
  const monitor = monitorDocument({ _id: 'mon_1', live: {}, locations: ['fra', 'nyc', 'sin'] }, NOW);
  const backtest = createBacktest({
    monitors: { find: async () => monitor },
    results: { async *readRange() {} },
    incidents: { during: async () => [] },
    yieldToEventLoop: async () => {},
    clock: systemClock,
  });
  const run = (confirmations: number | null) =>
    backtest(person(), 'mon_1', { fromMs: NOW, toMs: NOW, confirmations }, NEVER);
  const { length } = monitor.locations;
  t.match(await run(length), { settings: { confirmations: length } });
  t.match(await run(null), { settings: { confirmations: null } });
  await t.rejects(run(length + 1), {
    code: 'validation_failed',
    extra: {
      errors: [
        { path: '/confirmations', message: `must be at most ${length}, the number of locations of the monitor` },
      ],
    },
  });
});

t.test('workspaces take turns: one backtest of each, one of all on Free, and a short wait', async (t) => {
  const clock = testClock();
  const monitor = monitorDocument({ _id: 'mon_1', live: {}, locations: ['fra'] }, NOW);
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const reading: string[] = [];
  const backtest = createBacktest({
    monitors: { find: async (workspaceId) => ({ ...monitor, workspace_id: workspaceId }) },
    results: {
      async *readRange(workspaceId) {
        reading.push(workspaceId);
        await isOpen;
        yield* [];
      },
    },
    incidents: { during: async () => [] },
    yieldToEventLoop: async () => {},
    clock,
  });
  const run = (workspaceId: string, plan: PlanName, gone = NEVER) =>
    backtest(
      { ...person(), workspaceId, plan, userId: `usr_${workspaceId}` },
      'mon_1',
      { fromMs: NOW, toMs: NOW },
      gone,
    );
  const first = run('ws_1', 'Free');
  await clock.advance(0);
  const refused = [run('ws_1', 'Free'), run('ws_2', 'Free')].map((one) =>
    t.rejects(one, { code: 'rate_limited', message: /Other backtests/, extra: { headers: { 'Retry-After': '5' } } }),
  );
  await clock.advance(0);
  await clock.advance(2_000);
  const paying = run('ws_3', 'Pro');
  const client = new AbortController();
  const left = t.rejects(run('ws_4', 'Pro', client.signal), /gone/);
  const next = run('ws_5', 'Pro');
  await clock.advance(0);
  await clock.advance(1_000);
  await Promise.all(refused);
  client.abort(new Error('gone'));
  await left;
  t.same(reading, ['ws_1', 'ws_3'], 'two at a time');
  open();
  await Promise.all([first, paying, next]);
  t.same(reading, ['ws_1', 'ws_3', 'ws_5'], 'the others wait for a moment');
});

t.test('a person has one place in all workspaces', async (t) => {
  const clock = testClock();
  const monitor = monitorDocument({ _id: 'mon_1', live: {}, locations: ['fra'] }, NOW);
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const reading: string[] = [];
  const backtest = createBacktest({
    monitors: { find: async (workspaceId) => ({ ...monitor, workspace_id: workspaceId }) },
    results: {
      async *readRange(workspaceId) {
        reading.push(workspaceId);
        await isOpen;
        yield* [];
      },
    },
    incidents: { during: async () => [] },
    yieldToEventLoop: async () => {},
    clock,
  });
  const run = (userId: string, workspaceId: string) =>
    backtest({ ...person(), userId, workspaceId, plan: 'Pro' }, 'mon_1', { fromMs: NOW, toMs: NOW }, NEVER);
  const first = run('usr_a', 'ws_1');
  await clock.advance(0);
  const second = run('usr_a', 'ws_2');
  await clock.advance(0);
  const other = run('usr_b', 'ws_3');
  await clock.advance(0);
  t.same(reading, ['ws_1', 'ws_3']);
  open();
  await Promise.all([first, second, other]);
  t.same(reading, ['ws_1', 'ws_3', 'ws_2']);
});

t.test('a backtest ends with its client', async (t) => {
  let seen: AbortSignal | null = null;
  const [route] = createVerdictRoutes(async (_actor, _id, _request, gone) => {
    seen = gone;
    throw new Error('stopped');
  });
  if (route?.kind !== 'read') throw new Error('no route');
  const body = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
  const input = { actor: person(), params: { id: 'mon_1' }, body, gone: NEVER } as never;
  await t.rejects(Promise.resolve(route.handle(input)), /stopped/);
  t.equal(seen, NEVER);
});
