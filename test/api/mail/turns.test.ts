import t from 'tap';
import { createMailTurns, keptFree } from '../../../control-plane/mail/delivery/turns.js';
import type { MailDocument, Urgency } from '../../../control-plane/mail/documents.js';
import { createMailStore } from '../../../control-plane/mail/store.js';
import { testDatabase } from '../../helpers/database.js';
import { buildMail, testMail } from '../../helpers/mail/build.js';
import { setUpMail } from '../../helpers/mail/setup.js';
import { waitFor } from '../../helpers/wait.js';

const NOW = Date.UTC(2026, 0, 31, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ALL = { slow: false, workspaceId: null };
const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const mail = buildMail(mongo, { smtpUrl: 'smtp://127.0.0.1:1' });
await mail.ensureIndexes();
const mails = mongo.db.collection<MailDocument>('mails');
const store = createMailStore(mongo.db);

/** Stores pending mails. Each is due a millisecond after the one before. */
async function waiting(...wanted: { id: string; workspaceId?: string; urgency?: Urgency }[]) {
  await mails.deleteMany({});
  await mail.send(testMail());
  const template = (await mails.findOne()) as MailDocument;
  await mails.deleteMany({});
  const rows = wanted.map(({ id, workspaceId, urgency = 1 }, index): MailDocument => {
    const of = workspaceId === undefined ? {} : { workspace_id: workspaceId };
    const dueMs = NOW - HOUR_MS + index;
    return { ...template, ...of, _id: id, urgency, next_attempt_ms: dueMs, expires_at_ms: NOW + HOUR_MS };
  });
  await mails.insertMany(rows);
}

const many = (workspaceId: string, count: number, urgency: Urgency) =>
  Array.from({ length: count }, (_, index) => ({ id: `${workspaceId}_${urgency}_${index}`, workspaceId, urgency }));

t.test('a workspace with ten thousand reports delays the mails of another one by one mail of its own', async (t) => {
  await waiting(
    ...many('ws_b', 10_000, 2),
    ...many('ws_b', 3, 1),
    { id: 'invitation', workspaceId: 'ws_a' },
    { id: 'report', workspaceId: 'ws_c', urgency: 2 },
    { id: 'notice' },
    { id: 'reset', urgency: 0 },
  );
  const turns = createMailTurns(store);
  await mongo.db.setProfilingLevel('all');
  const claimed: (string | undefined)[] = [];
  for (let claim = 0; claim < 9; claim++) claimed.push((await turns.claim(NOW, HOUR_MS, ALL))?._id);
  await mongo.db.setProfilingLevel('off');
  t.equal(claimed[0], 'reset', 'somebody waits for it');
  t.same(claimed.slice(1), [
    ...['notice', 'ws_b_2_0', 'invitation', 'report', 'ws_b_1_0', 'ws_b_2_1', 'ws_b_1_1', 'ws_b_2_2'],
  ]);
  const profile = mongo.db.collection('system.profile');
  const found = await profile.find({ ns: mails.namespace }).toArray();
  await profile.drop();
  t.ok(found.length > 9 && found.length <= 9 * 5, `queries: ${found.length}`);
  const read = found.map(({ keysExamined, docsExamined }) => Math.max(keysExamined, docsExamined));
  t.ok(Math.max(...read) < 10, `read: ${read.join(', ')}`);
});

t.test('when nothing is due, one query finds that out', async (t) => {
  await waiting({ id: 'one', workspaceId: 'ws_a' });
  const turns = createMailTurns(store);
  t.equal((await turns.claim(NOW, HOUR_MS, ALL))?._id, 'one');
  t.equal(await turns.claim(NOW, HOUR_MS, ALL), null);
  let queries = 0;
  const counting = createMailTurns({
    claim: (...args) => {
      queries++;
      return store.claim(...args);
    },
  });
  t.equal(await counting.claim(NOW, HOUR_MS, ALL), null);
  t.equal(queries, 1);
});

t.test('the last place is for mails without a file, and for other workspaces', async (t) => {
  const file = (workspace_id: string) => ({ urgency: 2 as const, workspace_id });
  const of = (workspaces: string) => [...workspaces].map(file);
  t.same(keptFree([], 1), ALL, 'a single place is for anything');
  t.same(keptFree(of('abc'), 5), ALL);
  t.same(keptFree(of('abcd'), 5), { slow: true, workspaceId: null });
  t.same(keptFree(of('aaaa'), 5), { slow: true, workspaceId: 'a' });
  t.same(keptFree([{ urgency: 1, workspace_id: 'a' }], 2), { slow: false, workspaceId: 'a' });
  t.same(keptFree([{ urgency: 1 }, { urgency: 0 }, { urgency: 1 }, { urgency: 0 }], 5), ALL, 'of many people');

  await waiting(...many('ws_a', 2, 2), ...many('ws_a', 1, 1), ...many('ws_b', 1, 1));
  const turns = createMailTurns(store);
  t.equal((await turns.claim(NOW, HOUR_MS, { slow: true, workspaceId: 'ws_a' }))?._id, 'ws_b_1_0');
  t.equal((await turns.claim(NOW, HOUR_MS, { slow: true, workspaceId: null }))?._id, 'ws_a_1_0');
  t.equal(await turns.claim(NOW, HOUR_MS, { slow: true, workspaceId: null }), null);
  t.equal((await turns.claim(NOW, HOUR_MS, ALL))?._id, 'ws_a_2_0');
});

t.test('while the mail server hangs on the files of a workspace, the mail of another one gets a place', async (t) => {
  await mails.deleteMany({});
  const { mailbox, mail } = await setUpMail(t, mongo);
  await mail.start();
  // The number of places doubles with each answer.
  for (let sent = 1; sent <= 4; sent++) {
    await mail.send(testMail());
    await mailbox.arrived(sent);
  }
  await waitFor('the answers', 60_000, async () => (await mails.countDocuments({ state: 'sent' })) === 4);
  void mailbox.hang();
  await mongo.db.collection<{ _id: string }>('mail_attachments').insertOne({
    ...{ _id: 'file', workspace_id: 'ws_a', name: 'a.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF') },
    remove_at: new Date(Date.now() + DAY_MS),
  } as never);
  const late = { kind: 'client_report', expiresAtMs: Date.now() + 3 * DAY_MS };
  for (let index = 0; index < 8; index++)
    await mail.send(testMail({ ...late, workspaceId: 'ws_a', attachmentId: 'file', to: `${index}@example.com` }));
  await mailbox.arrived(8);
  await mail.send(testMail({ ...late, kind: 'invitation', workspaceId: 'ws_b', to: 'other@example.com' }));
  await mailbox.arrived(9);
  const arrived = mailbox.mails.slice(4).map(({ to }) => to[0]);
  t.equal(arrived.at(-1), 'other@example.com', 'the fifth place was free');
  t.equal(await mails.countDocuments({ state: 'leased' }), 5);
});
