import type { Test } from 'tap';
import type { MailState } from '../../../control-plane/mail/documents.js';
import type { MailNeeds } from '../../../control-plane/mail/open.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import type { Clock } from '../../../kernel/clock.js';
import { quickClock } from '../clock.js';
import { startMailbox } from '../machine/mailbox.js';
import { waitFor } from '../wait.js';
import { buildMail, type TestMail } from './build.js';

/** Returns a mail server and a control plane that delivers to it, which is started unless `stopped`. */
export async function setUpMail(t: Pick<Test, 'teardown'>, mongo: Mongo, options: Partial<MailNeeds> = {}) {
  const mailbox = await startMailbox();
  const mail = buildMail(mongo, { smtpUrl: mailbox.url, ...options });
  t.teardown(async () => {
    await mail.stop();
    await mailbox.close();
    // The next test must not claim mails of this test.
    await mongo.db.collection('mails').deleteMany({});
  });
  return { mailbox, mail };
}

/** Waits until the stored mails have these states, in the order in which they were sent. */
export function expectStates(mail: TestMail, expected: MailState[], timeoutMs = 20_000) {
  return waitFor(
    `the states ${expected.join(', ')}`,
    timeoutMs,
    async () => {
      const found = (await mail.stored()).map(({ state }) => state);
      if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(JSON.stringify(found));
      return true;
    },
    10,
  );
}

/** A clock with quick timers whose time the test can set forward. */
export function shiftedClock(): Clock & { shift(ms: number): void } {
  let shiftMs = 0;
  return {
    ...quickClock(20),
    now: () => Date.now() + shiftMs,
    shift(ms) {
      shiftMs += ms;
    },
  };
}
