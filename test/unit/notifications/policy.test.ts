import fc from 'fast-check';
import { Registry } from 'prom-client';
import t from 'tap';
import { duration } from '../../../control-plane/duration.js';
import { cut, cutBytes, cutEscaped } from '../../../control-plane/notifications/channels/cut.js';
import {
  afterAttempt,
  type Outcome,
  REFUSALS_MAX,
  retryPauseMs,
} from '../../../control-plane/notifications/delivery/retry.js';
import type { RowEvent, RowState } from '../../../control-plane/notifications/documents.js';
import { incidentMessage, testMessage, utc } from '../../../control-plane/notifications/message.js';
import { createNotificationMetrics } from '../../../control-plane/notifications/metrics.js';
import {
  type ChannelTiming,
  type IncidentFacts,
  judge,
  nextReminder,
  planEvent,
  type RowFacts,
} from '../../../control-plane/notifications/policy.js';
import { buildIncident, decision, RESOLVED, vote } from '../../helpers/notifications/notifying.js';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 31, 12);
const firing: IncidentFacts = { status: 'firing', acknowledged: false };
const channel = (over: Partial<ChannelTiming> = {}): ChannelTiming => ({
  channelId: 'chn_a',
  delayMs: 0,
  repeatMs: null,
  enabled: true,
  pausedUntilMs: 0,
  ...over,
});
const row = (over: Partial<RowFacts> = {}): RowFacts => ({
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
  t.same(planEvent('opened', firing, [channel()], [row({ state: 'sent' })], NOW).insert, [], 'nobody is told twice');
  t.equal(planEvent('opened', firing, [channel()], [row({ state: 'withdrawn' })], NOW).insert.length, 1);
});

t.test('acknowledged and resolved go to whoever was told, and withdraw what was not tried', async (t) => {
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
      plan.withdraw.map((gone) => `${gone.channelId} ${gone.event}`),
      ['chn_a reminder#1', 'chn_step opened'],
    );
  }
  const silenced: IncidentFacts = { status: 'silenced', acknowledged: true };
  t.same(planEvent('acknowledged', silenced, [], rows, NOW).insert, []);
  const twice = planEvent('resolved', firing, [], [...rows, row({ event: 'resolved', sequence: 9 })], NOW);
  t.notOk(twice.insert.some((planned) => planned.channelId === 'chn_a'));
});

t.test('a row that is due is judged by the incident as it is now', async (t) => {
  const acknowledged: IncidentFacts = { status: 'firing', acknowledged: true };
  const resolved: IncidentFacts = { status: 'resolved', acknowledged: false };
  const silenced: IncidentFacts = { status: 'silenced', acknowledged: false };
  const first = { attempts: 1 };
  const cases: [string, Partial<RowFacts>, IncidentFacts | null, string][] = [
    ['opened', first, firing, 'send'],
    ['opened, resolved meanwhile: its end will follow', first, resolved, 'send'],
    ['opened, acknowledged meanwhile', first, acknowledged, 'send'],
    ['opened, silenced', first, silenced, 'withdraw'],
    ['opened, silenced after an attempt', { attempts: 2 }, silenced, 'send'],
    ['step', { ...first, step: true }, firing, 'send'],
    ['step, acknowledged', { ...first, step: true }, acknowledged, 'withdraw'],
    ['step, resolved', { ...first, step: true }, resolved, 'withdraw'],
    ['step, resolved after an attempt', { attempts: 2, step: true }, resolved, 'send'],
    ['reminder', { ...first, event: 'reminder#2' }, firing, 'send'],
    ['reminder, acknowledged', { ...first, event: 'reminder#2' }, acknowledged, 'withdraw'],
    ['reminder, resolved while it is tried', { attempts: 5, event: 'reminder#2' }, resolved, 'withdraw'],
    ['the incident is gone', first, null, 'withdraw'],
  ];
  for (const [title, over, incident, expected] of cases) {
    t.equal(judge(row(over), [], incident, channel(), NOW).do, expected, title);
  }
  t.equal(judge(row(first), [], firing, channel({ enabled: false }), NOW).do, 'withdraw');
  t.equal(judge(row(first), [], firing, null, NOW).do, 'withdraw');
  t.same(judge(row(first), [], firing, channel({ pausedUntilMs: NOW + 5 }), NOW), { do: 'wait', untilMs: NOW + 5 });
});

t.test('resolved waits for opened, and goes nowhere that was not told', async (t) => {
  const ends = row({ event: 'resolved', sequence: 9, attempts: 1 });
  const gone: IncidentFacts = { status: 'resolved', acknowledged: false };
  const verdict = (state: RowState, next = NOW) =>
    judge(ends, [row({ state, next_attempt_ms: next })], gone, channel(), NOW);
  t.equal(verdict('sent').do, 'send');
  t.equal(verdict('withdrawn').do, 'withdraw');
  t.equal(verdict('failed').do, 'withdraw');
  t.same(verdict('leased'), { do: 'wait', untilMs: NOW + 1_000 });
  t.same(verdict('pending', NOW + 9_000), { do: 'wait', untilMs: NOW + 9_000 });
  t.equal(judge(ends, [], gone, channel(), NOW).do, 'withdraw');
  const toldBefore = row({ state: 'sent' });
  const later = row({ event: 'reminder#3', sequence: 3, next_attempt_ms: NOW + 30 * MINUTE });
  const verdicts = [later, { ...later, state: 'leased' as const }].map(
    (reminder) => judge(ends, [toldBefore, reminder], gone, channel(), NOW).do,
  );
  t.same(verdicts, ['send', 'wait'], 'a reminder for later, scheduled in the same moment, holds nothing back');
});

t.test('reminders follow one another until someone acknowledges', async (t) => {
  const timing = channel({ repeatMs: 30 * MINUTE });
  t.match(nextReminder(row(), timing, firing, NOW), { event: 'reminder#1', sequence: 1, dueMs: NOW + 30 * MINUTE });
  t.match(nextReminder(row({ event: 'reminder#41' }), timing, firing, NOW), { event: 'reminder#42', sequence: 42 });
  t.equal(nextReminder(row(), channel(), firing, NOW), null);
  t.equal(nextReminder(row(), timing, { status: 'firing', acknowledged: true }, NOW), null);
  t.equal(nextReminder(row(), timing, { status: 'resolved', acknowledged: false }, NOW), null);
  t.equal(nextReminder(row({ event: 'resolved' }), timing, firing, NOW), null);
});

t.test('property: whatever happens, a channel hears the end only after the beginning, and nothing twice', async () => {
  type Step = 'open' | 'ack' | 'resolve' | 'silence' | 'deliver' | 'fail' | 'give up';
  const steps = fc.array(
    fc.constantFrom<Step>('open', 'ack', 'resolve', 'silence', 'deliver', 'deliver', 'fail', 'give up'),
    {
      maxLength: 40,
    },
  );
  const timings = fc.record({ delayMs: fc.constantFrom(0, 5 * MINUTE), repeatMs: fc.constantFrom(null, MINUTE) });
  fc.assert(
    fc.property(steps, timings, (script, over) => {
      const timing = channel(over);
      let now = NOW;
      const facts: IncidentFacts = { status: 'firing', acknowledged: false };
      const rows = new Map<RowEvent, RowFacts>();
      const heard: RowEvent[] = [];
      const apply = (event: 'opened' | 'acknowledged' | 'resolved') => {
        const plan = planEvent(event, facts, [timing], [...rows.values()], now);
        for (const gone of plan.withdraw)
          rows.set(gone.event, { ...(rows.get(gone.event) ?? row()), state: 'withdrawn' });
        for (const planned of plan.insert) rows.set(planned.event, row({ ...planned, next_attempt_ms: planned.dueMs }));
      };
      const attempt = (result: 'sent' | 'retry' | 'failed') => {
        const due = [...rows.values()].filter((r) => r.state === 'pending' && r.next_attempt_ms <= now)[0];
        if (due === undefined) return;
        const claimed = { ...due, attempts: due.attempts + 1 };
        const others = [...rows.values()].filter((r) => r.event !== due.event);
        const judgement = judge(claimed, others, facts, timing, now);
        if (judgement.do === 'wait') rows.set(due.event, { ...due, next_attempt_ms: judgement.untilMs });
        else if (judgement.do === 'withdraw') rows.set(due.event, { ...due, state: 'withdrawn' });
        else if (result === 'retry') rows.set(due.event, { ...claimed, next_attempt_ms: now + 1_000 });
        else rows.set(due.event, { ...claimed, state: result });
        if (judgement.do !== 'send' || result !== 'sent') return;
        heard.push(due.event);
        const next = nextReminder(claimed, timing, facts, now);
        if (next !== null) rows.set(next.event, row({ ...next, next_attempt_ms: next.dueMs }));
      };
      for (const step of script) {
        now += MINUTE;
        if (step === 'deliver') attempt('sent');
        else if (step === 'fail') attempt('retry');
        else if (step === 'give up') attempt('failed');
        else if (facts.status !== 'resolved') {
          if (step === 'open') {
            facts.status = 'firing';
            apply('opened');
          } else if (step === 'silence') facts.status = 'silenced';
          else if (step === 'ack') {
            facts.acknowledged = true;
            apply('acknowledged');
          } else {
            facts.status = 'resolved';
            apply('resolved');
          }
        }
      }
      for (let index = 0; index < 20; index++) {
        now += MINUTE;
        attempt('sent');
      }
      const unique = new Set(heard).size === heard.length;
      const inOrder = heard.length === 0 || heard[0] === 'opened';
      const end = heard.indexOf('resolved');
      const nothingAfterTheEnd = end === -1 || end === heard.length - 1;
      const told = rows.get('opened')?.state === 'sent';
      const ended = facts.status === 'resolved' && told && rows.get('resolved')?.state !== 'failed';
      const endIsTold = !ended || end !== -1;
      return unique && inOrder && nothingAfterTheEnd && endIsTold;
    }),
    { numRuns: 2_000 },
  );
});

t.test('pauses grow to half an hour, with jitter; a notification is given up after a day', async (t) => {
  t.same(
    [1, 2, 3, 4].map((n) => retryPauseMs(n, 0.5)),
    [2_000, 4_000, 8_000, 16_000],
  );
  t.equal(retryPauseMs(40, 0.5), 30 * MINUTE);
  t.equal(retryPauseMs(1, 0), 1_500);
  t.ok(retryPauseMs(1, 0.999) < 2_501);
  const later: Outcome = { kind: 'retry', error: 'HTTP 503', responseStatus: 503, retryAfterMs: null };
  const day = 24 * 60 * MINUTE;
  let [nowMs, attempts] = [0, 0];
  for (;;) {
    attempts += 1;
    const next = afterAttempt(later, { attempts, refusals: 0, giveUpMs: day }, nowMs, 0.5);
    if (next.state !== 'pending') break;
    t.ok(next.atMs > nowMs && next.atMs <= day);
    nowMs = next.atMs;
  }
  t.ok(nowMs > day - 31 * MINUTE, 'it is tried until shortly before the day is over');
  t.ok(attempts > 40 && attempts < 70, `${attempts} attempts`);
});

t.test('Retry-After is honoured up to an hour, a refusal is tried a few times, 410 ends it', async (t) => {
  const spent = { attempts: 1, refusals: 0, giveUpMs: 1e12 };
  const asked = (retryAfterMs: number): Outcome => ({ kind: 'retry', error: '', responseStatus: 429, retryAfterMs });
  t.match(afterAttempt(asked(90_000), spent, 0, 0.5), { state: 'pending', atMs: 90_000 });
  t.match(afterAttempt(asked(9e9), spent, 0, 0.5), { state: 'pending', atMs: 60 * MINUTE });
  t.match(afterAttempt(asked(1), spent, 0, 0.5), { state: 'pending', atMs: 2_000 });
  const refused: Outcome = { kind: 'refused', error: 'HTTP 404', responseStatus: 404 };
  t.match(afterAttempt(refused, { ...spent, refusals: REFUSALS_MAX - 1 }, 0, 0.5), { state: 'pending', atMs: 30_000 });
  t.match(afterAttempt(refused, { ...spent, refusals: REFUSALS_MAX }, 0, 0.5), { state: 'failed', error: 'HTTP 404' });
  t.match(afterAttempt({ kind: 'gone', error: 'HTTP 410', responseStatus: 410 }, spent, 0, 0.5), { state: 'failed' });
  t.match(afterAttempt({ kind: 'sent', responseStatus: 200, note: null }, spent, 0, 0.5), {
    state: 'sent',
    error: null,
  });
});

t.test('a message says what is down, since when, from where, and where to look', async (t) => {
  const incident = buildIncident('ws_a');
  const input = {
    id: 'n1',
    event: 'opened' as RowEvent,
    eventMs: Date.UTC(2026, 0, 31, 12, 0, 1),
    incident,
    told: [],
    monitor: { id: 'mon_x', name: 'Shop', url: 'https://shop.example.com/health', type: 'http' },
    publicUrl: 'https://picket.example.com',
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
  const byHand = {
    ...resolved,
    resolution: 'manual',
    events: [{ at_ms: 1, type: 'resolved' as const, message: '', actor: 'ann@example.com' }],
  };
  const manual = incidentMessage({ ...input, event: 'resolved', incident: byHand });
  t.equal(manual.title, 'RESOLVED: Shop (after 3 min 20 s)', 'nobody said that it works again');
  t.ok(manual.facts.some((fact) => fact.value === 'resolved by hand by ann@example.com'));

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
  t.equal(incidentMessage({ ...input, incident: location, monitor: null }).title, 'LOCATION SILENT: Singapore');
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

t.test('property: a cut text fits, keeps whole characters and whole escapes', async () => {
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

t.test('deliveries are counted on /metrics by kind of channel', async (t) => {
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
