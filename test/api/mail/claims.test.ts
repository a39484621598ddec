import { Registry } from 'prom-client';
import t from 'tap';
import { createMailCountsStore } from '../../../control-plane/mail/counts-store.js';
import { createRecordResult } from '../../../control-plane/mail/delivery/record-result.js';
import type { MailDocument } from '../../../control-plane/mail/documents.js';
import { final } from '../../../control-plane/mail/retry.js';
import { createMailStore } from '../../../control-plane/mail/store.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildMail, testMail } from '../../helpers/mail/build.js';
import { logCollector } from '../../helpers/monitors/log-collector.js';
import { waitFor } from '../../helpers/wait.js';

const NOW = Date.UTC(2026, 0, 31, 12);
const HOUR_MS = 3_600_000;
const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const mail = buildMail(mongo, { smtpUrl: 'smtp://127.0.0.1:1' });
await mail.ensureIndexes();
const mails = mongo.db.collection<MailDocument>('mails');
const store = createMailStore(mongo.db);

/** Returns how many index keys or documents, whichever are more, the database reads for each query of `work`. */
async function amountsRead(work: () => Promise<unknown>): Promise<number[]> {
  await mongo.db.setProfilingLevel('all');
  await work();
  await mongo.db.setProfilingLevel('off');
  const profile = mongo.db.collection('system.profile');
  const found = await profile.find({ ns: mails.namespace }).toArray();
  await profile.drop();
  return found.map(({ keysExamined, docsExamined }) => Math.max(keysExamined, docsExamined));
}

t.test('claims and polls read a few keys, however many mails wait or are final', async (t) => {
  await mail.send(testMail());
  const template = (await mails.findOne()) as MailDocument;
  await mails.deleteMany({});
  const rows = Array.from({ length: 6_000 }, (_, index): MailDocument => {
    const isFinal = index % 3 === 0;
    return {
      ...{ ...template, _id: `mail_${index}`, urgency: index % 2 === 0 ? 0 : 1, expires_at_ms: NOW + 9 * HOUR_MS },
      ...{ state: isFinal ? 'sent' : 'pending', next_attempt_ms: isFinal ? NOW - HOUR_MS : NOW + HOUR_MS },
    };
  });
  const due = { ...template, next_attempt_ms: NOW - 1, expires_at_ms: NOW + HOUR_MS };
  await mails.insertMany([
    ...rows,
    { ...due, _id: 'mail_later', urgency: 1, next_attempt_ms: NOW - HOUR_MS },
    { ...due, _id: 'mail_bulk', urgency: 3, next_attempt_ms: NOW - 2 * HOUR_MS },
    { ...due, _id: 'mail_first', urgency: 0, next_attempt_ms: NOW - 2 },
    { ...due, _id: 'mail_second', urgency: 0 },
    { ...due, _id: 'mail_expired', urgency: 0, expires_at_ms: NOW },
  ]);
  const claimed: (string | undefined)[] = [];
  const read = await amountsRead(async () => {
    for (let claim = 0; claim < 3; claim++) claimed.push((await store.claim(NOW, HOUR_MS))?._id);
    // Bulk mails have not all places, and come after all others.
    for (const urgencies of [[0, 1, 2] as const, [0, 1, 2, 3] as const])
      claimed.push((await store.claim(NOW, HOUR_MS, { urgencies, afterWorkspace: null, withoutWorkspace: null }))?._id);
    claimed.push((await store.claim(NOW, HOUR_MS))?._id);
    await store.reclaim();
    claimed.push(...(await store.expired(NOW, 100)).map(({ _id }) => _id));
    await store.serverIsBack(NOW);
  });
  const [none, ofOthers] = [undefined, ['mail_first', 'mail_second', 'mail_later']];
  t.same(claimed, [...ofOthers, none, 'mail_bulk', none, 'mail_expired']);
  t.equal(read.length, 9);
  t.ok(Math.max(...read) < 20, `read: ${read.join(', ')}`);
});

t.test('counting the waiting mails reads no other mails', async (t) => {
  await mails.deleteMany({});
  await mail.send(testMail());
  const template = (await mails.findOne()) as MailDocument;
  await mails.insertMany(
    Array.from({ length: 1_000 }, (_, index): MailDocument => ({ ...template, _id: `mail_${index}`, state: 'sent' })),
  );
  await mail.send(testMail());
  await store.claim(Date.now(), HOUR_MS);
  const found: unknown[] = [];
  const read = await amountsRead(async () => found.push(await createMailCountsStore(mongo.db).waiting(100)));
  t.match(found, [{ mails: 2, oldestMs: template.created_at_ms }]);
  t.ok(Math.max(...read) <= 4, `read: ${read.join(', ')}`);
});

t.test('the same result can be stored twice, because the first answer of the database may be lost', async (t) => {
  await mails.deleteMany({});
  await mail.send(testMail());
  const claimed = (await store.claim(Date.now(), HOUR_MS)) as MailDocument;
  const sent = { state: 'sent', sealed: null, finished_ms: NOW } as const;
  t.equal(await store.settle(claimed, sent), true);
  t.equal(await store.settle(claimed, sent), true);
  t.equal(await store.settle({ ...claimed, fence: claimed.fence - 1 }, sent), false, 'not after another claim');
  t.equal(await store.settle(claimed, { ...sent, state: 'failed' }), false, 'not with another result');
});

t.test('a mail that two control planes find expired is settled by one of them', async (t) => {
  await mails.deleteMany({});
  await mail.send(testMail());
  const { logger, lines } = logCollector();
  const planes = [createMailStore(mongo.db), createMailStore(mongo.db)];
  const found = await Promise.all(planes.map((plane) => plane.expired(Date.now() + HOUR_MS, 100)));
  const results: boolean[] = [];
  for (const [index, plane] of planes.entries()) {
    const record = createRecordResult({ store: plane, clock: testClock(), logger }, new AbortController().signal);
    for (const expired of found[index] ?? []) results.push(await record(expired, final('expired', NOW + index, {})));
  }
  t.same(results, [true, false]);
  t.same(lines, [], 'it was never sent, so it cannot arrive twice');
});

t.test('the metrics show how many mails wait, and for how long', async (t) => {
  await mails.deleteMany({});
  const [clock, registry] = [testClock(), new Registry()];
  // Nobody listens on this port.
  const away = buildMail(mongo, { smtpUrl: 'smtp://127.0.0.1:1', clock, registry });
  const shown = async () =>
    (await registry.metrics()).split('\n').filter((line) => /^picket_mails_\w*waiting/.test(line));
  await away.send(testMail({ expiresAtMs: NOW + HOUR_MS }));
  await clock.advance(20_000);
  await away.send(testMail({ expiresAtMs: NOW + HOUR_MS }));
  await away.start();
  await clock.advance(0);
  await waitFor('the metrics', 20_000, async () => (await shown()).some((line) => line === 'picket_mails_waiting 2'));
  t.same(await shown(), ['picket_mails_waiting 2', 'picket_mails_oldest_waiting_seconds 20']);
  await away.stop();
});
