import t from 'tap';
import { confirmLinkOf, startSubscribers, unsubscribeLinkOf } from '../../../helpers/status-pages/subscribers.js';

const all = await startSubscribers(t);
const { mailbox, mongo, created, subscribe, subscribed, mailsTo, press, get, oneClick, incident, settled } = all;
const countTo = (address: string) => mailbox.mails.filter(({ to }) => to.includes(address)).length;
const stored = () => mongo.db.collection('status_page_subscribers').find().toArray();

t.test('subscribe, confirm, get an update, unsubscribe by one click', async (t) => {
  const page = await created({ slug: 'way', title: 'Example Ltd' });
  const html = await all.html('way');
  t.match(html, '<form method="post" action="way/subscribe">');
  t.notMatch(html, /<script/);
  const address = 'Reader@Example.com';
  const lower = address.toLowerCase();
  const answer = await subscribe('way', address);
  t.match(answer, { status: 200, text: /Check your inbox/ });
  t.equal(answer.headers.get('set-cookie'), null);
  const [question] = await mailsTo(lower);
  t.equal(question?.headers['subject'], 'Confirm your subscription to Example Ltd');
  t.match(await get(confirmLinkOf(question)), { status: 200, text: /Confirm your subscription/ });
  t.match(await stored(), [{ state: 'unconfirmed' }], 'opening the link confirms nothing');
  await incident(page, { title: 'Before', text: 'Nobody gets this.' });
  await settled();
  t.equal(countTo(lower), 1, 'an address that has not confirmed gets nothing but the question');

  await all.clock.advance(1_000);
  t.match(await press(confirmLinkOf(question)), { status: 200, text: /You are subscribed/ });
  t.match(await press(confirmLinkOf(question)), { status: 200 }, 'twice is the same');
  t.match(await stored(), [{ state: 'confirmed', receiver: lower }]);
  await all.clock.advance(1_000);
  const text = 'The provider restarts.\n\nSee https://provider.example.net/ for more.';
  const id = await incident(page, { title: 'Payments <fail>', text });
  const [, update] = await mailsTo(lower, 2);
  t.equal(update?.headers['subject'], '[Example Ltd] Investigating: Payments <fail>');
  t.match(update?.parts['text/plain'], /The provider restarts\./);
  t.notMatch(update?.parts['text/plain'], /https:\/\/provider/, 'mail clients make no link of what people write');
  t.notMatch(update?.raw, /Before/, 'what was said before is no news');
  t.equal(update?.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  t.match(update?.parts['text/plain'], 'http://picket.test/status/way');
  for (const state of ['identified', 'resolved']) {
    await all.app.request('POST', `/v1/status-pages/${page.id}/incidents/${id}/updates`, {
      body: { state, text: state },
    });
  }
  await settled();
  const mails = await mailsTo(lower, 4);
  const subjects = mails.map(({ headers }) => headers['subject']?.replace('[Example Ltd] ', ''));
  t.same(subjects.slice(2).sort(), ['Identified: Payments <fail>', 'Resolved: Payments <fail>'], 'each once');

  const link = unsubscribeLinkOf(update);
  t.match(await get(link), { status: 200, text: /Unsubscribe\?/ });
  t.equal((await stored()).length, 1, 'opening the link ends nothing');
  t.match(await oneClick(link), { status: 200, text: /You are unsubscribed/ });
  t.same(await stored(), [], 'nothing is kept of the address');
  t.match(await oneClick(link), { status: 200 }, 'and the link stays usable');
  await incident(page, { title: 'After', text: 'Nobody gets this.' });
  await settled();
  t.equal(countTo(lower), 4);
  const actions = (await all.actions()).filter((action) => action.includes('subscriber'));
  t.same(actions, ['status_page.subscriber_confirmed', 'status_page.subscriber_left']);
  t.notMatch(JSON.stringify(await mongo.db.collection('audit_log').find().toArray()), lower);
});

t.test('the answer says nothing of the address, and an open question is not asked again', async (t) => {
  await created({ slug: 'silent', title: 'Silent' });
  const first = await subscribe('silent', 'again@example.com');
  await mailsTo('again@example.com');
  const second = await subscribe('silent', 'AGAIN@example.com');
  await settled();
  t.equal(countTo('again@example.com'), 1);
  await press(confirmLinkOf((await mailsTo('again@example.com'))[0]));
  const third = await subscribe('silent', 'again@example.com');
  await settled();
  t.equal(countTo('again@example.com'), 1, 'nor a subscriber');
  for (const { status, text } of [second, third]) t.same({ status, text }, { status: first.status, text: first.text });
  t.match(await subscribe('silent', 'not an address'), { status: 422, text: /valid e-mail address/ });
  t.match(await subscribe('nothing-here', 'x@example.com'), { status: 404 });
  all.clock.stall(49 * 3_600_000);
  await mongo.db.collection('status_page_subscribers').deleteMany({});
  t.match(await get(confirmLinkOf((await mailsTo('again@example.com'))[0])), { status: 404, text: /does not work/ });
});

t.test('in the language of the visitor, about the systems that they chose', async (t) => {
  const monitors = await Promise.all([all.addMonitor(), all.addMonitor()]);
  const components = monitors.map(({ _id }, index) => ({ name: `Part ${index}`, monitor_id: _id }));
  const page = await created({ slug: 'parts', title: 'Parts', groups: [{ components }] });
  const [first, second] = page.groups[0]?.components ?? [];
  t.match(await get('http://picket.test/status/parts/subscribe', 'de'), { text: /Nur zu diesen Systemen/ });
  await subscribed(page, 'one@example.com', { language: 'de', components: [first?.id ?? '', 'cmp_unknown'] });
  await subscribed(page, 'all@example.com', { language: 'fr' });
  await all.clock.advance(1_000);
  await incident(page, { title: 'Second', text: 'x', component_ids: [second?.id] });
  await incident(page, { title: 'First', text: 'x', component_ids: [first?.id] });
  await incident(page, { title: 'Whole', text: 'x' });
  await settled();
  const subjects = async (address: string, count: number) =>
    (await mailsTo(address, count)).map(({ headers }) => headers['subject']).sort();
  t.match((await mailsTo('one@example.com'))[0]?.parts['text/plain'], /^Bestätigen Sie Ihr Abonnement von Parts/);
  t.same((await subjects('one@example.com', 3)).slice(1), [
    '[Parts] Wird untersucht: First',
    '[Parts] Wird untersucht: Whole',
  ]);
  const french = await mailsTo('all@example.com', 4);
  t.equal(french.length, 4);
  t.match(french.at(-1)?.parts['text/html'], '<html lang="fr"');
  t.match(french.at(-1)?.parts['text/plain'], /Se désabonner: http/);
});
