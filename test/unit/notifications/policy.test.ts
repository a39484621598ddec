import fc from 'fast-check';
import { Registry } from 'prom-client';
import t from 'tap';
import { afterAttempt, type Outcome } from '../../../control-plane/notifications/delivery/retry.js';
import type { RowEvent, RowState } from '../../../control-plane/notifications/documents.js';
import { createNotificationMetrics } from '../../../control-plane/notifications/metrics.js';
import {
  decideDelivery,
  nextReminder,
  type PolicyChannel,
  type PolicyIncident,
  type PolicyRow,
  planEvent,
} from '../../../control-plane/notifications/policy.js';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 31, 12);
const firing: PolicyIncident = { status: 'firing', acknowledged: false };
const channel = (over: Partial<PolicyChannel> = {}): PolicyChannel => ({
  channelId: 'chn_a',
  delayMs: 0,
  repeatMs: null,
  enabled: true,
  pausedUntilMs: 0,
  ...over,
});
const row = (over: Partial<PolicyRow> = {}): PolicyRow => ({
  channelId: 'chn_a',
  event: 'opened',
  sequence: 0,
  step: false,
  state: 'pending',
  attempts: 0,
  next_attempt_ms: NOW,
  attempted_ms: null,
  ...over,
});

t.test('an opened incident goes to each enabled channel at once, or after its delay', async (t) => {
  const plan = planEvent(
    'opened',
    firing,
    [channel(), channel({ channelId: 'chn_b', delayMs: 10 * MINUTE }), channel({ channelId: 'chn_c', enabled: false })],
    [],
    NOW,
  );
  t.match(plan.insert, [
    { channelId: 'chn_a', dueMs: NOW, step: false },
    { channelId: 'chn_b', dueMs: NOW + 10 * MINUTE, step: true },
  ]);
  t.equal(plan.insert.length, 2);
  t.same(planEvent('opened', { status: 'silenced', acknowledged: false }, [channel()], [], NOW).insert, []);
  t.same(
    planEvent('opened', firing, [channel()], [row({ state: 'sent' })], NOW).insert,
    [],
    'no channel is notified twice',
  );
  t.equal(planEvent('opened', firing, [channel()], [row({ state: 'withdrawn' })], NOW).insert.length, 1);
});

t.test('acknowledged and resolved go to notified channels and withdraw untried rows', async (t) => {
  const rows = [
    row({ state: 'sent' }),
    row({ event: 'reminder#1', sequence: 1 }),
    row({ channelId: 'chn_step', step: true }),
    row({ channelId: 'chn_trying', step: true, attempts: 1 }),
    row({ channelId: 'chn_leased', step: true, state: 'leased', attempts: 1 }),
    row({ channelId: 'chn_failed', state: 'failed' }),
    row({ channelId: 'chn_due' }),
  ];
  for (const event of ['acknowledged', 'resolved'] as const) {
    const plan = planEvent(event, firing, [], rows, NOW);
    t.same(
      plan.insert.map((planned) => planned.channelId),
      ['chn_a', 'chn_trying', 'chn_leased', 'chn_due'],
    );
    t.same(
      plan.withdraw.map((withdrawn) => `${withdrawn.channelId} ${withdrawn.event}`),
      ['chn_a reminder#1', 'chn_step opened'],
    );
  }
  const silenced: PolicyIncident = { status: 'silenced', acknowledged: true };
  t.same(planEvent('acknowledged', silenced, [], rows, NOW).insert, []);
  const twice = planEvent('resolved', firing, [], [...rows, row({ event: 'resolved', sequence: 9 })], NOW);
  t.notOk(twice.insert.some((planned) => planned.channelId === 'chn_a'));
});

t.test('the current state of the incident decides about a due row', async (t) => {
  const acknowledged: PolicyIncident = { status: 'firing', acknowledged: true };
  const resolved: PolicyIncident = { status: 'resolved', acknowledged: false };
  const silenced: PolicyIncident = { status: 'silenced', acknowledged: false };
  const first = { attempts: 1 };
  const cases: [string, Partial<PolicyRow>, PolicyIncident | null, string][] = [
    ['opened', first, firing, 'send'],
    ['opened, resolved since: `resolved` follows', first, resolved, 'send'],
    ['opened, acknowledged since', first, acknowledged, 'send'],
    ['opened, silenced', first, silenced, 'withdraw'],
    ['opened, silenced after an attempt', { attempts: 2 }, silenced, 'send'],
    ['step', { ...first, step: true }, firing, 'send'],
    ['step, acknowledged', { ...first, step: true }, acknowledged, 'withdraw'],
    ['step, resolved', { ...first, step: true }, resolved, 'withdraw'],
    ['step, resolved after an attempt', { attempts: 2, step: true }, resolved, 'send'],
    ['reminder', { ...first, event: 'reminder#2' }, firing, 'send'],
    ['reminder, acknowledged', { ...first, event: 'reminder#2' }, acknowledged, 'withdraw'],
    ['reminder, resolved while it is tried', { attempts: 5, event: 'reminder#2' }, resolved, 'withdraw'],
    ['the incident was deleted', first, null, 'withdraw'],
  ];
  for (const [title, over, incident, expected] of cases) {
    t.equal(decideDelivery(row(over), [], incident, channel(), NOW).action, expected, title);
  }
  t.equal(decideDelivery(row(first), [], firing, channel({ enabled: false }), NOW).action, 'withdraw');
  t.equal(decideDelivery(row(first), [], firing, null, NOW).action, 'withdraw');
  t.same(decideDelivery(row(first), [], firing, channel({ pausedUntilMs: NOW + 5 }), NOW), {
    action: 'wait',
    untilMs: NOW + 5,
  });
});

t.test('resolved waits for opened, and is sent only to notified channels', async (t) => {
  const end = row({ event: 'resolved', sequence: 9, attempts: 1 });
  const resolved: PolicyIncident = { status: 'resolved', acknowledged: false };
  const action = (state: RowState, next = NOW) =>
    decideDelivery(end, [row({ state, next_attempt_ms: next })], resolved, channel(), NOW);
  t.equal(action('sent').action, 'send');
  t.equal(action('withdrawn').action, 'withdraw');
  t.equal(action('failed').action, 'withdraw');
  t.same(action('leased'), { action: 'wait', untilMs: NOW + 1_000 });
  t.same(action('pending', NOW + 9_000), { action: 'wait', untilMs: NOW + 9_000 });
  t.equal(decideDelivery(end, [], resolved, channel(), NOW).action, 'withdraw');
  const opened = row({ state: 'sent' });
  const later = row({ event: 'reminder#3', sequence: 3, next_attempt_ms: NOW + 30 * MINUTE });
  const actions = [later, { ...later, state: 'leased' as const }].map(
    (reminder) => decideDelivery(end, [opened, reminder], resolved, channel(), NOW).action,
  );
  t.same(actions, ['send', 'wait'], 'a later reminder that was scheduled at the same moment does not block it');
});

t.test('reminders repeat until the incident is acknowledged', async (t) => {
  const timing = channel({ repeatMs: 30 * MINUTE });
  t.match(nextReminder(row(), timing, firing, NOW), { event: 'reminder#1', sequence: 1, dueMs: NOW + 30 * MINUTE });
  t.match(nextReminder(row({ event: 'reminder#41' }), timing, firing, NOW), { event: 'reminder#42', sequence: 42 });
  t.equal(nextReminder(row(), channel(), firing, NOW), null);
  t.equal(nextReminder(row(), timing, { status: 'firing', acknowledged: true }, NOW), null);
  t.equal(nextReminder(row(), timing, { status: 'resolved', acknowledged: false }, NOW), null);
  t.equal(nextReminder(row({ event: 'resolved' }), timing, firing, NOW), null);
});

t.test('the end of a silence reminds a channel, at the earliest a minute after the last attempt', async (t) => {
  const opened = row({ state: 'sent', attempted_ms: NOW - 10_000 });
  const soon = NOW + MINUTE;
  const plan = (...rows: PolicyRow[]) => planEvent('unsilenced', firing, [channel()], rows, NOW);
  const reminder = (over: Partial<PolicyRow>) => row({ event: 'reminder#4', sequence: 4, ...over });
  t.match(plan(opened).insert, [{ event: 'reminder#1', sequence: 1, dueMs: soon - 10_000, step: false }]);
  t.match(plan({ ...opened, attempted_ms: NOW - 2 * MINUTE }).insert, [{ event: 'reminder#1', dueMs: NOW }]);
  const sent = reminder({ state: 'sent', attempted_ms: NOW - 1 });
  t.match(plan(opened, sent).insert, [{ event: 'reminder#5', sequence: 5, dueMs: soon - 1 }]);
  t.match(
    plan(opened, reminder({ state: 'leased' })).insert,
    [{ event: 'reminder#5', dueMs: soon }],
    'it gets one now',
  );
  for (const next_attempt_ms of [NOW + 1, NOW + 30 * MINUTE]) {
    const waiting = plan(opened, reminder({ next_attempt_ms }));
    t.same(waiting.insert, []);
    t.match(
      waiting.move,
      [{ channelId: 'chn_a', event: 'reminder#4', dueMs: soon - 10_000 }],
      'one that waits is moved',
    );
  }
  t.match(plan(opened, reminder({ attempts: 3, attempted_ms: NOW - 5 })).move, [{ dueMs: soon - 5 }], 'also a retry');
  const two = plan(opened, reminder({}), reminder({ event: 'reminder#5', sequence: 5 }));
  t.match([two.move, two.withdraw], [[{ event: 'reminder#5' }], [{ event: 'reminder#4' }]]);
  const acknowledged = planEvent('unsilenced', { status: 'firing', acknowledged: true }, [channel()], [opened], NOW);
  t.same([acknowledged.insert, acknowledged.move], [[], []]);
});

t.test('property: silences in a loop send at most one message a minute, and none is lost', async () => {
  const steps = fc.array(
    fc.record({ waitMs: fc.nat(40_000), step: fc.constantFrom('silence', 'unsilence', 'deliver') }),
    {
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(steps, fc.constantFrom(null, MINUTE), (script, repeatMs) => {
      const timing = channel({ repeatMs });
      let now = NOW;
      let incident = firing;
      let endedMs: number | null = null;
      const sentMs = [NOW];
      const rows = new Map<RowEvent, PolicyRow>([['opened', row({ state: 'sent', attempted_ms: NOW })]]);
      const deliver = () => {
        const due = [...rows.values()].find((one) => one.state === 'pending' && one.next_attempt_ms <= now);
        if (due === undefined) return;
        const claimed = { ...due, attempts: due.attempts + 1 };
        if (decideDelivery(claimed, [], incident, timing, now).action !== 'send') {
          rows.set(due.event, { ...claimed, state: 'withdrawn' });
          return;
        }
        rows.set(due.event, { ...claimed, state: 'sent', attempted_ms: now });
        sentMs.push(now);
        const next = nextReminder(claimed, timing, incident, now);
        if (next !== null) rows.set(next.event, row({ ...next, next_attempt_ms: next.dueMs }));
      };
      for (const { waitMs, step } of script) {
        now += waitMs;
        if (step === 'deliver') deliver();
        else if (step === 'silence') [incident, endedMs] = [{ ...firing, status: 'silenced' }, null];
        else if (incident.status === 'silenced') {
          [incident, endedMs] = [firing, now];
          const plan = planEvent('unsilenced', incident, [timing], [...rows.values()], now);
          for (const { event, dueMs } of plan.move)
            rows.set(event, { ...(rows.get(event) ?? row()), next_attempt_ms: dueMs });
          for (const { event } of plan.withdraw) rows.set(event, { ...(rows.get(event) ?? row()), state: 'withdrawn' });
          for (const planned of plan.insert)
            rows.set(planned.event, row({ ...planned, next_attempt_ms: planned.dueMs }));
        }
      }
      const waiting = [...rows.values()].filter(({ state }) => state === 'pending');
      for (let index = 0; index < 3; index++) {
        now += MINUTE;
        deliver();
      }
      const isSlow = sentMs.every((at, index) => index === 0 || at - (sentMs[index - 1] ?? 0) >= MINUTE);
      const isTold = endedMs === null || sentMs.some((at) => at >= (endedMs ?? 0));
      return isSlow && isTold && waiting.length <= 1;
    }),
    { numRuns: 2_000 },
  );
});

t.test('property: a channel always gets `resolved` after `opened`, and nothing twice', async () => {
  type Step = 'open' | 'ack' | 'resolve' | 'silence' | 'deliver' | 'fail' | 'fail permanently';
  const steps = fc.array(
    fc.constantFrom<Step>('open', 'ack', 'resolve', 'silence', 'deliver', 'deliver', 'fail', 'fail permanently'),
    {
      maxLength: 40,
    },
  );
  const timings = fc.record({ delayMs: fc.constantFrom(0, 5 * MINUTE), repeatMs: fc.constantFrom(null, MINUTE) });
  fc.assert(
    fc.property(steps, timings, (script, over) => {
      const timing = channel(over);
      let now = NOW;
      const incident: PolicyIncident = { status: 'firing', acknowledged: false };
      const rows = new Map<RowEvent, PolicyRow>();
      const received: RowEvent[] = [];
      const apply = (event: 'opened' | 'acknowledged' | 'resolved') => {
        const plan = planEvent(event, incident, [timing], [...rows.values()], now);
        for (const withdrawn of plan.withdraw)
          rows.set(withdrawn.event, { ...(rows.get(withdrawn.event) ?? row()), state: 'withdrawn' });
        for (const planned of plan.insert) rows.set(planned.event, row({ ...planned, next_attempt_ms: planned.dueMs }));
      };
      const attempt = (result: 'sent' | 'retry' | 'failed') => {
        const due = [...rows.values()].filter((r) => r.state === 'pending' && r.next_attempt_ms <= now)[0];
        if (due === undefined) return;
        const claimed = { ...due, attempts: due.attempts + 1 };
        const others = [...rows.values()].filter((r) => r.event !== due.event);
        const deliveryDecision = decideDelivery(claimed, others, incident, timing, now);
        if (deliveryDecision.action === 'wait')
          rows.set(due.event, { ...due, next_attempt_ms: deliveryDecision.untilMs });
        else if (deliveryDecision.action === 'withdraw') rows.set(due.event, { ...due, state: 'withdrawn' });
        else if (result === 'retry') rows.set(due.event, { ...claimed, next_attempt_ms: now + 1_000 });
        else rows.set(due.event, { ...claimed, state: result });
        if (deliveryDecision.action !== 'send' || result !== 'sent') return;
        received.push(due.event);
        const next = nextReminder(claimed, timing, incident, now);
        if (next !== null) rows.set(next.event, row({ ...next, next_attempt_ms: next.dueMs }));
      };
      for (const step of script) {
        now += MINUTE;
        if (step === 'deliver') attempt('sent');
        else if (step === 'fail') attempt('retry');
        else if (step === 'fail permanently') attempt('failed');
        else if (incident.status !== 'resolved') {
          if (step === 'open') {
            incident.status = 'firing';
            apply('opened');
          } else if (step === 'silence') incident.status = 'silenced';
          else if (step === 'ack') {
            incident.acknowledged = true;
            apply('acknowledged');
          } else {
            incident.status = 'resolved';
            apply('resolved');
          }
        }
      }
      for (let index = 0; index < 20; index++) {
        now += MINUTE;
        attempt('sent');
      }
      const unique = new Set(received).size === received.length;
      const inOrder = received.length === 0 || received[0] === 'opened';
      const end = received.indexOf('resolved');
      const isLast = end === -1 || end === received.length - 1;
      const notified = rows.get('opened')?.state === 'sent';
      const ended = incident.status === 'resolved' && notified && rows.get('resolved')?.state !== 'failed';
      const endIsSent = !ended || end !== -1;
      return unique && inOrder && isLast && endIsSent;
    }),
    { numRuns: 2_000 },
  );
});

t.test('the backoff grows to half an hour, with jitter; a notification fails permanently after a day', async (t) => {
  const later: Outcome = { kind: 'retry', error: 'HTTP 503', responseStatus: 503, retryAfterMs: null };
  const delayMs = (attempts: number, fraction: number) => {
    const next = afterAttempt(later, { attempts, refusals: 0, retryUntilMs: 1e12 }, 0, fraction);
    return next.state === 'pending' ? next.atMs : Number.NaN;
  };
  t.same(
    [1, 2, 3, 4].map((n) => delayMs(n, 0.5)),
    [2_000, 4_000, 8_000, 16_000],
  );
  t.equal(delayMs(40, 0.5), 30 * MINUTE);
  t.equal(delayMs(1, 0), 1_500);
  t.ok(delayMs(1, 0.999) < 2_501);
  const day = 24 * 60 * MINUTE;
  let [nowMs, attempts] = [0, 0];
  for (;;) {
    attempts += 1;
    const next = afterAttempt(later, { attempts, refusals: 0, retryUntilMs: day }, nowMs, 0.5);
    if (next.state !== 'pending') break;
    t.ok(next.atMs > nowMs && next.atMs <= day);
    nowMs = next.atMs;
  }
  t.ok(nowMs > day - 31 * MINUTE, 'it is retried until shortly before the end of the day');
  t.ok(attempts > 40 && attempts < 70, `${attempts} attempts`);
});

t.test('Retry-After is used up to an hour, a refusal is retried a few times, 410 fails at once', async (t) => {
  const used = { attempts: 1, refusals: 0, retryUntilMs: 1e12 };
  const rateLimited = (retryAfterMs: number): Outcome => ({
    kind: 'retry',
    error: '',
    responseStatus: 429,
    retryAfterMs,
  });
  t.match(afterAttempt(rateLimited(90_000), used, 0, 0.5), { state: 'pending', atMs: 90_000 });
  t.match(afterAttempt(rateLimited(9e9), used, 0, 0.5), { state: 'pending', atMs: 60 * MINUTE });
  t.match(afterAttempt(rateLimited(1), used, 0, 0.5), { state: 'pending', atMs: 2_000 });
  const refused: Outcome = { kind: 'refused', error: 'HTTP 404', responseStatus: 404 };
  t.match(afterAttempt(refused, { ...used, refusals: 3 }, 0, 0.5), { state: 'pending', atMs: 30_000 });
  t.match(afterAttempt(refused, { ...used, refusals: 4 }, 0, 0.5), { state: 'failed', error: 'HTTP 404' });
  const ofSome: Outcome = {
    ...{ kind: 'retry', error: '450 later', responseStatus: 450, retryAfterMs: null },
    ...{ reached: ['ann@example.com'], ofSome: true },
  };
  t.match(afterAttempt(ofSome, { ...used, attempts: 8 }, 0, 0.5), { state: 'pending' });
  t.match(afterAttempt(ofSome, { ...used, attempts: 9 }, 0, 0.5), { state: 'sent', error: '450 later' });
  t.match(afterAttempt({ kind: 'gone', error: 'HTTP 410', responseStatus: 410 }, used, 0, 0.5), { state: 'failed' });
  t.match(afterAttempt({ kind: 'sent', responseStatus: 200, warning: null }, used, 0, 0.5), {
    state: 'sent',
    error: null,
  });
});

t.test('deliveries are counted on /metrics by channel type', async (t) => {
  const registry = new Registry();
  const metrics = createNotificationMetrics(registry);
  metrics.sent('webhook');
  metrics.failed('slack');
  metrics.unconfirmed('email');
  metrics.retried('slack');
  metrics.delivered('webhook', 200);
  metrics.lag(1_500);
  const text = await registry.metrics();
  t.match(text, /picket_notifications_sent_total\{channel="webhook"\} 1/);
  t.match(text, /picket_notifications_failed_total\{channel="slack"\} 1/);
  t.match(text, /picket_notifications_unconfirmed_total\{channel="email"\} 1/);
  t.match(text, /picket_notifications_retried_total\{channel="slack"\} 1/);
  t.match(text, /picket_notification_delay_seconds_bucket\{le="0.25",channel="webhook"\} 1/);
  t.match(text, /picket_outbox_lag_seconds 1.5/);
});
