import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { buildMail, TOKEN, testMail } from '../../helpers/mail/build.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildMail(mongo).ensureIndexes();

t.test('a mail leaves after the commit, and its content does not stay', async (t) => {
  const mailbox = await startMailbox();
  const mail = buildMail(mongo, { smtpUrl: mailbox.url });
  await mail.start();
  t.teardown(() => Promise.all([mail.stop(), mailbox.close()]));
  await mail.send(testMail());
  const [received] = await mailbox.arrived(1);
  t.match(received?.parts['text/plain'], TOKEN);
  await waitFor('sent', 5_000, async () => (await mail.stored())[0]?.state === 'sent', 5);
  t.same(await mail.counted(), ['password_reset sent 1']);
});
