import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

interface Counts {
  all: number;
  down: number;
  paused: number;
  hasMoreDown: boolean;
  hasMorePaused: boolean;
  hasMoreFiring: boolean;
  waiting: number;
  hasMoreWaiting: boolean;
}

const NOW_MS = Date.parse('2026-01-31T12:00:00.000Z');

const { stateSentence } = await browserModule<{
  stateSentence(broken: object[], counts: Counts, nowMs: number): string;
}>('parts/overview/state-sentence.ts');
const { firingSentence } = await browserModule<{
  firingSentence(page: { data: object[]; next_cursor: string | null }): string;
}>('parts/incidents/firing-sentence.ts');

const counts = (of: Partial<Counts>): Counts => ({
  ...{ all: 3, down: 0, paused: 0, hasMoreDown: false, hasMorePaused: false, hasMoreFiring: false },
  ...{ waiting: 0, hasMoreWaiting: false },
  ...of,
});
const certificates = (count: number): object[] => Array.from({ length: count }, () => ({ isOutage: false }));

t.test('the overview says how all monitors are', (t) => {
  t.equal(stateSentence([], counts({}), NOW_MS), 'All 3 monitors are up.');
  t.equal(stateSentence([], counts({ paused: 1 }), NOW_MS), 'All is well: 2 monitors up, 1 paused.');
  t.equal(stateSentence([], counts({ paused: 3 }), NOW_MS), 'Every monitor is paused. Nothing is checked.');
  const outage = { name: 'Shop', since: '2026-01-31T11:55:00.000Z', isOutage: true };
  t.match(stateSentence([outage], counts({ down: 1 }), NOW_MS), /^Shop has been down since .* \(5 min\)\.$/);
  t.equal(stateSentence([outage], counts({ down: 2 }), NOW_MS), '2 monitors are down.');
  t.end();
});

t.test('a monitor without a first result is not called up', (t) => {
  const said = (of: Partial<Counts>) => stateSentence([], counts(of), NOW_MS);
  t.equal(said({ waiting: 1 }), '2 of 3 monitors are up, 1 waits for its first result.');
  t.equal(said({ waiting: 2 }), '1 of 3 monitors is up, 2 wait for their first result.');
  t.equal(said({ waiting: 1, paused: 1 }), '1 of 3 monitors is up, 1 waits for its first result, 1 paused.');
  t.equal(
    said({ all: 900, waiting: 200, hasMoreWaiting: true }),
    'More than 200 monitors wait for their first result.',
  );
  t.end();
});

t.test('a page of incidents that has a next one is not all of them', (t) => {
  t.equal(stateSentence(certificates(2), counts({}), NOW_MS), '2 incidents firing.');
  t.equal(stateSentence(certificates(200), counts({ hasMoreFiring: true }), NOW_MS), 'More than 200 incidents firing.');
  t.equal(firingSentence({ data: [], next_cursor: null }), 'No incident is firing.');
  t.equal(firingSentence({ data: certificates(200), next_cursor: null }), '200 incidents firing.');
  t.equal(firingSentence({ data: certificates(200), next_cursor: 'next' }), 'More than 200 incidents firing.');
  t.end();
});
