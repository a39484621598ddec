import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-GB'] } });

const { secondTime, shortTime } = await browserModule<{
  secondTime(iso: string, nowMs: number): string;
  shortTime(iso: string, nowMs: number): string;
}>('texts/format.ts');
const { reasonsOf } = await browserModule<{
  reasonsOf(decision: object, city: (code: string) => string, nowMs: number): string[];
}>('parts/incidents/reasons.ts');

// The time zone of the machine does not matter.
const AT = new Date(2026, 0, 31, 23, 59, 58);
const SOON = new Date(2026, 0, 31, 23, 59, 59).getTime();
const NEXT_DAY = new Date(2026, 1, 1, 0, 0, 1).getTime();

t.test('a time of another day has its day', (t) => {
  t.equal(secondTime(AT.toISOString(), SOON), '23:59:58');
  t.equal(secondTime(AT.toISOString(), NEXT_DAY), '31 Jan, 23:59:58');
  t.equal(shortTime(AT.toISOString(), NEXT_DAY), '31 Jan, 23:59');
  t.end();
});

t.test('the reasons of an outage of yesterday say when it was', (t) => {
  const times = { first_failed_at: AT.toISOString(), confirmed_at: AT.toISOString() };
  const sent = { event: 'opened', channel: 'On call', sent_at: AT.toISOString() };
  const decision = {
    ...{ votes: [], rule: { required_down_votes: 1, retries: 0 } },
    times: { ...times, notifications: [sent] },
  };
  const reasons = reasonsOf(decision, (code) => code, NEXT_DAY);
  t.equal(reasons.length, 3);
  for (const reason of reasons) t.match(reason, /31 Jan, 23:59:58/);
  t.match(reasonsOf(decision, (code) => code, SOON)[0], /at 23:59:58\.$/);
  t.end();
});
