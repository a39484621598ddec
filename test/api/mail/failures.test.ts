import t from 'tap';
import { systemRandom } from '../../../kernel/random.js';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { buildMail, TOKEN, testMail } from '../../helpers/mail/build.js';
import { expectStates, setUpMail, shiftedClock } from '../../helpers/mail/setup.js';
import { logCollector } from '../../helpers/monitors/log-collector.js';
import { waitFor } from '../../helpers/wait.js';

const MINUTE_MS = 60_000;
const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildMail(mongo).ensureIndexes();

t.test('a recipient that the server refuses fails at once, and delays no other', async (t) => {
  const { logger, lines } = logCollector();
  const { mailbox, mail } = await setUpMail(t, mongo, { logger });
  mailbox.refuse((address) => (address.startsWith('bob') ? 550 : null));
  await mail.start();
  await mail.send(testMail({ to: 'bob@example.com' }), testMail());
  await expectStates(mail, ['failed', 'sent']);
  const [refused] = await mail.stored();
  t.match(refused, { attempts: 1, response_status: 550, error: /bob@example.com is refused/, sealed: null });
  t.same(await mail.counted(), ['password_reset failed 1', 'password_reset sent 1']);
  t.match(
    lines.find(({ level }) => level === 50),
    { to: 'bob@example.com', kind: 'password_reset', error: /550/, msg: 'an e-mail was not delivered' },
  );
});

t.test('a response that quotes the link of the mail puts it neither into the database nor into the log', async (t) => {
  const { logger, lines } = logCollector();
  const { mailbox, mail } = await setUpMail(t, mongo, { logger });
  const link = testMail().action?.url ?? '';
  // The end of the link is where the error is cut to 300 characters.
  const padding = 'x'.repeat(200);
  mailbox.refuseContent(() => ({ code: 554, text: `spam: ${TOKEN} ${padding} ${link} ${link}` }));
  await mail.start();
  await mail.send(testMail());
  await expectStates(mail, ['failed']);
  const [stored] = await mail.stored();
  t.match(stored, { response_status: 554, error: /spam: \[secret\] x/ });
  t.notMatch(JSON.stringify([stored, lines]), new RegExp(TOKEN.slice(0, 8)));
});

t.test('a recipient that is refused for now is retried with the same Message-ID and date', async (t) => {
  const clock = shiftedClock();
  const { mailbox, mail } = await setUpMail(t, mongo, { clock });
  let refused = 0;
  mailbox.refuse((address) => {
    if (!address.startsWith('bob')) return null;
    refused += 1;
    return 450;
  });
  await mail.start();
  await mail.send(testMail({ to: 'bob@example.com' }), testMail());
  await expectStates(mail, ['pending', 'sent']);
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 4; attempt++) {
    const [row] = await waitFor(`attempt ${attempt}`, 5_000, async () => {
      const stored = await mail.stored();
      return stored[0]?.state === 'pending' && stored[0].attempts === attempt ? stored : null;
    });
    const pauseMs = (row?.next_attempt_ms ?? 0) - clock.now();
    pauses.push(pauseMs);
    t.equal(row?.waiting, 'backoff');
    if (attempt === 4) mailbox.refuse(() => null);
    clock.shift(pauseMs + 100);
  }
  const seconds = pauses.map((ms) => ms / 1_000);
  t.comment(`pauses ${seconds.map((s) => s.toFixed(1)).join(', ')} s`);
  for (const [index, s] of seconds.entries()) {
    const full = 2 * 2 ** index;
    t.ok(s > full * 0.7 - 0.5 && s <= full * 1.25, `${s} is about ${full} s`);
  }
  await expectStates(mail, ['sent', 'sent']);
  t.equal(refused, 4);
  const [stored] = await mail.stored();
  t.match(stored, { attempts: 5, response_status: 250, error: null });
  const received = mailbox.mails.find(({ to }) => to[0] === 'bob@example.com');
  t.match(received?.headers['message-id'], stored?._id ?? '-');
  t.equal(new Date(received?.headers['date'] ?? 0).getTime(), Math.floor((stored?.created_at_ms ?? 0) / 1_000) * 1_000);
  t.same(await mail.counted(), ['password_reset retried 4', 'password_reset sent 2']);
});

t.test('retries end when the mail expires', async (t) => {
  const clock = shiftedClock();
  // Pauses of 2, 4, 8 and 16 s.
  const random = { ...systemRandom, fraction: () => 0.5 };
  const { mailbox, mail } = await setUpMail(t, mongo, { clock, random });
  mailbox.refuse(() => 450);
  await mail.start();
  await mail.send(testMail({ expiresAtMs: clock.now() + MINUTE_MS }));
  await waitFor('the last attempt', 10_000, async () => {
    const [stored] = await mail.stored();
    if (stored?.state === 'pending') clock.shift(Math.max(0, stored.next_attempt_ms - clock.now()) + 50);
    return stored?.state === 'failed';
  });
  const [stored] = await mail.stored();
  t.match(stored, { error: /is refused/, response_status: 450, sealed: null });
  t.ok((stored?.finished_ms ?? 0) <= (stored?.expires_at_ms ?? 0));
  t.equal(stored?.attempts, 5, 'after another 32 s, the mail would have expired');
});

t.test('a mail that expired while nothing could send it is never sent', async (t) => {
  const clock = shiftedClock();
  const { logger, lines } = logCollector();
  const { mailbox, mail } = await setUpMail(t, mongo, { clock, logger });
  await mail.send(testMail({ expiresAtMs: clock.now() + MINUTE_MS }), testMail());
  clock.shift(2 * MINUTE_MS);
  await mail.start();
  await expectStates(mail, ['expired', 'sent']);
  t.match((await mail.stored())[0], { attempts: 0, sealed: null });
  t.equal(mailbox.mails.length, 1);
  t.match(
    lines.find(({ level }) => level === 50),
    { to: 'ann@example.com', msg: 'an e-mail expired before it was sent' },
  );
  t.same(await mail.counted(), ['password_reset expired 1', 'password_reset sent 1']);
});

t.test('a mail server that takes 20 s to confirm a mail gets it only once', async (t) => {
  const { mailbox, mail } = await setUpMail(t, mongo);
  mailbox.slow(20_000);
  await mail.start();
  await mail.send(testMail());
  await expectStates(mail, ['sent'], 30_000);
  t.equal(mailbox.mails.length, 1);
});

t.test(
  'a server that hangs costs one connection, delays no transaction, and gets all mails when it is back',
  async (t) => {
    const attemptTimeoutMs = 500;
    const { mailbox, mail } = await setUpMail(t, mongo, { attemptTimeoutMs, leaseMs: 60_000 });
    const hung = mailbox.hang();
    await mail.start();
    await mail.send(testMail());
    await hung;
    const startedAt = performance.now();
    for (let index = 0; index < 20; index++) await mail.send(testMail());
    const tookMs = performance.now() - startedAt;
    t.ok(tookMs < 20 * attemptTimeoutMs, `20 transactions took ${tookMs.toFixed(0)} ms, less than if each had waited`);
    await waitFor('a second attempt', 5_000, () => mailbox.mails.length >= 2);
    t.equal(mailbox.connectionsPeak(), 1, 'one mail at a time');
    const tried = mailbox.mails.length;
    mailbox.resume();
    await expectStates(
      mail,
      Array.from({ length: 21 }, () => 'sent'),
      15_000,
    );
    const ids = mailbox.mails.map(({ headers }) => headers['message-id']);
    t.equal(new Set(ids).size, 21);
    t.equal(ids.length, 21 + tried, 'only the mails that met the hanging server came twice, with the same Message-ID');
    t.match((await mail.stored())[0], { error: null, attempts: 2 });
  },
);

t.test('a stop does not wait for a server that hangs, and the mail is not lost', async (t) => {
  const clock = shiftedClock();
  const { mailbox, mail } = await setUpMail(t, mongo, { clock });
  const hung = mailbox.hang();
  await mail.start();
  await mail.send(testMail());
  await hung;
  const startedAt = performance.now();
  await mail.stop();
  t.ok(performance.now() - startedAt < 3_000);
  t.match((await mail.stored())[0], { state: 'pending', attempts: 0 }, 'due at once for another control plane');
});

t.test('an outage costs the same for a hundred mails as for one, and all leave when it ends', async (t) => {
  const { mailbox: closed, mail } = await setUpMail(t, mongo, { smtpUrl: null });
  await closed.close();
  const { logger, lines } = logCollector();
  const delivering = buildMail(mongo, { smtpUrl: closed.url, logger });
  t.teardown(() => delivering.stop());
  await delivering.send(...Array.from({ length: 100 }, () => testMail()));
  await delivering.start();
  const tried = await waitFor('three attempts', 30_000, async () => {
    const rows = (await mail.stored()).filter(({ attempts, state }) => attempts > 0 && state === 'pending');
    return rows.reduce((sum, row) => sum + row.attempts, 0) >= 3 && rows;
  });
  t.ok(tried.length <= 4, `${tried.length} of 100 mails were tried`);
  t.ok(lines.filter(({ level }) => level === 40).length <= 5, 'a line for each attempt');
  t.match(tried[0], { waiting: 'server', error: /ECONNREFUSED|ESOCKET|ECONNECTION/ });
  // As late in a long outage.
  const late = { $set: { next_attempt_ms: Date.now() + 20 * MINUTE_MS } };
  await mongo.db.collection('mails').updateMany({ state: 'pending', waiting: 'server' }, late);
  const mailbox = await startMailbox({ port: Number(new URL(closed.url).port) });
  t.teardown(() => mailbox.close());
  await mailbox.arrived(100, 20_000);
  await expectStates(
    mail,
    Array.from({ length: 100 }, () => 'sent'),
  );
});
