import t from 'tap';
import { watchAfter } from '../../../control-plane/wordpress/checks/watch.js';
import type { Reading, SiteDocument } from '../../../control-plane/wordpress/documents.js';

const MINUTE_MS = 60_000;

interface Readings {
  inside?: Reading;
  outside?: Reading;
  changed_at_ms?: number;
}

const reading = (status: Reading['status'], atMs: number): Reading => ({ status, evidence: status, at_ms: atMs });

/** Measures XML-RPC again and again. Returns the troubles after each measurement. */
function troublesAfter(measurements: readonly Readings[]) {
  let site = { readings: {} } as SiteDocument;
  return measurements.map((measured, place) => {
    const atMs = (place + 1) * MINUTE_MS;
    const before = site.readings.xmlrpc ?? { inside: null, outside: null, changed_at_ms: null };
    const after = { ...before, ...measured } as NonNullable<SiteDocument['readings']['xmlrpc']>;
    site = { ...site, readings: { xmlrpc: after } };
    const watched = watchAfter(site, ['xmlrpc'], atMs);
    site = { ...site, ...watched };
    return watched.troubles;
  });
}

const inside = (status: Reading['status'], minute: number): Readings => ({
  inside: reading(status, minute * MINUTE_MS),
});
const outside = (status: Reading['status'], minute: number): Readings => ({
  outside: reading(status, minute * MINUTE_MS),
});

t.test('two failing measurements of the plugin are trouble, and passing ends it', async (t) => {
  const troubles = troublesAfter([
    inside('passing', 1),
    inside('failing', 2),
    inside('failing', 3),
    inside('passing', 4),
  ]);
  t.strictSame(troubles, [
    [],
    [],
    [
      {
        check: 'xmlrpc',
        passed_at_ms: MINUTE_MS,
        since_ms: 2 * MINUTE_MS,
        at_ms: 3 * MINUTE_MS,
        evidence: 'failing',
        measurements: 2,
        from_outside: false,
      },
    ],
    [],
  ]);
});

t.test('a look from outside that finds nothing does not count the measurement of the plugin again', async (t) => {
  const troubles = troublesAfter([
    inside('passing', 1),
    inside('failing', 2),
    outside('unknown', 3),
    outside('passing', 4),
  ]);
  t.strictSame(troubles.flat(), []);
});

/** The plugin says so with the result of a job. */
const changed = (status: Reading['status'], minute: number): Readings => ({
  ...inside(status, minute),
  changed_at_ms: minute * MINUTE_MS,
});

t.test('one failing look from outside is trouble after one that passed', async (t) => {
  const troubles = troublesAfter([inside('passing', 1), outside('passing', 2), outside('failing', 3)]);
  t.match(troubles[2], [{ evidence: 'Seen from outside: failing', measurements: 1, from_outside: true }]);
});

t.test('a first look from outside that fails is no trouble, whatever the plugin said before', async (t) => {
  const looks = [inside('passing', 1), outside('failing', 2), inside('passing', 3), outside('failing', 4)];
  t.strictSame(troublesAfter(looks).flat(), []);
  t.strictSame(troublesAfter([inside('passing', 1), outside('unknown', 2), outside('failing', 3)]).flat(), []);
});

t.test('a fix that has no effect from outside is no trouble beside its failed job', async (t) => {
  const hardened = [changed('passing', 3), outside('failing', 4), inside('passing', 5), outside('failing', 6)];
  t.strictSame(troublesAfter([inside('failing', 1), outside('failing', 2), ...hardened]).flat(), []);
  // It passed from outside before, but the plugin alone saw that it failed.
  const passed = [inside('passing', 1), outside('passing', 2), inside('failing', 3), outside('unknown', 4)];
  const [, , , , , failed] = troublesAfter([...passed, changed('passing', 5), outside('failing', 6)]);
  t.strictSame(failed, []);
});

t.test('what the plugin sees failing is trouble also when no look has passed', async (t) => {
  const [, , , , after] = troublesAfter([
    inside('passing', 1),
    outside('failing', 2),
    inside('failing', 3),
    outside('failing', 4),
    inside('failing', 5),
  ]);
  t.match(after, [{ since_ms: 3 * MINUTE_MS, measurements: 2, from_outside: false }]);
});

t.test('what was seen failing ends only when it is seen passing', async (t) => {
  const seen = [inside('passing', 1), outside('passing', 2), outside('failing', 3)];
  const troubles = troublesAfter([
    ...seen,
    outside('unknown', 4),
    inside('passing', 5),
    changed('passing', 6),
    outside('failing', 7),
    outside('passing', 8),
  ]);
  const opened = { since_ms: 3 * MINUTE_MS, from_outside: true };
  for (const after of troubles.slice(2, 7)) t.match(after, [opened]);
  t.strictSame(troubles[7], []);
});

t.test('unknown begins and ends nothing', async (t) => {
  const [, , , after] = troublesAfter([
    inside('passing', 1),
    inside('failing', 2),
    inside('failing', 3),
    inside('unknown', 4),
  ]);
  t.match(after, [{ since_ms: 2 * MINUTE_MS, at_ms: 3 * MINUTE_MS }]);
  t.strictSame(troublesAfter([inside('passing', 1), inside('unknown', 2), inside('failing', 3)]).flat(), []);
});

t.test('a check that has never passed has no trouble', async (t) => {
  t.strictSame(troublesAfter([inside('failing', 1), inside('failing', 2), outside('failing', 3)]).flat(), []);
});
