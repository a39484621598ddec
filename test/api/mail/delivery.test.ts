import t from 'tap';
import type { MailDocument } from '../../../control-plane/mail/documents.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { systemRandom } from '../../../kernel/random.js';
import { withoutPeriods } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildMail, TOKEN, testMail } from '../../helpers/mail/build.js';
import { expectStates, setUpMail, shiftedClock } from '../../helpers/mail/setup.js';
import { logCollector } from '../../helpers/monitors/log-collector.js';
import { waitFor } from '../../helpers/wait.js';

const DAY_MS = 86_400_000;
const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildMail(mongo).ensureIndexes();

t.test('a mail arrives with both parts, and is marked as automatic', async (t) => {
  const { mailbox, mail } = await setUpMail(t, mongo);
  await mail.start();
  await mail.send(testMail());
  const [received] = await mailbox.arrived(1);
  await expectStates(mail, ['sent']);
  const [stored] = await mail.stored();
  t.match(received, {
    from: 'picket@picket.test',
    to: ['ann@example.com'],
    headers: {
      from: 'Picket <picket@picket.test>',
      to: 'ann@example.com',
      subject: 'Reset your password',
      'message-id': `<${stored?._id}@picket.test>`,
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      'x-picket-mail': 'password_reset',
    },
  });
  t.match(received?.parts['text/plain'], `https://picket.test/reset-password#token=${TOKEN}`);
  t.match(received?.parts['text/html'], `href="https://picket.test/reset-password#token=${TOKEN}"`);
  t.same(await mail.counted(), ['password_reset sent 1']);
});

t.test('a mail is sent right after the commit, without waiting for a poll', async (t) => {
  const { mailbox, mail } = await setUpMail(t, mongo, { clock: withoutPeriods() });
  await mail.start();
  for (let sent = 1; sent <= 40; sent++) {
    await mail.send(testMail());
    await mailbox.arrived(sent);
  }
  t.equal(mailbox.mails.length, 40);
});

t.test('a mail of a transaction that is rolled back is never sent', async (t) => {
  const { mailbox, mail } = await setUpMail(t, mongo);
  await mail.start();
  const rolledBack = mail.runTransaction(async (tx) => {
    await mail.mailer.send(tx, testMail({ to: 'never@example.com' }));
    throw new Error('rolled back');
  });
  await t.rejects(rolledBack, /rolled back/);
  await mail.send(testMail());
  await expectStates(mail, ['sent']);
  t.same(
    mailbox.mails.map(({ to }) => to),
    [['ann@example.com']],
  );
});

t.test('the database never has the token in plain text, and nothing of the content after the delivery', async (t) => {
  const { mailbox, mail } = await setUpMail(t, mongo, { clock: shiftedClock() });
  const hung = mailbox.hang();
  await mail.start();
  await mail.send(testMail());
  await hung;
  const [before] = await mail.stored();
  t.equal(before?.state, 'leased');
  t.match(before?.sealed, /^v2\./);
  t.notMatch(JSON.stringify(before), new RegExp(`${TOKEN}|Choose a new password`));
  mailbox.resume();
  await mail.stop();
  const again = buildMail(mongo, { smtpUrl: mailbox.url });
  t.teardown(() => again.stop());
  await again.start();
  await expectStates(mail, ['sent']);
  const [after] = await mail.stored();
  t.match(after, { to: 'ann@example.com', kind: 'password_reset', subject: 'Reset your password', sealed: null });
  t.match(after, { response_status: 250, error: null, lease_until: null });
  t.ok((after?.finished_ms ?? 0) >= (after?.created_at_ms ?? 0));
  t.equal(after?.remove_at?.getTime(), (after?.finished_ms ?? 0) + 30 * DAY_MS, 'removed after 30 days');
  const indexes = await mongo.db.collection('mails').indexes();
  t.match(
    indexes.find(({ key }) => 'remove_at' in key),
    { expireAfterSeconds: 0 },
  );
});

t.test('without a mail server, a mail is skipped, and neither log nor database has its link', async (t) => {
  const { logger, lines } = logCollector();
  const { mail } = await setUpMail(t, mongo, { smtpUrl: null, logger });
  await mail.start();
  await mail.send(testMail({ code: 'abcd-efgh' }));
  const [stored] = await mail.stored();
  t.match(stored, { state: 'skipped', sealed: null, error: /PICKET_SMTP_URL/, attempts: 0 });
  t.ok(stored?.remove_at instanceof Date);
  t.same(await mail.counted(), ['password_reset skipped 1']);
  t.match(lines, [
    { to: 'ann@example.com', kind: 'password_reset', subject: 'Reset your password', msg: /PICKET_SMTP/ },
  ]);
  t.notMatch(JSON.stringify([lines, stored]), new RegExp(`${TOKEN}|reset-password|abcd-efgh`));
});

t.test('a link to another origin, and a kind that cannot be a label, are errors of the caller', async (t) => {
  const { mail } = await setUpMail(t, mongo);
  for (const url of [
    'https://evil.example/reset-password#token=x',
    'https://picket.test.evil.example/x',
    'https://picket.test@evil.example/x',
    'http://picket.test/x',
    'https://picket.test',
    '/reset-password',
    'javascript:alert(1)',
    'https://picket.test/x\r\nBcc: evil@example.com',
    'https://picket.test/"onmouseover="x',
    `https://picket.test/${'x'.repeat(1_000)}`,
  ]) {
    const error = await mail.send(testMail({ action: { label: 'x', url } })).catch((err: Error) => err);
    t.match(error, { message: /^the link of the mail password_reset / }, url.slice(0, 80));
    t.notMatch(error?.message, /evil/, 'the error does not contain the link');
  }
  await t.rejects(mail.send(testMail({ kind: 'Reset 1' })), /not a kind/);
  t.same(await mail.stored(), []);
});

t.test('line breaks in names add no header and no recipient', async (t) => {
  const { mailbox, mail } = await setUpMail(t, mongo);
  await mail.start();
  const evil = 'Shop\r\nBcc: evil@example.com\r\n\r\n<script>alert(1)</script>';
  await mail.send(
    testMail({ subject: `Join ${evil}`, heading: evil, paragraphs: [evil], facts: [{ label: evil, value: evil }] }),
    testMail({ to: 'ann@example.com\r\nRCPT TO:<evil@example.com>' }),
    testMail({ to: 'ann@example.com, evil@example.com' }),
    testMail({ to: 'Ann <evil@example.com>' }),
  );
  await waitFor('all to be final', 20_000, async () =>
    (await mail.stored()).every(({ state }) => state === 'sent' || state === 'failed'),
  );
  t.equal(mailbox.mails[0]?.headers['bcc'], undefined);
  t.match(
    mailbox.mails[0]?.headers['subject'],
    /^Join Shop Bcc: evil@example.com <script>/,
    'it is part of the subject',
  );
  t.notMatch(mailbox.mails[0]?.parts['text/html'], /<script>/);
  for (const { to } of mailbox.mails) {
    t.equal(to.length, 1, 'one recipient');
    t.not(to[0], 'evil@example.com');
  }
});

t.test('a content that cannot be decrypted fails, and the next mail is sent', async (t) => {
  const { mailbox, mail } = await setUpMail(t, mongo);
  const other = buildMail(mongo, { smtpUrl: mailbox.url, box: createSecretBox(Buffer.alloc(32, 8), systemRandom) });
  await other.send(testMail());
  await mail.start();
  await mail.send(testMail());
  await expectStates(mail, ['failed', 'sent']);
  t.match((await mail.stored())[0], { error: /cannot be decrypted/, sealed: null });
  t.same(await mail.counted(), ['password_reset failed 1', 'password_reset sent 1']);
});

t.test('mails that a person waits for are sent before the others', async (t) => {
  const { mailbox, mail } = await setUpMail(t, mongo);
  const reminder = testMail({ kind: 'api_key_expiring', expiresAtMs: Date.now() + 7 * DAY_MS });
  await mail.send(...Array.from({ length: 10 }, () => reminder), testMail());
  await mail.start();
  await mailbox.arrived(11);
  t.equal(mailbox.mails[0]?.headers['x-picket-mail'], 'password_reset');
  t.equal((await mongo.db.collection<MailDocument>('mails').countDocuments({ urgency: 1 })) === 10, true);
});
