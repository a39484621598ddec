import t from 'tap';
import { MAILS_PER_HOUR_OF_ONE_MAX } from '../../../control-plane/mail/recipient-limit.js';
import {
  ADDRESS_CHANGES_PER_PERSON_PER_DAY_MAX,
  ADDRESS_CHANGES_UNCONFIRMED_PER_DAY_MAX,
} from '../../../control-plane/recipients/limits.js';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { personAt } from '../../helpers/people/person.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const PASSWORD = 'correct horse battery staple';

const [mongo, mailbox] = [await testDatabase(), await startMailbox()];
const plane = await startControlPlane(mongo.uri, {
  PICKET_SMTP_URL: mailbox.url,
  PICKET_PUBLIC_URL: 'https://picket.test',
  PICKET_TRUSTED_PROXIES: '127.0.0.1',
});
t.teardown(async () => {
  await plane.remove();
  await Promise.all([mailbox.close(), mongo.drop()]);
});

const from = (host: number) => ({ 'x-forwarded-for': `198.51.100.${host}`, origin: 'https://picket.test' });
const mailsTo = (start: string) => mailbox.mails.filter(({ to: [first] }) => first?.startsWith(start));

async function signUp(email: string, host: number) {
  const person = personAt(plane.url);
  const body = { email, password: PASSWORD, workspace_name: 'W' };
  return { person, answer: await person.send('POST', '/v1/auth/signup', body, from(host)) };
}

t.test('sign-ups of a stranger leave a place for the owner of the mailbox, and say what was not sent', async (t) => {
  const warned: boolean[] = [];
  for (let spelling = 0; spelling < 10; spelling += 1) {
    const { answer } = await signUp(`victim+${spelling}@example.com`, 1);
    t.equal(answer.status, 201);
    warned.push(Object(answer.body).warnings !== undefined);
  }
  t.equal(warned.filter((one) => !one).length, MAILS_PER_HOUR_OF_ONE_MAX);
  const { person, answer } = await signUp('victim@example.com', 2);
  t.equal(Object(answer.body).warnings, undefined);
  await waitFor('the e-mail to the owner', 60_000, () => mailsTo('victim@').length === 1);
  await waitFor('those to the spellings', 60_000, () => mailsTo('victim+').length === MAILS_PER_HOUR_OF_ONE_MAX);
  const resend = (host: number) => person.send('POST', '/v1/auth/email/confirm/resend', {}, from(host));
  t.equal((await resend(1)).status, 429, 'nothing was sent, and the answer says so');
  t.equal((await resend(2)).status, 202);
});

t.test('the networks of one IPv6 site share a place', async (t) => {
  let sent = 0;
  for (let network = 0; network < 10; network += 1) {
    const body = { email: `site+${network}@example.com`, password: PASSWORD, workspace_name: 'W' };
    const headers = { ...from(1), 'x-forwarded-for': `2001:db8:7:${network}::1` };
    const answer = await personAt(plane.url).send('POST', '/v1/auth/signup', body, headers);
    t.equal(answer.status, 201);
    if (Object(answer.body).warnings === undefined) sent += 1;
  }
  t.equal(sent, MAILS_PER_HOUR_OF_ONE_MAX);
});

t.test('an account whose address nobody has confirmed mails few strangers, a confirmed one not many', async (t) => {
  const { person } = await signUp('attacker@example.com', 3);
  let host = 10;
  const change = async (email: string) => {
    host += 1;
    return (await person.send('POST', '/v1/auth/email', { email, password: PASSWORD }, from(host))).status;
  };
  const changes = async (count: number, prefix: string) => {
    const statuses: number[] = [];
    for (let index = 0; index < count; index += 1) statuses.push(await change(`${prefix}-${index}@example.net`));
    return statuses.filter((status) => status === 202).length;
  };
  t.equal(await changes(6, 'early'), ADDRESS_CHANGES_UNCONFIRMED_PER_DAY_MAX);
  await mongo.db
    .collection('users')
    .updateOne({ email: 'attacker@example.com' }, { $set: { email_confirmed_at_ms: 1 } });
  // Those that were refused are not counted.
  const left = ADDRESS_CHANGES_PER_PERSON_PER_DAY_MAX - ADDRESS_CHANGES_UNCONFIRMED_PER_DAY_MAX;
  t.equal(await changes(left + 3, 'late'), left);
});
