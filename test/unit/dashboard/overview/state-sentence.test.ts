import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

interface Counts {
  monitors: { monitors: number; by_status: Record<string, number> };
  servers: number;
  offline: { count: number; hasMore: boolean };
  targets: number;
  listed: { count: number; hasMore: boolean };
  unknown: { count: number; hasMore: boolean };
  filling: number;
  hasMoreFiring: boolean;
}

type Said = readonly (string | { at: string })[];

const NOW_MS = Date.parse('2026-01-31T12:00:00.000Z');

const overview = await browserModule<{
  stateSentence(broken: object[], counts: Counts, nowMs: number): Said;
  stateTone(broken: object[], counts: Counts): string;
}>('parts/overview/state-sentence.ts');
const { plainText } = await browserModule<{ plainText(said: Said, nowMs: number): string }>('texts/said.ts');
const { stateTone } = overview;
const stateSentence = (broken: object[], of: Counts, nowMs: number): string =>
  plainText(overview.stateSentence(broken, of, nowMs), nowMs);
const { firingSentence } = await browserModule<{
  firingSentence(page: { data: object[]; next_cursor: string | null }): string;
}>('parts/incidents/list/firing-sentence.ts');

const rows = (count: number, hasMore = false) => ({ count, hasMore });
/** Counts of these monitors, and of nothing else. */
const counts = (of: Record<string, number>, more: Partial<Counts> = {}): Counts => {
  const by_status = { ...{ up: 0, degraded: 0, down: 0, paused: 0, unknown: 0 }, ...of };
  const monitors = Object.values(by_status).reduce((sum, one) => sum + one, 0);
  return {
    ...{ monitors: { monitors, by_status }, servers: 0, offline: rows(0), filling: 0, targets: 0, listed: rows(0) },
    ...{ unknown: rows(0), hasMoreFiring: false, ...more },
  };
};
const certificates = (count: number): object[] => Array.from({ length: count }, () => ({ isOutage: false }));
const said = (of: Record<string, number>, more: Partial<Counts> = {}) => stateSentence([], counts(of, more), NOW_MS);

t.test('the overview says how all monitors are', (t) => {
  t.equal(said({ up: 3 }), 'All 3 monitors are up.');
  t.equal(said({ up: 2, paused: 1 }), 'All is well: 2 monitors up, 1 paused.');
  t.equal(said({ paused: 3 }), 'Every monitor is paused. Nothing is checked.');
  const outage = { name: 'Shop', since: '2026-01-31T11:55:00.000Z', isOutage: true };
  t.match(stateSentence([outage], counts({ down: 1 }), NOW_MS), /^Shop has been down since .* \(5 min\)\.$/);
  t.ok(
    overview.stateSentence([outage], counts({ down: 1 }), NOW_MS).some((piece) => Object(piece).at === outage.since),
    'the page can show the time as one',
  );
  t.equal(stateSentence([outage], counts({ down: 2 }), NOW_MS), '2 monitors are down.');
  t.equal(stateSentence([outage, outage], counts({ down: 1 }), NOW_MS), '2 monitors are down.', 'a new incident');
  t.end();
});

t.test('a monitor without a first result is not called up', (t) => {
  t.equal(said({ up: 2, unknown: 1 }), '2 of 3 monitors are up, 1 waits for its first result.');
  t.equal(said({ up: 1, unknown: 2 }), '1 of 3 monitors is up, 2 wait for their first result.');
  t.equal(
    said({ degraded: 1, unknown: 1, paused: 1 }),
    '1 of 3 monitors is up, 1 waits for its first result, 1 paused.',
  );
  t.end();
});

t.test('one of one is not counted, in both languages', async (t) => {
  t.equal(said({ unknown: 1 }), 'The monitor waits for its first result.');
  t.equal(said({}, { servers: 1, offline: rows(1) }), 'The server is offline.');
  t.equal(said({}, { targets: 1, listed: rows(1) }), 'The address is on a blacklist.');
  t.equal(said({ unknown: 2 }), '0 of 2 monitors are up, 2 wait for their first result.');
  const { de } = await browserModule<{
    de: {
      overview: {
        someWaiting(up: number, all: number, waiting: number, paused: number): string;
        servers(all: number, offline: object): string;
        targets(all: number, listed: object, unknown: object): string;
      };
    };
  }>('texts/app/de.ts');
  const { someWaiting, servers, targets } = de.overview;
  t.equal(someWaiting(0, 1, 1, 0), 'Der Monitor wartet auf das erste Ergebnis.');
  t.match(someWaiting(1, 2, 1, 0), /^1 von 2 Monitoren ist erreichbar, 1 wartet auf das erste Ergebnis\.$/);
  t.equal(servers(1, rows(1)), 'Der Server ist offline.');
  t.equal(targets(1, rows(1), rows(0)), 'Die Adresse steht auf einer Sperrliste.');
});

t.test('a monitor that fails from some locations is not passed over', (t) => {
  t.equal(said({ up: 2, degraded: 1 }), '3 monitors are up, but 1 of them fails from some locations.');
  t.equal(said({ degraded: 2, paused: 1 }), '2 monitors are up, but 2 of them fail from some locations; 1 paused.');
  t.equal(said({ degraded: 1 }), 'The monitor is up, but it fails from some locations.');
  t.end();
});

t.test('servers and addresses are part of the state, and all of it without monitors', (t) => {
  t.equal(said({ up: 3 }, { servers: 14 }), 'All 3 monitors are up.');
  t.equal(said({ up: 3 }, { servers: 14, offline: rows(1) }), 'All 3 monitors are up. 1 of 14 servers is offline.');
  t.equal(
    said({ up: 3 }, { targets: 2, listed: rows(1) }),
    'All 3 monitors are up. 1 of 2 addresses is on a blacklist.',
  );
  t.equal(said({}, { servers: 14 }), 'All 14 servers are online.');
  t.equal(said({}, { servers: 1 }), 'The server is online.');
  t.equal(said({}, { servers: 900, offline: rows(200, true) }), '200+ of 900 servers are offline.');
  t.equal(
    said({ up: 3 }, { servers: 2, filling: 1 }),
    'All 3 monitors are up. 1 server has a disk that will be full within 24 hours.',
  );
  t.equal(said({}, { targets: 2 }), 'No address is on a blacklist.');
  t.end();
});

t.test('an address of which no list has answered is not called clean', (t) => {
  t.equal(said({}, { targets: 1, unknown: rows(1) }), 'It is not known whether 1 address is on a blacklist.');
  t.equal(said({}, { targets: 2, unknown: rows(2) }), 'It is not known whether 2 addresses are on a blacklist.');
  t.equal(
    said({}, { targets: 90, unknown: rows(50, true) }),
    'As far as is known, no address is on a blacklist; nothing is known of 50+.',
  );
  t.equal(stateTone([], counts({}, { targets: 2, unknown: rows(2) })), 'idle');
  t.equal(stateTone([], counts({}, { targets: 2, unknown: rows(1) })), 'up');
  t.end();
});

t.test('the tone is that of the worst', (t) => {
  const tone = (of: Record<string, number>, more: Partial<Counts> = {}) => stateTone([], counts(of, more));
  t.equal(tone({ up: 3, paused: 1 }), 'up');
  t.equal(tone({}, { servers: 1 }), 'up');
  t.equal(tone({ paused: 3, unknown: 1 }), 'idle');
  t.equal(tone({ up: 3 }, { servers: 2, offline: rows(1) }), 'warning');
  t.equal(tone({ up: 3 }, { targets: 2, listed: rows(1) }), 'warning');
  t.equal(stateTone([{ severity: 'critical' }], counts({ up: 3 })), 'down');
  t.end();
});

t.test('a page of incidents that has a next one is not all of them', (t) => {
  t.equal(stateSentence(certificates(2), counts({}), NOW_MS), '2 incidents firing.');
  t.equal(
    stateSentence(certificates(200), counts({}, { hasMoreFiring: true }), NOW_MS),
    'More than 200 incidents firing.',
  );
  t.equal(firingSentence({ data: [], next_cursor: null }), 'No incident is firing.');
  t.equal(firingSentence({ data: certificates(200), next_cursor: null }), '200 incidents firing.');
  t.equal(firingSentence({ data: certificates(200), next_cursor: 'next' }), 'More than 200 incidents firing.');
  t.end();
});
