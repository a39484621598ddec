import t from 'tap';
import { duration } from '../../../control-plane/duration.js';
import type { VoteRecord } from '../../../control-plane/verdicts/decision-record.js';
import { platformMessage } from '../../../control-plane/verdicts/locations/messages.js';
import { incidentMessages } from '../../../control-plane/verdicts/messages.js';
import { decision } from '../../helpers/notifications/build.js';

const NOW = Date.UTC(2026, 0, 31, 12, 0, 3);
const DAY = 86_400_000;

t.test('notification texts', async (t) => {
  const vote = (location: string, up: boolean | null, error?: { code: string; message: string }): VoteRecord => ({
    location,
    vote: up === null ? 'unknown' : up ? 'up' : 'down',
    abstained: up === null ? 'no_probe' : null,
    retrying: false,
    result: {
      result_id: 'r',
      checked_at_ms: NOW,
      up: up === true,
      attempt: 0,
      response_time_ms: 1,
      error: up === false ? (error ?? { code: 'connection_refused', message: 'ECONNREFUSED' }) : null,
    },
  });
  const down = (votes: VoteRecord[], name = 'Shop') =>
    incidentMessages.down({ name, decision: decision(votes), firstFailedAtMs: NOW });
  t.equal(
    down([vote('fra', false), vote('nyc', false), vote('lon', false), vote('sfo', false), vote('sin', true)]),
    'Shop is down: 4 of 5 locations fail with connection refused (fra, nyc, lon, sfo); working from sin. First failed check 12:00:03 UTC.',
  );
  t.equal(
    down([vote('fra', false, { code: 'status_mismatch', message: 'status 500, expected 200' }), vote('sin', null)]),
    'Shop is down: 1 of 1 location fails with status 500, expected 200 (fra); no vote from sin. First failed check 12:00:03 UTC.',
  );
  t.equal(
    down([
      vote('fra', false),
      vote('nyc', false),
      vote('lon', false, { code: 'response_timeout', message: '' }),
      vote('sin', true),
      vote('sfo', true),
    ]),
    'Shop is down: 3 of 5 locations fail (fra, nyc: connection refused; lon: a response timeout); working from sin, sfo. First failed check 12:00:03 UTC.',
  );
  const trying = (location: string): VoteRecord => ({ ...vote(location, false), retrying: true });
  t.equal(
    down([vote('fra', false), vote('nyc', false), trying('lon'), vote('sin', true)]),
    'Shop is down: 2 of 4 locations fail with connection refused (fra, nyc), 2 needed; lon fails too and is still retrying; working from sin. First failed check 12:00:03 UTC.',
    'a failure that the decision did not count is not in the number',
  );
  t.match(
    incidentMessages.nowCritical(decision([vote('fra', false), vote('nyc', false), trying('lon'), trying('sfo')])),
    'Now critical: 2 of 4 locations fail with connection refused (fra, nyc), 2 needed; lon, sfo fail too and are still retrying.',
  );
  t.ok(
    down([vote('fra', false, { code: 'status_mismatch', message: 'x'.repeat(5_000) })], 'n'.repeat(200)).length < 450,
  );
  t.equal(
    incidentMessages.recovered({
      name: 'Shop',
      votes: [vote('fra', true), vote('sin', false)],
      startedAtMs: NOW - 252_000,
      nowMs: NOW,
    }),
    'Shop is up again after 4 min 12 s (11:55:51 UTC to 12:00:03 UTC): 1 of 2 locations reaches it; sin still fails with connection refused.',
  );
  const certificate = { name: 'Shop', nowMs: NOW, issuer: '' };
  t.equal(
    incidentMessages.certificate({ ...certificate, notAfterMs: NOW + 3_600_000 }),
    'The certificate of Shop expires in less than a day, on 2026-01-31.',
  );
  t.equal(
    incidentMessages.certificate({ ...certificate, notAfterMs: NOW - DAY, issuer: 'CA' }),
    'The certificate of Shop expired on 2026-01-30. Issued by CA.',
  );
  t.match(platformMessage('sin', 'sin', { kind: 'trusted' }), 'sin is no longer quarantined. Its votes count again.');
  t.same(
    [duration(0), duration(59_400), duration(3_600_000), duration(273_600_000)],
    ['0 s', '59 s', '1 h', '3 d 4 h'],
  );
});
