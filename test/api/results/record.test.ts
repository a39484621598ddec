import fc from 'fast-check';
import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { ResultDocument } from '../../../control-plane/results/documents.js';
import { createResultBudget } from '../../../control-plane/results/result-budget.js';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildHistory, buildMonitor, checkResult, codec } from '../../helpers/results/history.js';

// In the future, because the database removes what has expired by its own clock.
const NOW = Date.UTC(2031, 0, 31, 12);
const database = await testDatabase();
let setBackMs = 0;
const history = await buildHistory(database, { setBackMs: () => setBackMs });
t.teardown(() => database.drop());

/** Without the time of the database. */
const stored = (monitorId: string) =>
  database.db
    .collection<ResultDocument>('results')
    .find({ monitor_id: monitorId }, { projection: { arrived: 0 } })
    .sort({ _id: 1 })
    .toArray();

const certificate = (notAfterMs: number) => ({
  grade: 'A+',
  notAfterMs,
  fingerprint: 'ab'.repeat(32),
  issuer: 'CN=Test CA',
  subject: 'CN=shop.example.com',
  protocol: 'TLSv1.3',
});

t.test(
  'a result is stored completely, with the location of the credential, and updates the live results',
  async (t) => {
    const monitor = buildMonitor({ interval_seconds: 30 });
    await history.insertMonitors(monitor);
    const result = checkResult({
      monitorId: monitor._id,
      slotMs: NOW,
      checkedAtMs: NOW + 7,
      certificate: certificate(NOW),
    });
    t.strictSame(await history.deliver('nyc', [result], NOW + 900), []);
    t.strictSame(await stored(monitor._id), [
      {
        _id: `${monitor._id}/${NOW}/nyc/0`,
        workspace_id: 'ws_history',
        monitor_id: monitor._id,
        location: 'nyc',
        slot_ms: NOW,
        attempt: 0,
        final: true,
        reason: 'schedule',
        checked_at_ms: NOW + 7,
        received_at: new Date(NOW + 900),
        covers_ms: 30_000,
        up: true,
        response_time_ms: 80,
        timings: { dns_ms: 5, connect_ms: 10, tls_ms: null, ttfb_ms: 50, transfer_ms: 5 },
        http_status: 200,
        error: null,
        address: '192.0.2.1',
        expires_at: new Date(NOW + (30 * 24 + 2) * 3_600_000),
      },
    ]);
    const { live, good, certificate: seen } = await history.find(monitor._id);
    t.strictSame(live, {
      nyc: {
        slot_ms: NOW,
        attempt: 0,
        final: true,
        checked_at_ms: NOW + 7,
        received_at_ms: NOW + 900,
        up: true,
        response_time_ms: 80,
        http_status: 200,
        error: null,
      },
    });
    t.strictSame(good, { nyc: { checked_at_ms: NOW + 7, response_time_ms: 80 } });
    t.strictSame(seen, {
      checked_at_ms: NOW + 7,
      grade: 'A+',
      not_after_ms: NOW,
      fingerprint: 'ab'.repeat(32),
      issuer: 'CN=Test CA',
      subject: 'CN=shop.example.com',
    });
    t.strictSame(history.evaluated, [], 'a good result of a healthy monitor requests no evaluation');
  },
);

t.test('a failure keeps the last good response time and requests an evaluation, a late failure does not', async (t) => {
  const [monitor, late, paused] = [buildMonitor(), buildMonitor(), buildMonitor({ paused_at_ms: NOW })];
  await history.insertMonitors(monitor, late, paused);
  const fail = (id: string, slotMs: number) =>
    checkResult({ monitorId: id, slotMs, final: false, responseTimeMs: 3 }, 'connection_refused');
  await history.deliver('fra', [checkResult({ monitorId: monitor._id, slotMs: NOW })], NOW);
  history.evaluated.length = 0;
  const batch = [fail(monitor._id, NOW + 60_000), fail(late._id, NOW - 60_001), fail(paused._id, NOW + 60_000)];
  t.strictSame(await history.deliver('fra', batch, NOW + 60_000), []);
  t.strictSame(history.evaluated, [[monitor._id]]);
  const { live, good, state } = await history.find(monitor._id);
  t.strictSame(good, { fra: { checked_at_ms: NOW, response_time_ms: 80 } });
  t.equal(state.attention, true, 'if this process dies now, the sweep still finds the monitor');
  t.match(live['fra'], {
    up: false,
    final: false,
    error: { code: 'connection_refused', message: 'it failed' },
  });
  t.equal((await stored(late._id)).length, 1, 'the late result is stored as history');
  t.equal((await stored(paused._id)).length, 1, 'so is the result of a paused monitor');
  t.match(await history.find(late._id), { live: { fra: { up: false } }, good: {} });
});

t.test('the newest result is the one that was checked last, not the one with the latest slot or arrival', async (t) => {
  const [first, second] = [buildMonitor(), buildMonitor()];
  await history.insertMonitors(first, second);
  const pair = (monitorId: string) => {
    const scheduled = { monitorId, slotMs: NOW + 4_000, checkedAtMs: NOW + 4_000, final: false };
    const retried = { monitorId, slotMs: NOW + 2_000, checkedAtMs: NOW + 7_000, attempt: 1, reason: 'confirm' };
    return [checkResult(scheduled, 'dns_failure'), checkResult(retried, 'dns_failure')];
  };
  await history.deliver('fra', pair(first._id), NOW + 8_000);
  for (const result of pair(second._id).reverse()) await history.deliver('fra', [result], NOW + 8_000);
  for (const { _id } of [first, second]) {
    t.match((await history.find(_id)).live, { fra: { checked_at_ms: NOW + 7_000, attempt: 1, final: true } });
  }
});

t.test('after the clock was set back, slots that were scheduled by the earlier time are accepted', async (t) => {
  const monitor = buildMonitor();
  await history.insertMonitors(monitor);
  const result = checkResult({ monitorId: monitor._id, slotMs: NOW + 60_000, checkedAtMs: NOW + 60_001 });
  setBackMs = 60_000;
  t.strictSame(await history.deliver('fra', [result], NOW), []);
  const [document] = await stored(monitor._id);
  t.equal(document?.checked_at_ms, NOW, 'the time of the check is not after its arrival');
  setBackMs = 0;
  t.match(await history.deliver('fra', [result], NOW), [{ reason: 'slot_ms is in the future' }]);
});

t.test('the database removes expired results', async (t) => {
  for (const name of ['results', 'result_minutes', 'result_hours', 'rollup_heads']) {
    const indexes = await database.db.collection(name).indexes();
    t.match(
      indexes.find((index) => index['key']['expires_at'] === 1),
      { expireAfterSeconds: 0 },
      name,
    );
  }
});

t.test('invalid records are rejected with number and reason, the rest of the batch is stored', async (t) => {
  const monitor = buildMonitor();
  await history.insertMonitors(monitor);
  const good = checkResult({ monitorId: monitor._id, slotMs: NOW });
  const gone = buildMonitor();
  const rows: [CheckResult | Uint8Array, string][] = [
    [new Uint8Array([0xff, 0xff, 0xff]), 'undecodable'],
    [new Uint8Array(20_000), 'too large'],
    [{ ...good, monitorId: "mon_'||1" }, 'invalid monitor_id'],
    [{ ...good, monitorId: gone._id }, 'unknown monitor'],
    [{ ...good, slotMs: NOW + 5_001 }, 'slot_ms is in the future'],
    [{ ...good, checkedAtMs: NOW - 3_600_000 }, 'invalid checked_at_ms'],
    [{ ...good, slotMs: NOW - 31 * 86_400_000 }, 'older than results are kept'],
    [{ ...good, attempt: 6 }, 'invalid attempt'],
    [{ ...good, reason: 'because' }, 'invalid reason'],
    [{ ...good, final: false }, 'invalid final'],
    [{ ...good, up: false, errorCode: 'boredom' }, 'invalid error_code'],
    [{ ...good, up: false, errorCode: '' }, 'invalid error_code'],
    [{ ...good, errorCode: 'dns_failure' }, 'invalid error_code'],
    [{ ...good, responseTimeMs: Number.NaN }, 'invalid response_time_ms'],
    [{ ...good, responseTimeMs: -1 }, 'invalid response_time_ms'],
    [{ ...good, tlsMs: Number.POSITIVE_INFINITY }, 'invalid timings'],
    [{ ...good, httpStatus: 5 }, 'invalid http_status'],
    [{ ...good, certificate: { ...certificate(NOW), grade: 'Z' } }, 'invalid certificate.grade'],
    [{ ...good, certificate: certificate(9e15) }, 'invalid certificate.not_after_ms'],
    [{ ...good, certificate: { ...certificate(NOW), fingerprint: 'no' } }, 'invalid certificate.fingerprint'],
  ];
  const records = rows.map(([row], index) => ({
    seq: index,
    bytes: row instanceof Uint8Array ? row : codec.encode(row),
  }));
  records.push({ seq: 1_000, bytes: codec.encode(good) });
  const refused = await history.record.accept({ nodeId: 'prb_a', kind: 'probe', location: 'fra' }, records, NOW);
  t.strictSame(
    refused.sort((a, b) => a.seq - b.seq),
    rows.map(([, reason], seq) => ({ seq, reason })),
  );
  t.equal((await stored(monitor._id)).length, 1);
  t.strictSame(
    (await history.deliver('lon', [good], NOW)).map(({ reason }) => reason),
    ['not assigned to lon'],
    'a probe sends results of its own location only',
  );
});

t.test('texts are truncated and control characters are removed', async (t) => {
  const monitor = buildMonitor();
  await history.insertMonitors(monitor);
  const message = `a\r\nb\u0000${'x'.repeat(2_000)}`;
  await history.deliver(
    'fra',
    [checkResult({ monitorId: monitor._id, slotMs: NOW, errorMessage: message }, 'dns_failure')],
    NOW,
  );
  const [result] = await stored(monitor._id);
  t.equal(result?.error?.message, `a  b ${'x'.repeat(495)}`);
});

t.test('user names and passwords in the message of a probe of an earlier version are masked', async (t) => {
  const monitor = buildMonitor();
  await history.insertMonitors(monitor);
  const errorMessage = 'more than 10 redirects, the last one to "http://me:p4ss@shop.example.com/x@y"';
  const result = checkResult({ monitorId: monitor._id, slotMs: NOW, errorMessage }, 'too_many_redirects');
  await history.deliver('fra', [result], NOW);
  const masked = 'more than 10 redirects, the last one to "http://***@shop.example.com/x@y"';
  t.equal((await stored(monitor._id))[0]?.error?.message, masked);
  t.equal((await history.find(monitor._id)).live['fra']?.error?.message, masked);
});

t.test('the cache is refreshed before the result of an unknown monitor is rejected', async (t) => {
  const monitor = buildMonitor();
  await database.db.collection<MonitorDocument>('monitors').insertOne(monitor);
  t.equal(history.directory.lookup(monitor._id), null);
  t.strictSame(await history.deliver('fra', [checkResult({ monitorId: monitor._id, slotMs: NOW })], NOW), []);
  t.equal((await stored(monitor._id)).length, 1);
});

t.test('a result of an earlier target is stored as history and does not update the live results', async (t) => {
  const monitor = buildMonitor({ version: 3, live_from_version: 3 });
  await history.insertMonitors(monitor);
  const results = [
    checkResult({ monitorId: monitor._id, slotMs: NOW, monitorVersion: 2, certificate: certificate(NOW) }),
    checkResult({ monitorId: monitor._id, slotMs: NOW - 60_000, monitorVersion: 3 }),
  ];
  await history.deliver('fra', results, NOW);
  const { live, certificate: seen } = await history.find(monitor._id);
  t.equal(live['fra']?.slot_ms, NOW - 60_000);
  t.equal(seen, null);
  t.equal((await stored(monitor._id)).length, 2);
});

t.test('a failed evaluation does not prevent the acknowledgement, a failed database write does', async (t) => {
  const failing = await buildHistory(database, {
    evaluate: async () => {
      throw new Error('no votes today');
    },
  });
  const monitor = buildMonitor();
  await failing.insertMonitors(monitor);
  const bad = checkResult({ monitorId: monitor._id, slotMs: NOW }, 'dns_failure');
  t.strictSame(await failing.deliver('fra', [bad], NOW), []);
  t.match(failing.errors, [{ err: { message: 'no votes today' } }]);

  await database.db.command({ collMod: 'results', validator: { up: false } });
  const good = Array.from({ length: 150 }, (_, at) =>
    checkResult({ monitorId: monitor._id, slotMs: NOW + 60_000 + at * 10 }),
  );
  await t.rejects(failing.deliver('fra', good, NOW + 65_000), 'nothing is acknowledged');
  t.equal(
    (await failing.find(monitor._id)).live['fra']?.slot_ms,
    NOW,
    'and the live results only contain stored results',
  );
  await database.db.command({ collMod: 'results', validator: {} });
  t.strictSame(await failing.deliver('fra', good, NOW + 65_000), [], 'the probe sends them again, within its budget');
});

/** The results of one monitor from one probe: each slot has a good check, or a failed attempt and its final retry. */
const attempts = fc.array(fc.record({ up: fc.boolean(), retried: fc.boolean(), https: fc.boolean() }), {
  minLength: 1,
  maxLength: 5,
});

t.test('a monitor has at most 150 results of one location in a minute; a backlog may have any length', async (t) => {
  const [monitor, other] = [buildMonitor(), buildMonitor()];
  await history.insertMonitors(monitor, other);
  const results = (monitorId: string, count: number, fromMs: number, stepMs: number) =>
    Array.from({ length: count }, (_, at) => checkResult({ monitorId, slotMs: fromMs + at * stepMs }));
  const flood = results(monitor._id, 400, NOW, 10);
  const refused = await history.deliver('sin', [...flood, ...results(other._id, 100, NOW, 10)], NOW + 5_000);
  t.equal(refused.length, 250);
  t.match(refused[0], { reason: 'over budget' });
  t.equal((await stored(monitor._id)).length, 150);
  t.equal((await stored(other._id)).length, 100, 'other monitors have their own limit');
  t.same(history.overBudget, ['sin'], 'counted on /metrics');
  t.strictSame(await history.deliver('nyc', results(monitor._id, 10, NOW, 10), NOW + 5_000), [], 'and other locations');
  const backlog = results(other._id, 400, NOW - 400 * 60_000, 60_000);
  t.strictSame(await history.deliver('fra', backlog, NOW + 5_000), [], 'one in each minute');
});

t.test('a probe that repeats earlier minutes is limited by the minute of the arrival', async (t) => {
  const clock = testClock();
  const budget = createResultBudget(clock);
  const taken = (slotMs: number, count: number) =>
    Array.from({ length: count }, () => budget.take(budget.of('prb_1'), 'mon_1', slotMs)).filter(Boolean).length;
  t.equal(taken(NOW, 1), 1);
  t.equal(taken(NOW - 60_000, 600), 600);
  t.equal(taken(NOW - 3_600_000, 600), 400);
  t.equal(taken(NOW, 200), 149, 'results of the newest minute are counted separately');
  await clock.advance(60_000);
  t.equal(taken(NOW - 3_600_000, 10), 10);
  budget.forget('prb_1');
  t.equal(taken(NOW, 200), 150, 'results that were not stored come again');
});

t.test('batches that are sent twice, in any order, to two control planes, have the same outcome', async (t) => {
  const second = await buildHistory(database);
  const property = fc.asyncProperty(
    fc.record({ fra: attempts, nyc: attempts }),
    fc.infiniteStream(fc.nat()),
    async (plan, chance) => {
      const [calm, wild] = [buildMonitor(), buildMonitor()];
      await history.insertMonitors(calm, wild);
      await second.directory.refresh([calm._id, wild._id]);
      const resultsOf = (monitorId: string) =>
        Object.entries(plan).flatMap(([location, list]) =>
          list.flatMap(({ up, retried, https }, index) => {
            const slotMs = NOW + index * 60_000 + (location === 'fra' ? 0 : 20_000);
            const last = {
              monitorId,
              slotMs,
              attempt: retried ? 1 : 0,
              checkedAtMs: slotMs + 50,
              responseTimeMs: index + 1,
            };
            const cert = https ? certificate(NOW + index) : null;
            return [
              ...(retried
                ? [{ location, result: checkResult({ monitorId, slotMs, final: false }, 'dns_failure') }]
                : []),
              { location, result: checkResult({ ...last, certificate: up ? cert : null }, up ? null : 'dns_failure') },
            ];
          }),
        );
      const receivedMs = NOW + 400_000;
      for (const { location, result } of resultsOf(calm._id)) await history.deliver(location, [result], receivedMs);

      const deliveries = [...resultsOf(wild._id), ...resultsOf(wild._id)]
        .map((one) => ({ ...one, at: chance.next().value }))
        .sort((a, b) => a.at - b.at);
      await Promise.all(
        deliveries.map(({ location, result, at }) =>
          (at % 2 === 0 ? history : second).deliver(location, [result], receivedMs),
        ),
      );

      const plain = async (id: string) => {
        const { live, certificate: seen } = await history.find(id);
        const rows = (await stored(id)).map(({ _id, monitor_id, ...row }) => ({ ...row, name: _id.slice(id.length) }));
        return JSON.stringify([Object.entries(live).sort(), seen, rows], sortedMembers);
      };
      if ((await plain(calm._id)) !== (await plain(wild._id))) {
        throw new Error(`${await plain(calm._id)}\n${await plain(wild._id)}`);
      }
    },
  );
  await t.resolves(fc.assert(property, { numRuns: 12 }));
});

/** Fields that are written one by one are in another order than those of a document that is written at once. */
function sortedMembers(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
