import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-GB'] } });

const { between, secondTime, shortTime } = await browserModule<{
  between(from: string, to: string): string;
  secondTime(iso: string, nowMs: number): string;
  shortTime(iso: string, nowMs: number): string;
}>('texts/format.ts');
const { reasonsOf } = await browserModule<{
  reasonsOf(decision: object, city: (code: string) => string): Said[];
}>('parts/incidents/incident/reasons.ts');
const { plainText, say } = await browserModule<{
  plainText(said: Said, nowMs: number): string;
  say(make: (time: (at: string, form?: string) => string) => string): Said;
}>('texts/said.ts');

type Said = readonly (string | { at: string; form: string })[];

// The time zone of the machine does not matter.
const AT = new Date(2026, 0, 31, 23, 59, 58);
const SOON = new Date(2026, 0, 31, 23, 59, 59).getTime();
const NEXT_DAY = new Date(2026, 1, 1, 0, 0, 1).getTime();
const NEXT_YEAR = new Date(2027, 0, 31, 23, 59, 58).getTime();

t.test('a time of another day has its day', (t) => {
  t.equal(secondTime(AT.toISOString(), SOON), '23:59:58');
  t.equal(secondTime(AT.toISOString(), NEXT_DAY), '31 Jan, 23:59:58');
  t.equal(shortTime(AT.toISOString(), NEXT_DAY), '31 Jan, 23:59');
  t.equal(shortTime(AT.toISOString(), NEXT_YEAR), '31 Jan 2026, 23:59');
  t.end();
});

t.test('the reasons of an outage of yesterday say when it was', (t) => {
  const times = { first_failed_at: AT.toISOString(), confirmed_at: AT.toISOString() };
  const sent = { event: 'opened', channel: 'webhook', sent_at: AT.toISOString() };
  const decision = {
    ...{ votes: [], rule: { required_down_votes: 1, retries: 0 } },
    times: { ...times, notifications: [sent] },
  };
  const reasons = reasonsOf(decision, (code) => code);
  t.equal(reasons.length, 3);
  for (const reason of reasons) t.match(plainText(reason, NEXT_DAY), /on 31 Jan at 23:59:58/);
  t.match(plainText(reasons[0] ?? [], SOON), /at 23:59:58\.$/);
  t.match(plainText(reasons[2] ?? [], SOON), 'The first notification (Webhook) was accepted');
  t.end();
});

t.test('durations fit the times beside them', (t) => {
  t.equal(between('2026-01-31T12:15:47.900Z', '2026-01-31T12:15:53.100Z'), '6 s', '47 and 53 are shown');
  const lasted = (ms: number) =>
    between('2026-01-31T12:15:47Z', new Date(Date.parse('2026-01-31T12:15:47Z') + ms).toISOString());
  t.equal(lasted(116_000), '1 min 56 s');
  t.equal(lasted(120_000), '2 min');
  t.equal(lasted(3_700_000), '1 h 1 min');
  t.end();
});

t.test('the reasons of an outage count as its decision does', (t) => {
  const vote = (location: string, counted_as: string, why: string | null = null) => ({
    ...{ location, counted_as, not_counted_because: why, vote: why === 'no_probe' ? 'unknown' : 'down' },
    result: { error: { code: 'tls_untrusted', message: 'self-signed' } },
  });
  const votes = [
    ...[vote('Paris', 'down'), vote('Rome', 'down'), vote('Oslo', 'down')],
    ...[vote('Bern', 'none', 'retrying'), vote('Wien', 'none', 'retrying'), vote('Bonn', 'none', 'no_probe')],
  ];
  const times = { first_failed_at: null, confirmed_at: null, notifications: [] };
  const reasons = reasonsOf({ votes, rule: { required_down_votes: 3, retries: 0 }, times }, (code) => code);
  t.same(
    reasons.map((reason) => plainText(reason, SOON)),
    [
      '3 of 5 locations had confirmed it when it was decided (3 needed).',
      'Paris, Rome and Oslo reported an untrusted certificate.',
      'Bern and Wien failed too and were still trying again.',
      'Bonn did not count: no probe was connected.',
    ],
  );
  t.end();
});

t.test('a sentence has its times as elements, whatever else it says', (t) => {
  const at = AT.toISOString();
  const said = say((time) => `\uFDD07\uFDD1 <b> since ${time(at)}, seen ${time(at, 'ago')} ago.`);
  t.same(said, ['', '', ' <b> since ', { at, form: 'short' }, ', seen ', { at, form: 'ago' }, ' ago.']);
  t.equal(plainText(said.slice(2), AT.getTime() + 1_000), ' <b> since 23:59, seen 1 s ago.');
  t.end();
});
