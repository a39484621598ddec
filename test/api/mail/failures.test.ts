import t, { type Test } from 'tap';
import type { MailNeeds } from '../../../control-plane/mail/open.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { tcpProxy } from '../../helpers/machine/tcp-proxy.js';
import { buildMail, TOKEN, testMail } from '../../helpers/mail/build.js';
import { expectStates, sentAfterPolls, setUpMail, shiftedClock } from '../../helpers/mail/setup.js';
import { logCollector } from '../../helpers/monitors/log-collector.js';
import { waitFor } from '../../helpers/wait.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than every pause between two attempts in these tests. */
const PAUSE_MS_MAX = 15_000;
/** Pauses without a random part: 2, 4, 8 and 16 s. */
const random = { ...systemRandom, fraction: () => 0.5 };
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
  const { mailbox, mail } = await setUpMail(t, mongo, { clock, random });
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
    const [row] = await waitFor(`attempt ${attempt}`, 20_000, async () => {
      const stored = await mail.stored();
      return stored[0]?.state === 'pending' && stored[0].attempts === attempt ? stored : null;
    });
    const pauseMs = (row?.next_attempt_ms ?? 0) - clock.now();
    pauses.push(pauseMs);
    t.equal(row?.waiting, 'backoff');
    if (attempt === 4) mailbox.refuse(() => null);
    clock.shift(pauseMs);
  }
  t.same(pauses, [2_000, 4_000, 8_000, 16_000]);
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
  const { mailbox, mail } = await setUpMail(t, mongo, { clock, random });
  mailbox.refuse(() => 450);
  await mail.start();
  await mail.send(testMail({ expiresAtMs: clock.now() + MINUTE_MS }));
  await waitFor('the last attempt', 30_000, async () => {
    const [stored] = await mail.stored();
    if (stored?.state === 'pending') clock.shift(Math.max(0, stored.next_attempt_ms - clock.now()));
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
  await expectStates(mail, ['sent'], 90_000);
  t.equal(mailbox.mails.length, 1);
});

t.test(
  'a server that hangs costs one connection, delays no transaction, and gets all mails when it is back',
  async (t) => {
    // The clock stands still, so no attempt ends before the test says so.
    const clock = testClock(Date.now());
    const { mailbox, mail } = await setUpHangingServer(t, { clock, attemptTimeoutMs: HOUR_MS, leaseMs: 9 * HOUR_MS });
    const send = () => mail.send(testMail({ expiresAtMs: clock.now() + 9 * HOUR_MS }));
    const hung = mailbox.hang();
    await mail.start();
    await send();
    await hung;
    for (let index = 0; index < 20; index++) await send();
    t.match((await mail.stored())[0], { state: 'leased' }, '20 transactions are done before the first attempt ends');
    const timeOut = async () => {
      await clock.advance(HOUR_MS);
      await waitFor('the end of the attempt', 20_000, async () =>
        // The hour may also have the next attempt, which succeeds when the server is back.
        (await mail.stored()).every(({ state }) => state !== 'leased'),
      );
    };
    await timeOut();
    await clock.advance(PAUSE_MS_MAX);
    await mailbox.arrived(2);
    t.equal(mailbox.connectionsPeak(), 1, 'one mail at a time');
    const tried = mailbox.mails.length;
    mailbox.resume();
    await timeOut();
    await clock.advance(PAUSE_MS_MAX);
    await sentAfterPolls(mail, clock, 21);
    const ids = mailbox.mails.map(({ headers }) => headers['message-id']);
    t.equal(new Set(ids).size, 21);
    t.equal(ids.length, 21 + tried, 'only the mails that met the hanging server came twice, with the same Message-ID');
    t.match((await mail.stored())[0], { error: null, attempts: 2 });
  },
);

t.test('a stop does not wait for a server that hangs, and the mail is not lost', async (t) => {
  const clock = shiftedClock();
  // Without the stop, the attempt lasts an hour.
  const { mailbox, mail } = await setUpHangingServer(t, { clock, attemptTimeoutMs: 20 * HOUR_MS });
  const hung = mailbox.hang();
  await mail.start();
  await mail.send(testMail());
  await hung;
  await mail.stop();
  t.match((await mail.stored())[0], { state: 'pending', attempts: 0 }, 'due at once for another control plane');
});

t.test('a port on which no mail server listens is retried', async (t) => {
  const { mail } = await setUpMail(t, mongo, { smtpUrl: 'smtp://127.0.0.1:1', clock: testClock(Date.now()) });
  await mail.start();
  await mail.send(testMail());
  await waitFor('the attempt', 20_000, async () => (await mail.stored())[0]?.waiting === 'server');
  t.match((await mail.stored())[0], { state: 'pending', attempts: 1, error: /ECONNREFUSED|ESOCKET|ECONNECTION/ });
});

t.test('an outage costs the same for a hundred mails as for one, and all leave when it ends', async (t) => {
  const { logger, lines } = logCollector();
  const clock = testClock(Date.now());
  const mailbox = await startMailbox();
  const proxy = await tcpProxy(Number(new URL(mailbox.url).port));
  const { mail } = await setUpMail(t, mongo, {
    smtpUrl: `smtp://picket:secret@127.0.0.1:${proxy.port}`,
    logger,
    clock,
  });
  t.teardown(async () => {
    await proxy.close();
    await mailbox.close();
  });
  proxy.cutAt('EHLO', Number.POSITIVE_INFINITY);
  await mail.send(...Array.from({ length: 100 }, () => testMail()));
  await mail.start();
  await clock.advance(0);
  for (let attempt = 1; attempt <= 3; attempt++) {
    const tried = await waitFor(`attempt ${attempt}`, 20_000, async () => {
      const rows = await mail.stored();
      const isResting = rows.every(({ state }) => state === 'pending');
      const attempts = rows.reduce((sum, row) => sum + row.attempts, 0);
      return isResting && attempts >= attempt && { attempts, row: rows.find((row) => row.attempts > 0) };
    });
    t.equal(tried.attempts, attempt, 'one mail at a time is tried');
    t.match(tried.row, { waiting: 'server', error: /ECONNREFUSED|ESOCKET|ECONNECTION/ });
    if (attempt < 3) await clock.advance(PAUSE_MS_MAX);
  }
  t.equal(lines.filter(({ level }) => level === 40).length, 3, 'a line for each attempt');
  // As late in a long outage.
  const late = { $set: { next_attempt_ms: clock.now() + 20 * MINUTE_MS } };
  await mongo.db.collection('mails').updateMany({ state: 'pending', waiting: 'server' }, late);
  proxy.cutAt('', 0);
  await clock.advance(PAUSE_MS_MAX);
  await sentAfterPolls(mail, clock, 100);
  t.equal(mailbox.mails.length, 100);
});

/** Returns a mail server and a control plane whose attempts end only by its clock: the library waits for an hour. */
async function setUpHangingServer(t: Test, options: Partial<MailNeeds>) {
  const mailbox = await startMailbox();
  const { mail } = await setUpMail(t, mongo, { ...options, smtpUrl: `${mailbox.url}?socketTimeout=${HOUR_MS}` });
  t.teardown(() => mailbox.close());
  return { mailbox, mail };
}
