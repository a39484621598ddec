import t from 'tap';
import type { MailOutcome } from '../../../control-plane/mail/outcome.js';
import { failedMail, sentMail } from '../../../control-plane/mail/outcome.js';
import { afterAttempt } from '../../../control-plane/mail/retry.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BUSY: MailOutcome = { kind: 'retry', error: '450 later', responseStatus: 450, cause: 'mail' };
const DOWN: MailOutcome = { kind: 'retry', error: 'ECONNREFUSED', responseStatus: null, cause: 'server' };

const mail = (validForMs: number, attempts = 1) => ({ attempts, created_at_ms: 0, expires_at_ms: validForMs });

t.test('a final mail has no content, and is removed after 30 days', (t) => {
  const outcomes: [MailOutcome, string][] = [
    [{ kind: 'sent', responseStatus: 250, warning: null }, 'sent'],
    [{ kind: 'refused', error: '550 no', responseStatus: 550 }, 'failed'],
    [BUSY, 'failed'],
  ];
  for (const [outcome, state] of outcomes) {
    const settled = afterAttempt(outcome, mail(1), 1_000, 0.5);
    t.match(settled, { state, sealed: null, finished_ms: 1_000 });
    t.equal(settled.remove_at?.getTime(), 1_000 + 30 * 24 * HOUR_MS);
  }
  t.end();
});

t.test('the longest backoff depends on how long the mail is valid', (t) => {
  const pause = (validForMs: number) =>
    (afterAttempt(BUSY, mail(validForMs, 20), 0, 0.5).next_attempt_ms ?? 0) / MINUTE_MS;
  t.equal(pause(5 * MINUTE_MS), 1);
  t.equal(pause(30 * MINUTE_MS), 2);
  t.equal(pause(4 * HOUR_MS), 16);
  t.equal(pause(7 * 24 * HOUR_MS), 30);
  t.match(afterAttempt(DOWN, mail(HOUR_MS), 0, 0.5), { state: 'pending', waiting: 'server', error: 'ECONNREFUSED' });
  t.match(afterAttempt(BUSY, mail(HOUR_MS), 0, 0.5), { state: 'pending', waiting: 'backoff', response_status: 450 });
  t.end();
});

t.test(
  'the error of a mail server tells whether it is about the server, the mail for now, or the mail for good',
  (t) => {
    const running = new AbortController().signal;
    const outcome = (code: string, command: string, responseCode?: number) => {
      const error = Object.assign(new Error('no'), {
        code,
        command,
        ...(responseCode === undefined ? {} : { responseCode }),
      });
      const { kind, ...rest } = failedMail(error, running, []);
      return 'cause' in rest ? `${kind} ${rest.cause}` : kind;
    };
    const table: [string, string, number | undefined, string][] = [
      ['EENVELOPE', 'RCPT TO', 550, 'refused'],
      ['EENVELOPE', 'RCPT TO', 450, 'retry mail'],
      ['EENVELOPE', 'RCPT TO', 421, 'retry server'],
      ['EMESSAGE', 'DATA', 554, 'refused'],
      ['EMESSAGE', 'DATA', 452, 'retry mail'],
      // nodemailer refused the address itself.
      ['EENVELOPE', 'API', undefined, 'refused'],
      // The sender is a setting of the operator.
      ['EENVELOPE', 'MAIL FROM', 550, 'retry server'],
      ['EAUTH', 'AUTH PLAIN', 535, 'retry server'],
      ['ECONNECTION', 'CONN', undefined, 'retry server'],
      ['ETIMEDOUT', 'CONN', undefined, 'retry server'],
      ['EPROTOCOL', 'CONN', 554, 'retry server'],
    ];
    for (const [code, command, status, expected] of table)
      t.equal(outcome(code, command, status), expected, `${code} ${command} ${status}`);
    t.match(failedMail(new Error('x'), AbortSignal.abort(), []), { kind: 'retry', error: /timeout/, cause: 'server' });
    t.match(failedMail('odd', running, []), { kind: 'retry', error: 'odd' });
    t.same(sentMail({ response: '250 OK', rejected: ['a@b.c'] }), {
      kind: 'sent',
      responseStatus: 250,
      warning: 'refused for a@b.c',
    });
    t.end();
  },
);

t.test('only what says that there is no such mailbox ends a subscription', (t) => {
  const running = new AbortController().signal;
  const isOfAddress = (text: string) => {
    const error = Object.assign(new Error(text), { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 });
    const outcome = failedMail(error, running, []);
    return outcome.kind === 'refused' && outcome.ofAddress === true;
  };
  const gone = ['550 5.1.1 User unknown', '550-5.1.2 no such domain', '553 5.1.3 bad address', '550 5.1.6 moved'];
  for (const text of [...gone, '556 5.1.10 no mail is taken']) t.ok(isOfAddress(text), text);
  const others = ['552 5.2.2 mailbox full', '554 5.7.1 relay access denied', '550 blocked', '550 5.1.8 bad sender'];
  for (const text of [...others, '550 5.5.0 try 15.1.1.2', '550 5.7.1 5.1.1.9 is blocked'])
    t.notOk(isOfAddress(text), text);
  t.end();
});
