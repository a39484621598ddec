import fc from 'fast-check';
import { Registry } from 'prom-client';
import t from 'tap';
import { cut, cutBytes, cutEscaped } from '../../../control-plane/cut.js';
import { duration } from '../../../control-plane/duration.js';
import { afterAttempt, type Outcome } from '../../../control-plane/notifications/delivery/retry.js';
import type { RowEvent, RowState } from '../../../control-plane/notifications/documents.js';
import { incidentMessage, testMessage } from '../../../control-plane/notifications/message.js';
import { createNotificationMetrics } from '../../../control-plane/notifications/metrics.js';
import {
  decideDelivery,
  nextReminder,
  type PolicyChannel,
  type PolicyIncident,
  type PolicyRow,
  planEvent,
} from '../../../control-plane/notifications/policy.js';
import { utc } from '../../../control-plane/wording.js';
import { KINDS } from '../../helpers/incidents/kinds.js';
import { buildIncident, decision, RESOLVED, vote } from '../../helpers/notifications/build.js';

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
  t.match(afterAttempt({ kind: 'gone', error: 'HTTP 410', responseStatus: 410 }, used, 0, 0.5), { state: 'failed' });
  t.match(afterAttempt({ kind: 'sent', responseStatus: 200, warning: null }, used, 0, 0.5), {
    state: 'sent',
    error: null,
  });
});

t.test('a message contains the state, the start, the locations and the links', async (t) => {
  const incident = buildIncident('ws_a');
  const input = {
    id: 'n1',
    event: 'opened' as RowEvent,
    eventMs: Date.UTC(2026, 0, 31, 12, 0, 1),
    incident,
    incidentKind: KINDS.of(incident),
    sent: [],
    monitor: { id: 'mon_x', name: 'Shop', url: 'https://shop.example.com/health', type: 'http' },
    publicUrl: 'https://picket.example.com',
    actionLink: 'http://picket.test/on-call?t=token',
    locationName: (code: string) =>
      ({ fra: 'Frankfurt', nyc: 'New York', lon: 'London', sin: 'Singapore' })[code] ?? code,
    renderIncident: () => ({ id: incident._id }),
  };
  const opened = incidentMessage(input);
  t.equal(opened.title, 'DOWN: Shop');
  t.equal(opened.link, `https://picket.example.com/incidents/${incident._id}`);
  t.equal(opened.runbookLink, 'https://wiki.example.com/shop');
  t.same(opened.facts, [
    { label: 'Target', value: 'https://shop.example.com/health' },
    { label: 'Since', value: '2026-01-31 11:59:52 UTC' },
    { label: 'Severity', value: 'warning' },
    { label: 'Failing from', value: 'Frankfurt (connection refused), New York (response timeout)' },
    { label: 'Working from', value: 'London' },
    { label: 'No vote from', value: 'Singapore (no probe)' },
    { label: 'Confirmed', value: '2026-01-31 12:00:01 UTC, by 2 of 3 locations' },
  ]);
  t.same(opened.payload.type, 'incident.opened');

  const resolved = { ...incident, ...RESOLVED(incident.started_at_ms) };
  const up = incidentMessage({ ...input, event: 'resolved', incident: resolved });
  t.equal(up.title, 'UP: Shop (was down 3 min 20 s)');
  const recovery = JSON.parse(JSON.stringify(incident.decision));
  recovery.times.first_failed_at_ms = incident.started_at_ms - 10 * MINUTE;
  const reopened = incidentMessage({ ...input, event: 'resolved', incident: { ...resolved, recovery } });
  t.equal(reopened.title, 'UP: Shop (was down 13 min 20 s)', 'the outage began before this incident of it');
  const resolvedManually = {
    ...resolved,
    resolution: 'manual',
    events: [{ at_ms: 1, type: 'resolved' as const, message: '', actor: 'ann@example.com' }],
  };
  const manual = incidentMessage({ ...input, event: 'resolved', incident: resolvedManually });
  t.equal(manual.title, 'RESOLVED: Shop (after 3 min 20 s)', 'a manual resolve does not claim a recovery');
  t.ok(manual.facts.some((fact) => fact.value === 'resolved manually by ann@example.com'));

  const acknowledged = { ...incident, acknowledged_at_ms: NOW, acknowledged_by: 'ann@example.com' };
  const ack = incidentMessage({ ...input, event: 'acknowledged', incident: acknowledged });
  t.match(ack, { title: 'ACKNOWLEDGED: Shop', kind: 'acknowledged' });
  t.ok(ack.facts.some((fact) => fact.value === '2026-01-31 12:00:00 UTC, by ann@example.com'));
  const again = incidentMessage({ ...input, event: 'reminder#3', eventMs: incident.started_at_ms + 90 * MINUTE });
  t.equal(again.title, 'STILL DOWN: Shop (for 1 h 30 min)');
  t.match(again.payload, { type: 'incident.reminder', data: { reminder: 3 } });

  const location = buildIncident('ws_a', {
    kind: 'location',
    monitor_id: null,
    monitor_name: null,
    resource: { type: 'location', id: 'sin', name: 'Singapore' },
    decision: decision([vote('sin', 'unknown')]),
  });
  t.equal(
    incidentMessage({ ...input, incident: location, incidentKind: KINDS.of(location), monitor: null }).title,
    'LOCATION SILENT: Singapore',
  );
  t.match(
    testMessage({ id: 't', channel: { id: 'chn_a', name: 'Team', type: 'slack' }, atMs: NOW, publicUrl: 'http://p' }),
    {
      title: 'TEST: Team',
      payload: { type: 'channel.test' },
    },
  );
  t.equal(utc(NOW), '2026-01-31 12:00:00 UTC');
  t.same([0, 999, 61_000, 3_600_000, 90_061_000].map(duration), ['0 s', '1 s', '1 min 1 s', '1 h', '1 d 1 h']);
});

t.test('property: a cut text fits and splits no character and no escape sequence', async () => {
  const isWellFormed = (text: string) => Buffer.from(text).toString() === text;
  const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 8, max: 60 }), (text, max) => {
      const whole = isWellFormed(text) ? text : 'x';
      const [plain, bytes, escaped] = [cut(whole, max), cutBytes(whole, max), cutEscaped(whole, max, escapeHtml)];
      const fits = plain.length <= max && Buffer.byteLength(bytes) <= max && escaped.length <= max;
      const sound = isWellFormed(plain) && isWellFormed(bytes) && !/&(?!amp;|lt;)/.test(escaped);
      const short = whole.length > max || plain === whole;
      return fits && sound && short;
    }),
  );
});

t.test('deliveries are counted on /metrics by channel type', async (t) => {
  const registry = new Registry();
  const metrics = createNotificationMetrics(registry);
  metrics.sent('webhook');
  metrics.failed('slack');
  metrics.retried('slack');
  metrics.delivered('webhook', 200);
  metrics.lag(1_500);
  const text = await registry.metrics();
  t.match(text, /picket_notifications_sent_total\{channel="webhook"\} 1/);
  t.match(text, /picket_notifications_failed_total\{channel="slack"\} 1/);
  t.match(text, /picket_notifications_retried_total\{channel="slack"\} 1/);
  t.match(text, /picket_notification_delay_seconds_bucket\{le="0.25",channel="webhook"\} 1/);
  t.match(text, /picket_outbox_lag_seconds 1.5/);
});
