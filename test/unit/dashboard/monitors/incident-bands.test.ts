import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

interface Band {
  fromMs: number;
  toMs: number;
  label: string;
}
const { bandsOf } = await browserModule<{ bandsOf(incidents: object[], nowMs: number): Band[] }>(
  'parts/monitors/monitor/incident-bands.ts',
);

t.test('an outage in the chart says why, without the name of the monitor and codes of locations', (t) => {
  const error = { code: 'connection_refused', message: 'connect ECONNREFUSED 127.0.0.1:9' };
  const outage = {
    ...{ kind: 'monitor', started_at: '2026-01-31T12:00:00Z', resolved_at: '2026-01-31T12:05:00Z' },
    facts: { type: 'outage', failing: 3, of: 5, needed: 3, error, has_other_errors: false },
    message: 'Shop is down: connection refused (fra, nyc, sin).',
  };
  const nowMs = Date.parse('2026-01-31T13:00:00Z');
  const [over, open, earlier] = bandsOf(
    [outage, { ...outage, resolved_at: null }, { ...outage, facts: null }, { ...outage, kind: 'certificate' }],
    nowMs,
  );
  t.match(over?.label, /^3 of 5 locations reported .*refused.*\.$/);
  t.notMatch(over?.label, /Shop|fra/);
  t.equal((over?.toMs ?? 0) - (over?.fromMs ?? 0), 300_000);
  t.equal(open?.toMs, nowMs, 'one that is not over ends now');
  t.equal(earlier?.label, outage.message, 'without facts, the sentence of the API');
  t.equal(bandsOf([{ ...outage, kind: 'certificate' }], nowMs).length, 0, 'a certificate is no outage');
  t.end();
});
