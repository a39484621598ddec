import { createHash } from 'node:crypto';
import { pino } from 'pino';
import t from 'tap';
import type { CertificateState, MonitorDocument, SeenCertificates } from '../../../control-plane/monitors/documents.js';
import { createCertificateChanges } from '../../../control-plane/verdicts/certificates/changes.js';
import { replacementStep } from '../../../control-plane/verdicts/certificates/replaced.js';
import { incidentMessages } from '../../../control-plane/verdicts/messages.js';
import { createVerdictStore } from '../../../control-plane/verdicts/store.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildHistory, buildMonitor, checkResult } from '../../helpers/results/history.js';
import { LOCATIONS, setUpVerdicts } from '../../helpers/verdicts/setup.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 0, 31, 12);

const fingerprintOf = (name: string) => createHash('sha256').update(name).digest('hex');
const presented = (name: string, issuer = 'Old CA', days = 20): CertificateState => ({
  ...{ checked_at_ms: NOW, grade: 'A', subject: 'shop.example.com' },
  ...{ fingerprint: fingerprintOf(name), issuer, not_after_ms: NOW + days * DAY },
});

t.test('the rule: a line for each replacement, none for servers that take turns, and a limit', async (t) => {
  let seen: SeenCertificates | null = null;
  const present = (name: string, atMs: number) => {
    const step = replacementStep(seen, presented(name), atMs);
    if (step.do !== 'nothing') seen = step.seen;
    return step.do;
  };
  t.equal(present('one', NOW), 'note', 'the first certificate replaces none');
  t.equal(present('one', NOW + DAY), 'nothing');
  t.equal(present('two', NOW + 2 * DAY), 'record');
  t.equal(present('one', NOW + 2 * DAY + 60_000), 'note', 'a second server still has the old one');
  t.equal(present('two', NOW + 2 * DAY + 120_000), 'note');
  t.equal(present('one', NOW + 5 * DAY), 'record', 'days later it is a replacement again');
  const flood = Array.from({ length: 50 }, (_, index) => present(`new ${index}`, NOW + 10 * DAY + index * 60_000));
  t.equal(flood.filter((step) => step === 'record').length, 20, 'a new certificate on each connection');
  t.equal(present('after', NOW + 12 * DAY), 'record', 'the limit is per day');
  t.ok(JSON.stringify(seen).length < 2_000, 'what is stored has a limit');
});

t.test('each replaced certificate leaves one line on the timeline, on any number of control planes', async (t) => {
  const database = await testDatabase();
  const clock = testClock(NOW);
  const it = await setUpVerdicts(database.uri, clock);
  await it.ensureIndexes();
  t.teardown(async () => {
    await it.stop();
    await database.drop();
  });
  const needs = {
    ...{ clock, logger: pino({ level: 'silent' }), store: createVerdictStore(it.mongo.db) },
    ...{ runTransaction: it.runTransaction, timeline: it.timeline, messages: incidentMessages },
  };
  const planes = [createCertificateChanges(needs), createCertificateChanges(needs)];
  const history = await buildHistory(database, {
    clock,
    certificatesSeen: async (seen) => void (await Promise.all(planes.map((plane) => plane.seen(seen)))),
  });
  const monitor = buildMonitor({ workspace_id: 'ws_test', locations: ['fra'] });
  await history.insertMonitors(monitor);
  const id = monitor._id;
  const check = async (name: string, issuer: string, days: number) => {
    await clock.advance(60_000);
    const { fingerprint, not_after_ms: notAfterMs } = presented(name, issuer, days);
    const certificate = { grade: 'A', fingerprint, issuer, subject: 'shop.example.com', notAfterMs };
    const result = checkResult({ monitorId: id, slotMs: clock.now(), certificate });
    t.same(await history.deliver('fra', [result], clock.now()), []);
  };
  const lines = async () =>
    (
      await it.timeline.page({
        workspaceId: 'ws_test',
        fromMs: null,
        toMs: null,
        resourceId: id,
        after: null,
        limit: 50,
      })
    )
      .filter(({ type }) => type === 'certificate.changed')
      .map(({ message, metadata, resource }) => ({ message, metadata, resource }));
  await check('old', 'Old CA', 20);
  await check('old', 'Old CA', 20);
  t.same(await lines(), []);
  await check('new', 'New CA', 90);
  await check('new', 'New CA', 90);
  t.same(await lines(), [
    {
      message:
        'The certificate of Shop was replaced: issued by New CA, before by Old CA; valid until 2026-05-01, before until 2026-02-20.',
      resource: { type: 'monitor', id, name: 'Shop' },
      metadata: {
        from: { issuer: 'Old CA', expires_at: '2026-02-20T12:00:00.000Z', fingerprint: fingerprintOf('old') },
        to: { issuer: 'New CA', expires_at: '2026-05-01T12:00:00.000Z', fingerprint: fingerprintOf('new') },
      },
    },
  ]);
  const restarted = createCertificateChanges(needs);
  await restarted.seen([{ monitorId: id, fingerprint: fingerprintOf('new') }]);
  t.equal((await lines()).length, 1, 'a control plane that starts later leaves no line');

  const failing = createCertificateChanges({
    ...needs,
    runTransaction: () => Promise.reject(new Error('no database')),
  });
  const monitors = database.db.collection<MonitorDocument>('monitors');
  await monitors.updateOne({ _id: id }, { $set: { certificate: presented('third', 'New CA', 90) } });
  await failing.seen([{ monitorId: id, fingerprint: fingerprintOf('third') }]);
  t.equal((await lines()).length, 1);
  await restarted.seen([{ monitorId: id, fingerprint: fingerprintOf('third') }]);
  t.equal((await lines()).length, 2, 'the next result repeats what could not be recorded');
  t.match((await lines())[0]?.message, /issued by New CA as before/);
});

t.test('an incident about a certificate that another incident supersedes leaves a line', async (t) => {
  const database = await testDatabase();
  const it = await setUpVerdicts(database.uri);
  await it.ensureIndexes();
  t.teardown(async () => {
    await it.stop();
    await database.drop();
  });
  await it.insert({ _id: 'mon_c', certificate: presented('old') });
  await it.certificates.runDue(it.clock.now());
  for (const code of LOCATIONS) await it.check('mon_c', code, false);
  const page = { workspaceId: 'ws_test', fromMs: null, toMs: null, resourceId: 'mon_c', after: null, limit: 50 };
  const found = (await it.timeline.page(page)).map(({ type, metadata }) => `${type} ${metadata['kind'] ?? ''}`.trim());
  t.same(found.sort(), [
    'incident.opened certificate',
    'incident.opened monitor',
    'incident.superseded certificate',
    'monitor.status_changed',
  ]);
});
