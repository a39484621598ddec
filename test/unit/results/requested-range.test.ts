import t from 'tap';
import { requestedRange } from '../../../control-plane/retention/metrics-query.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2031, 0, 31, 12);

t.test('a range of time defaults to the hour before `to`, and `to` to now', (t) => {
  const noon = '2031-01-30T12:00:00Z';
  const noonMs = Date.parse(noon);
  t.same(requestedRange({}, NOW), { fromMs: NOW - HOUR_MS, toMs: NOW });
  t.same(requestedRange({ to: noon }, NOW), { fromMs: noonMs - HOUR_MS, toMs: noonMs }, 'also of a `to` long ago');
  t.same(requestedRange({ from: noon }, NOW), { fromMs: noonMs, toMs: NOW });
  t.throws(() => requestedRange({ from: '2031-01-31T12:00:00.001Z' }, NOW), { code: 'validation_failed' });
  t.end();
});
