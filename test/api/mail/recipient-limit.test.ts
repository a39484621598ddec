import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { buildMail, testMail } from '../../helpers/mail/build.js';
import { shiftedClock } from '../../helpers/mail/setup.js';

const HOUR_MS = 3_600_000;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const clock = shiftedClock();
const mail = buildMail(mongo, { clock });
await mail.ensureIndexes();

const notices = (to: string, mails: number, kind = 'new_device') =>
  mail.send(...Array.from({ length: mails }, () => testMail({ to, kind, expiresAtMs: clock.now() + HOUR_MS })));
const written = async (mailbox: string) => (await mail.stored()).filter((stored) => stored.mailbox === mailbox).length;

t.test('a mailbox gets at most ten mails of a kind within an hour, whoever causes them', async (t) => {
  await notices('ann@example.com', 12);
  t.equal(await written('ann@example.com'), 10);
  t.same(await mail.counted(), ['new_device skipped 12'], 'each that was not sent is in the metric');
  await notices('ANN@example.com', 1);
  t.equal(await written('ann@example.com'), 10, 'in upper case too');
  await notices('ann@example.com', 1, 'password_changed');
  await notices('bob@example.com', 1);
  t.same([await written('ann@example.com'), await written('bob@example.com')], [11, 1], 'others are not affected');
  clock.shift(HOUR_MS + 1_000);
  await notices('ann@example.com', 1);
  t.equal(await written('ann@example.com'), 12, 'an hour later');
});

t.test('all spellings of an address share one limit of confirmations; each has its own limit of notices', async (t) => {
  await notices('eve@example.com', 10, 'confirm_email');
  await notices('Eve+other@Example.com', 1, 'confirm_email');
  t.equal(await written('eve@example.com'), 10, 'another spelling is the same mailbox');
  await notices('joe+other@example.com', 12, 'second_factor_changed');
  await notices('joe@example.com', 1, 'second_factor_changed');
  t.same([await written('joe+other@example.com'), await written('joe@example.com')], [10, 1]);
});

t.test('reminders, invitations and links for a new password have limits of their own', async (t) => {
  for (const kind of ['api_key_expiring', 'payment_failed', 'password_reset', 'invitation']) {
    await notices(`${kind}@example.com`, 12, kind);
    t.equal(await written(`${kind}@example.com`), 12, kind);
  }
});
