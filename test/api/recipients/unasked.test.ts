import t from 'tap';
import { QUESTIONS_PER_ADDRESS_PER_DAY_MAX } from '../../../control-plane/recipients/limits.js';
import { testDatabase } from '../../helpers/database.js';
import { startRecipients } from '../../helpers/recipients/app.js';
import { WORKING } from '../../helpers/standing.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const DAY_MS = 86_400_000;

/** Starts an app in which the owner has not confirmed their address yet. */
async function startUnconfirmed(t: Parameters<typeof startRecipients>[0]) {
  let onlyTo: string | null = 'owner@example.com';
  const started = await startRecipients(t, mongo, { standingOf: async () => ({ ...WORKING, onlyTo }) });
  return {
    ...started,
    confirmOwner() {
      onlyTo = null;
    },
  };
}

t.test('any change of a channel asks its addresses that nobody has asked', async (t) => {
  const { app, channel, mailsTo, mailbox, confirmOwner, later } = await startUnconfirmed(t);
  const change = (id: string, body: object) => app.request('PATCH', `/v1/channels/${id}`, { body });
  const first = await channel(['renamed@example.com']);
  const second = await channel(['saved@example.com'], { name: 'Saved' });
  t.equal(mailbox.mails.length, 0);
  confirmOwner();
  t.equal((await change(first.id, { name: 'Renamed' })).status, 200);
  await mailsTo('renamed@example.com');
  t.equal((await change(second.id, { name: 'Saved' })).status, 200, 'also one that changes nothing');
  await mailsTo('saved@example.com');
  later(8 * DAY_MS);
  await change(first.id, { name: 'Renamed again' });
  await channel(['after@example.com'], { name: 'After' });
  await mailsTo('after@example.com');
  t.equal((await mailsTo('renamed@example.com')).length, 1, 'who has not answered is not asked by any change');
});

t.test('a notification asks the addresses that nobody has asked, once and within the limits', async (t) => {
  const { app, channel, mailsTo, mailbox, notify, confirmOwner } = await startUnconfirmed(t);
  const spellings = Array.from(
    { length: QUESTIONS_PER_ADDRESS_PER_DAY_MAX + 1 },
    (_, index) => `g.h+${index}@gmail.com`,
  );
  await channel([app.workspace.email, 'late@example.com', ...spellings]);
  confirmOwner();
  const unconfirmed = ['late@example.com', ...spellings].join(', ');
  t.match(await notify(), [{ status: 'sent', error: `not confirmed: ${unconfirmed}` }]);
  const [question] = await mailsTo('late@example.com');
  t.ok(question?.parts['text/plain']?.includes('The workspace'), 'in the name of the workspace');
  await notify();
  await channel(['after@example.com'], { name: 'After' });
  await mailsTo('after@example.com');
  const asked = (address: RegExp) => mailbox.mails.filter(({ to: [first] }) => address.test(first ?? '')).length;
  t.equal(asked(/^late@/), 1);
  t.equal(asked(/gmail/), QUESTIONS_PER_ADDRESS_PER_DAY_MAX);
  const entries = await mongo.db.collection('audit_log').find({ 'resource.id': 'late@example.com' }).toArray();
  t.match(entries, [{ action: 'recipient.asked', actor: { email: 'system' } }]);
});

t.test('a channel with many spellings of one mailbox asks some of them, and is saved', async (t) => {
  const { app, create, channel, mailsTo, mailbox } = await startRecipients(t, mongo);
  const spellings = Array.from({ length: 4 }, (_, index) => `tagged+${index}@example.com`);
  const created = await create(spellings);
  t.match(created, { status: 201, body: { data: { unconfirmed: spellings } } });
  const { id } = await channel([app.workspace.email], { name: 'Changed' });
  const others = spellings.map((address) => address.replace('tagged', 'patched'));
  const changed = await app.request('PATCH', `/v1/channels/${id}`, { body: { config: { to: others } } });
  t.match(changed, { status: 200, body: { data: { unconfirmed: others } } });
  for (const to of [spellings, others]) {
    const mails = await Promise.all(to.slice(0, QUESTIONS_PER_ADDRESS_PER_DAY_MAX).map((address) => mailsTo(address)));
    t.equal(mails.length, QUESTIONS_PER_ADDRESS_PER_DAY_MAX);
    t.notOk(mailbox.mails.some((mail) => mail.to.includes(to.at(-1) ?? '')));
  }
});
