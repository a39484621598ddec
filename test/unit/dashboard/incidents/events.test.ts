import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de-DE'] } });

const { eventSentence, whoByLink, whoDid } = await browserModule<{
  eventSentence(event: object, incident: object): Said;
  whoByLink(actor: string, link: object | null): string;
  whoDid(actor: string, link: object | null): string;
}>('parts/incidents/incident/event-sentence.ts');
const { atTime } = await browserModule<{ atTime(iso: string, nowMs: number): string }>('texts/format.ts');

type Said = readonly (string | { at: string })[];

const outage = { kind: 'monitor', resolution: 'recovered', facts: null };
const event = (of: object) => ({
  type: 'opened',
  actor: 'system',
  message: 'English.',
  until: null,
  link: null,
  ...of,
});

t.test('events of an incident are sentences in the language of the page', (t) => {
  const until = '2026-01-31T12:00:00.000Z';
  const ann = { actor: 'ann@example.com' };
  const text = (of: object) => eventSentence(event(of), outage);
  t.same(text({}), ['Der Vorfall wurde eröffnet.']);
  t.same(text({ ...ann, type: 'silenced', until })[1], { at: until, form: 'short' });
  t.same(text({ ...ann, type: 'unsilenced' }), ['ann@example.com hat die Stummschaltung beendet.']);
  t.same(text({ type: 'unsilenced' }), ['Die Stummschaltung endete, und das Problem bestand noch.']);
  t.same(text({ type: 'resolved' }), ['Picket stellt das Problem nicht mehr fest.']);
  t.same(text({ type: 'widened' }), ['English.'], 'what needs more than its fields');
  t.same(eventSentence(event({}), { kind: 'server', resolution: null, facts: null }), ['English.']);
  const facts = { type: 'server_offline', since: until };
  t.same(
    eventSentence(event({}), { kind: 'server', resolution: null, facts }),
    ['Der Vorfall wurde eröffnet.'],
    'the page says why elsewhere',
  );
  t.end();
});

t.test('who used a link is said from its fields', (t) => {
  const link = { channel_id: 'chn_a', channel_name: 'Pager', person: null };
  t.equal(whoDid('ann@example.com', null), 'ann@example.com');
  t.equal(whoDid('a link in the channel “Pager”', link), 'Eine Person mit einem Link im Kanal „Pager“');
  t.match(whoDid('ann@example.com', { ...link, person: 'ann@example.com' }), /^ann@example\.com \(mit einem Link/);
  t.equal(whoByLink('a link in the channel “Pager”', link), 'einer Person mit einem Link im Kanal „Pager“');
  t.equal(whoByLink('ann@example.com', null), 'ann@example.com');
  t.end();
});

t.test('a time of another day has its prepositions', (t) => {
  const at = new Date(2026, 10, 22, 10, 21);
  t.equal(atTime(at.toISOString(), at.getTime()), 'um 10:21');
  t.equal(atTime(at.toISOString(), at.getTime() + 86_400_000), 'am 22. Nov. um 10:21');
  t.end();
});
