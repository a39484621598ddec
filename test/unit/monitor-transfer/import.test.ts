import t from 'tap';
import { matchImport } from '../../../control-plane/monitor-transfer/import-match.js';
import { importReport } from '../../../control-plane/monitor-transfer/import-report.js';
import { readKumaRow } from '../../../control-plane/monitor-transfer/uptime-kuma/read.js';
import { startStepCounter } from '../../helpers/count-steps.js';
import { created, monitor } from '../../helpers/monitors/settings.js';

const ENTRIES = 2_000;
const MONITORS = 10_000;
/** Most of them write the keys of the monitors. Comparing the 20,000,000 pairs would take several for each pair. */
const STEPS_MAX = 20_000_000;

const counter = startStepCounter();
t.teardown(() => counter.stop());

function existing(index: number, url: string) {
  const { settings } = created({ url });
  return { monitor: monitor({ ...settings, _id: `mon_${index}` }), settings };
}

t.test('a file of entries with one name is matched with many monitors of that name', async (t) => {
  const monitors = Array.from({ length: MONITORS }, (_, index) => existing(index, `https://example.com/${index}`));
  const entries = Array.from({ length: ENTRIES }, (_, index) => {
    const url = `https://example.com/${index < ENTRIES / 2 ? MONITORS - 1 - index : `other/${index}`}`;
    return created({ url, interval_seconds: index % 2 === 0 ? 60 : 120 }).settings;
  });
  const actions = new Map<string, number>();
  const turns = { taken: 0 };
  const turn = async () => void turns.taken++;
  const steps = await counter.stepsOf(async () => {
    for (const { action } of await matchImport(entries, monitors, turn))
      actions.set(action, (actions.get(action) ?? 0) + 1);
  });
  t.same(Object.fromEntries(actions), { unchanged: ENTRIES / 4, updated: ENTRIES / 4, refused: ENTRIES / 2 });
  t.ok(steps > MONITORS && steps < STEPS_MAX, `${steps} steps`);
  // Four passes over the monitors that no entry has yet, and over the entries.
  t.ok(turns.taken > (4 * (MONITORS - ENTRIES / 2)) / 50, `other work has ${turns.taken} turns`);
});

t.test('a report names the first errors of an entry', async (t) => {
  const errors = Array.from({ length: 50 }, (_, index) => ({ path: `/tags/${index}`, message: 'must be text' }));
  const validated = [{ ok: false as const, name: 'Shop', errors, notes: [] }];
  const report = await importReport({ format: 'picket' }, { validated, matches: [], written: null }, async () => {});
  t.same(report.monitors[0]?.reasons, [
    ...[0, 1, 2, 3, 4].map((index) => `/tags/${index} must be text`),
    'and 45 more errors',
  ]);
});

t.test('a backup with headers or status codes that are not text is read like any other', async (t) => {
  const row = { name: 'Shop', type: 'http', url: 'https://example.com/' };
  const [headers, codes] = [
    { ...row, headers: '{"x-a": {"toString": 1}}' },
    { ...row, accepted_statuscodes: ['200-299', { toString: 1 }] },
  ].map(readKumaRow);
  t.match(headers, { entry: null, reason: 'has a header that is not text' });
  t.match(codes, { reason: null, notes: [{ message: 'the accepted status codes 200-299,  became 200' }] });
});
