import t from 'tap';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { startReplicaSet } from '../../helpers/machine/replica-set.js';
import { linkIn, mailTo } from '../../helpers/people/mail.js';
import { personAt } from '../../helpers/people/person.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { wrongClock } from '../../helpers/processes/wrong-clock.js';

const TEN_MINUTES_MS = 600_000;
const PASSWORD = 'gravel onion tuesday lamp';

t.test('control planes whose clocks are ten minutes apart agree about confirmations, pauses and tokens', async (t) => {
  const set = await startReplicaSet(1);
  const mailbox = await startMailbox();
  const first = await startControlPlane(set.uri('picket'), { PICKET_SMTP_URL: mailbox.url });
  const shared = { PICKET_SMTP_URL: mailbox.url, PICKET_DATA_DIR: first.dataDir };
  const others = await Promise.all(
    [TEN_MINUTES_MS, -TEN_MINUTES_MS].map((offsetMs) =>
      startControlPlane(set.uri('picket'), { ...shared, ...wrongClock(offsetMs) }),
    ),
  );
  t.teardown(async () => {
    await Promise.all(others.map((plane) => plane.stop()));
    await first.remove();
    await mailbox.close();
    await set.remove();
  });
  const [ahead, behind] = others;
  if (ahead === undefined || behind === undefined) throw new Error('not enough control planes');
  const planes = { first, ahead, behind };

  for (const [name, plane] of Object.entries(planes)) {
    const email = `${name}@example.com`;
    const person = personAt(plane.url);
    const signedUp = await person.send('POST', '/v1/auth/signup', { email, password: PASSWORD, workspace_name: name });
    t.equal(signedUp.status, 201);
    const { token } = linkIn(await mailTo(mailbox, email, /^Confirm/));
    t.equal((await person.send('POST', '/v1/auth/email/confirm', { token })).status, 204);
    const session = person.cookie('picket_session') ?? '';
    for (const [elsewhere, { url }] of Object.entries(planes)) {
      const there = personAt(url);
      there.keep('picket_session', session);
      const { status } = await there.send('POST', '/v1/api-keys', { name: elsewhere });
      t.equal(status, 201, `logged in at ${name} a moment ago counts at ${elsewhere}`);
    }
    // At most one e-mail in five minutes, whichever control plane is asked; the response is always the same.
    for (const { url } of [plane, first, ahead, behind]) {
      const { status } = await personAt(url).send('POST', '/v1/auth/password/forgot', { email });
      t.equal(status, 202);
    }
    const mail = await mailTo(mailbox, email, /^Reset your password/);
    const sentMs = Date.parse(mail.headers['date'] ?? '');
    t.ok(Math.abs(sentMs - Date.now()) < 60_000, `the date of the mail is right: ${mail.headers['date']}`);
  }
  const mails = mailbox.mails.filter(({ headers }) => /^Reset your password/.test(headers['subject'] ?? ''));
  t.equal(mails.length, 3, 'one mail for each person');
});
