import { spawn } from 'node:child_process';
import t from 'tap';
import { createMailStore } from '../../../control-plane/mail/store.js';
import { testDatabase } from '../../helpers/database.js';
import { buildMail, testMail } from '../../helpers/mail/build.js';
import { expectStates, setUpMail } from '../../helpers/mail/setup.js';
import { nodeArguments } from '../../helpers/processes/node-arguments.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildMail(mongo).ensureIndexes();

t.test('kill -9 between sending and recording: exactly one second mail, with the same Message-ID', async (t) => {
  const { mailbox, mail } = await setUpMail(t, mongo);
  const script = nodeArguments(new URL('../../helpers/mail/delivery-process.ts', import.meta.url));
  const child = spawn(process.execPath, [...script, mongo.uri, mailbox.url, '1500'], { stdio: 'inherit' });
  t.teardown(() => child.kill('SIGKILL'));
  const died = new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  // The server has the mail; the sender dies before it gets the confirmation.
  const taken = mailbox.hang().then(() => child.kill('SIGKILL'));
  await mail.send(testMail());
  await taken;
  t.equal(await died, 'SIGKILL');
  t.match(await mail.stored(), [{ state: 'leased', attempts: 1 }]);
  mailbox.resume();
  const survivor = buildMail(mongo, { smtpUrl: mailbox.url });
  t.teardown(() => survivor.stop());
  await survivor.start();
  await expectStates(mail, ['sent'], 10_000);
  t.equal(mailbox.mails.length, 2);
  const [first, second] = mailbox.mails;
  for (const name of ['message-id', 'date', 'subject']) t.equal(second?.headers[name], first?.headers[name], name);
  t.same(second?.parts, first?.parts);
  await survivor.send(testMail());
  await expectStates(mail, ['sent', 'sent']);
  t.equal(mailbox.mails.length, 3, 'and no third');
});

t.test('kill -9 of the process that wrote the mail, right after the commit: another one sends it', async (t) => {
  const { mailbox, mail } = await setUpMail(t, mongo);
  // Written without a delivery that could be woken.
  await mail.send(testMail());
  const other = buildMail(mongo, { smtpUrl: mailbox.url });
  t.teardown(() => other.stop());
  await other.start();
  await expectStates(mail, ['sent']);
  t.equal(mailbox.mails.length, 1);
});

t.test('only the holder of the latest claim can record a result', async (t) => {
  const { mail } = await setUpMail(t, mongo);
  const store = createMailStore(mongo.db);
  await mail.send(testMail());
  const first = await store.claim(Date.now(), -1);
  t.equal(await store.claim(Date.now(), 1_000), null, 'it is claimed');
  await waitFor('the lease to end', 5_000, async () => (await store.reclaim()) === 1, 5);
  const second = await store.claim(Date.now(), 60_000);
  t.match(second, { fence: 2, attempts: 2 });
  t.equal(await store.reclaim(), 0, 'the new lease has not ended');
  if (first === null || second === null) throw new Error('both claims have a mail');
  t.equal(await store.settle(first, { state: 'failed', error: 'late' }), false);
  t.equal(await store.settle(second, { state: 'sent', error: null }), true);
  t.equal(await store.settle(second, { state: 'failed', error: 'twice' }), false, 'a final mail stays as it is');
  t.match(await mail.stored(), [{ state: 'sent', error: null, lease_until: null }]);
});

t.test('a thousand mails on three control planes: each once, over at most five connections each', async (t) => {
  const { mailbox, mail } = await setUpMail(t, mongo);
  const others = [buildMail(mongo, { smtpUrl: mailbox.url }), buildMail(mongo, { smtpUrl: mailbox.url })];
  t.teardown(() => Promise.all(others.map((other) => other.stop())));
  const mails = Array.from({ length: 1_000 }, (_, index) => testMail({ to: `user${index}@example.com` }));
  await mail.runTransaction(async (tx) => {
    for (const one of mails) await mail.mailer.send(tx, one);
  });
  const startedAt = performance.now();
  for (const plane of [mail, ...others]) await plane.start();
  await mailbox.arrived(1_000, 60_000);
  const tookMs = performance.now() - startedAt;
  t.comment(`1,000 mails in ${tookMs.toFixed(0)} ms, ${mailbox.connectionsPeak()} connections`);
  await waitFor('all to be recorded', 10_000, async () =>
    (await mail.stored()).every(({ state, sealed }) => state === 'sent' && sealed === null),
  );
  t.equal(mailbox.mails.length, 1_000);
  t.equal(new Set(mailbox.mails.map(({ to }) => to[0])).size, 1_000, 'each recipient once');
  t.equal(new Set(mailbox.mails.map(({ headers }) => headers['message-id'])).size, 1_000);
  t.ok(mailbox.connectionsPeak() <= 15, `${mailbox.connectionsPeak()} connections`);
});
