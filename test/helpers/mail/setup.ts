import type { Test } from 'tap';
import type { MailState } from '../../../control-plane/mail/documents.js';
import type { MailNeeds } from '../../../control-plane/mail/open.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import type { Clock } from '../../../kernel/clock.js';
import { quickClock, type TestClock } from '../clock.js';
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

/**
 * Waits until `count` mails are stored and all are sent. The clock moves from poll to poll, but slowly, so that no claim
 * becomes too old on a slow machine.
 */
export async function sentAfterPolls(mail: TestMail, clock: TestClock, count: number): Promise<void> {
  await waitFor(`${count} mails to be sent`, 60_000, async () => {
    await clock.advance(200);
    const found = await mail.stored();
    return found.length === count && found.every(({ state }) => state === 'sent');
  });
}

/** A clock with quick timers, whose wall time stands still until the test sets it forward. */
export function shiftedClock(): Clock & { shift(ms: number): void } {
  let nowMs = Date.now();
  return {
    ...quickClock(20),
    now: () => nowMs,
    shift(ms) {
      nowMs += ms;
    },
  };
}
