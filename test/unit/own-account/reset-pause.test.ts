import t from 'tap';
import { nextResetMail, resetLinkMs } from '../../../control-plane/own-account/password-reset/reset-pause.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Asks every minute for as long, and returns the minutes at which a mail was sent. */
function mailsAt(isKnown: boolean, lastMinute: number): number[] {
  const sent: number[] = [];
  let mails: Parameters<typeof nextResetMail>[0] = { latestMs: null, unused: 0 };
  for (let minute = 0; minute <= lastMinute; minute++) {
    const nowMs = minute * MINUTE_MS;
    const unused = nextResetMail(mails, isKnown, nowMs);
    if (unused === null) continue;
    sent.push(minute);
    mails = { latestMs: nowMs, unused };
  }
  return sent;
}

t.test('somebody who asks all the time causes fewer and fewer mails', async (t) => {
  t.same(mailsAt(false, 1_440), [0, 5, 15, 35, 75, 155, 315, 555, 795, 1_035, 1_275]);
  t.equal(mailsAt(false, 10 * 1_440).filter((minute) => minute > 9 * 1_440).length, 6, 'six on each further day');
});

t.test('a known device waits for five minutes, however many mails strangers caused', async (t) => {
  t.same(mailsAt(true, 20), [0, 5, 10, 15, 20]);
  const byStrangers = { latestMs: 0, unused: 100 };
  t.equal(nextResetMail(byStrangers, true, 5 * MINUTE_MS), 101);
  t.equal(nextResetMail(byStrangers, true, 5 * MINUTE_MS - 1), null);
  t.equal(nextResetMail(byStrangers, false, 240 * MINUTE_MS - 1), null);
});

t.test('a day without a mail, and a mail that was used, begin again', async (t) => {
  t.equal(nextResetMail({ latestMs: 0, unused: 100 }, false, DAY_MS), 1);
  t.equal(nextResetMail({ latestMs: 0, unused: 0 }, false, 5 * MINUTE_MS), 1);
});

t.test('at any minute, the link of the latest mail works, or another mail can be sent', async (t) => {
  let mails: Parameters<typeof nextResetMail>[0] = { latestMs: null, unused: 0 };
  let endsMs = 0;
  for (let nowMs = 0; nowMs <= 2 * DAY_MS; nowMs += MINUTE_MS) {
    const unused = nextResetMail(mails, false, nowMs);
    if (unused !== null) {
      mails = { latestMs: nowMs, unused };
      endsMs = nowMs + resetLinkMs(unused);
    }
    if (endsMs <= nowMs) t.fail(`minute ${nowMs / MINUTE_MS}: no link works`);
  }
  t.same([resetLinkMs(1), resetLinkMs(3), resetLinkMs(100)], [30 * MINUTE_MS, 30 * MINUTE_MS, 240 * MINUTE_MS]);
});
