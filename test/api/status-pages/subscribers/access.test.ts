import t from 'tap';
import { startSubscribers, unsubscribeLinkOf } from '../../../helpers/status-pages/subscribers.js';

const all = await startSubscribers(t);
const { app, created, subscribe, subscribed, mailsTo, incident, settled, mailbox, mongo } = all;
const countTo = (address: string) => mailbox.mails.filter(({ to }) => to.includes(address)).length;
const change = (id: string, body: object) => app.request('PATCH', `/v1/status-pages/${id}`, { body });

t.test('a page with a password: only who has entered it subscribes; who subscribed before gets nothing', async (t) => {
  const page = await created({ slug: 'guarded', title: 'Secret Ltd' });
  await subscribed(page, 'before@example.com');
  await change(page.id, { visibility: 'password', password: 'first password' });
  await all.clock.advance(6_000);
  const locked = await subscribe('guarded', 'locked@example.com');
  t.match(locked, { status: 401 });
  t.notMatch(locked.text, 'Secret');
  const unlocked = await all.send('POST', '/status/guarded', {
    body: new URLSearchParams({ password: 'first password' }),
  });
  const cookie = unlocked.headers.get('set-cookie')?.split(';')[0] ?? '';
  await subscribed(page, 'inside@example.com', { headers: { cookie } });
  await all.clock.advance(1_000);
  await incident(page, { title: 'Inside', text: 'x' });
  await mailsTo('inside@example.com', 2);
  await settled();
  t.equal(countTo('before@example.com'), 1, 'has not seen what the page says now');
  t.equal(countTo('locked@example.com'), 0);
  await change(page.id, { password: 'second password' });
  await incident(page, { title: 'New password', text: 'x' });
  await settled();
  t.equal(countTo('inside@example.com'), 2, 'a new password locks all of them out');
  await change(page.id, { visibility: 'public' });
  await incident(page, { title: 'Public again', text: 'x' });
  await mailsTo('inside@example.com', 3);
  await mailsTo('before@example.com', 2);
});

t.test('a page for members: only addresses of members get mails', async (t) => {
  const page = await created({ slug: 'own', title: 'Own' });
  await subscribed(page, app.workspace.email);
  await subscribed(page, 'stranger@example.com');
  await change(page.id, { visibility: 'members' });
  await incident(page, { title: 'For members', text: 'x' });
  await mailsTo(app.workspace.email, 2);
  await settled();
  t.equal(countTo('stranger@example.com'), 1);
});

t.test('nobody can flood an address, a page or the mail server', async (t) => {
  for (let index = 0; index < 7; index++) {
    await created({ slug: `flood-${index}`, title: 'Flood' });
    // Some addresses of one mailbox.
    await subscribe(`flood-${index}`, index % 2 === 0 ? 'victim@example.com' : `victim+${index}@example.com`);
  }
  await settled();
  const toVictim = mailbox.mails.filter(({ to }) => to[0]?.startsWith('victim'));
  t.equal(toVictim.length, 5, 'five questions a day, of all pages together');
  const quotas = mongo.db.collection<{ _id: string; mails: number }>('recipient_quotas');
  const set = (of: RegExp, mails: number) => quotas.updateMany({ _id: of }, { $set: { mails } });
  await set(/^subscription\/page\//, 2_000);
  t.equal((await subscribe('flood-0', 'page@example.com')).status, 200, 'the same answer');
  await settled();
  t.equal(countTo('page@example.com'), 0);
  await set(/^subscription\/page\//, 0);
  await set(/^subscription\/network\//, 40);
  t.match(await subscribe('flood-0', 'network@example.com'), { status: 429, text: /Too many requests/ });
  t.equal(countTo('network@example.com'), 0);
});

t.test('a mailbox that is gone ends the subscription', async (t) => {
  const page = await created({ slug: 'bounce', title: 'Bounce' });
  await mongo.db.collection('recipient_quotas').deleteMany({});
  for (const name of ['dead', 'alive']) await subscribed(page, `${name}@example.com`);
  await all.clock.advance(1_000);
  mailbox.refuse((address) => (address === 'dead@example.com' ? 550 : null));
  await incident(page, { title: 'Bounces', text: 'x' });
  await settled();
  all.clock.stall(61_000);
  const left = () => mongo.db.collection('status_page_subscribers').find({ page_id: page.id }).toArray();
  await all.until('the end of the subscription', async () => (await left()).length === 1);
  t.match(await left(), [{ receiver: 'alive@example.com' }]);
  const removed = await mongo.db.collection('audit_log').find({ action: 'status_page.subscriber_left' }).toArray();
  t.match(removed[0], { metadata: { reason: 'refused' }, resource: { name: 'd…@example.com' } });
});

t.test('mails that wait are not sent to who has unsubscribed, and nothing of them is kept', async (t) => {
  const page = await created({ slug: 'withdrawn', title: 'Withdrawn' });
  await mongo.db.collection('recipient_quotas').deleteMany({});
  const [leaver, stayer] = ['leaver@example.com', 'stayer@example.com'];
  for (const address of [leaver, stayer]) await subscribed(page, address);
  await all.clock.advance(1_000);
  mailbox.refuse(() => 450);
  await incident(page, { title: 'Waits', text: 'x' });
  const mails = mongo.db.collection<{ to: string }>('mails');
  const updatesTo = (to: string) => mails.countDocuments({ to, kind: 'status_update' });
  await all.until('the mails to be deferred', async () => {
    const deferred = { kind: 'status_update', state: 'pending', attempts: { $gt: 0 }, to: { $in: [leaver, stayer] } };
    return (await mails.countDocuments(deferred)) === 2;
  });
  const asked = mailbox.mails.find(({ to }) => to.includes(leaver));
  t.equal((await all.oneClick(unsubscribeLinkOf(asked))).status, 200);
  t.equal(await updatesTo(leaver), 0);
  mailbox.refuse(() => null);
  all.clock.stall(61_000);
  await all.mailsTo(stayer, 2);
  t.equal(countTo(leaver), 1, 'the question only');
});
