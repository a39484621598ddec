import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

// The module chooses its language by the browser.
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

const { bytes, rate, roughly } = await browserModule<{
  bytes(value: number): string;
  rate(value: number): string;
  roughly(ms: number): string;
}>('parts/servers/units.ts');

const HOUR_MS = 3_600_000;

t.test('sizes are in powers of 1024, rates in powers of 1000', (t) => {
  t.same([0, 1_023, 1_024, 10 * 1_024, 2 ** 30, 2 ** 62].map(bytes), [
    '0 B',
    '1,023 B',
    '1 KiB',
    '10 KiB',
    '1 GiB',
    '4,096 PiB',
  ]);
  t.same([999, 1_500, 2_000_000].map(rate), ['999 B/s', '1.5 kB/s', '2 MB/s']);
  t.end();
});

t.test('estimated times are rounded', (t) => {
  t.same(
    [0.5, 1.75, 9.2, 50].map((hours) => roughly(hours * HOUR_MS)),
    ['30 min', '1 h 45 min', '9 h', '2 d'],
  );
  t.end();
});
