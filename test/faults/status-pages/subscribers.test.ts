import t from 'tap';
import type {
  BroadcastDocument,
  SubscriberDocument,
  WatchDocument,
} from '../../../control-plane/status-pages/subscribers/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const PATH = '/v1/status-pages';
const SUBSCRIBERS = 1_000;
/** A process that is killed in a transaction leaves its locks to the database for a minute. */
const CONTINUED_MS_MAX = 180_000;

t.test('kill -9 while subscribers are notified: each gets the update once', async (t) => {
  const mongo = await testDatabase();
  const mailbox = await startMailbox();
  let plane = await startControlPlane(mongo.uri, { PICKET_SMTP_URL: mailbox.url });
  const installation = { ...plane.env };
  t.teardown(async () => {
    await plane.remove();
    await mailbox.close();
    await mongo.drop();
  });
  const page = (await plane.api('POST', PATH, { slug: 'kills', title: 'Kills' })).body.data;
  const workspace_id = (await plane.api('GET', '/v1/auth/me')).body.data.workspace.id;
  const subscribers = mongo.db.collection<SubscriberDocument>('status_page_subscribers');
  const broadcasts = mongo.db.collection<BroadcastDocument>('status_page_broadcasts');
  const watches = mongo.db.collection<WatchDocument>('status_page_watches');
  const nowMs = Date.now() - 60_000;
  await subscribers.insertMany(
    Array.from(
      { length: SUBSCRIBERS },
      (_, index): SubscriberDocument => ({
        _id: `sub_${String(index).padStart(26, '0')}`,
        ...{ workspace_id, page_id: page.id, type: 'email', receiver: `reader-${index}@example.com` },
        ...{ state: 'confirmed', language: 'en', component_ids: null, access: 'public', question: null, sealed: null },
        ...{ created_by: null, created_at_ms: nowMs, confirmed_at_ms: nowMs, version: 1 },
      }),
    ),
  );
  await watches.insertOne({
    _id: page.id,
    ...{ workspace_id, created_at_ms: nowMs, next_at_ms: 0, confirmed: 1, primed: false, active: [] },
    ...{ sending_since_ms: null, served_at_ms: 0 },
  });
  await plane.api('POST', `${PATH}/${page.id}/incidents`, { title: 'Killed', text: 'x' });
  let kills = 0;
  for (const written of [100, 400]) {
    await waitFor('some batches', 120_000, async () => ((await broadcasts.findOne())?.written ?? 0) >= written, 1);
    if ((await broadcasts.findOne())?.open === true) kills += 1;
    await plane.kill();
    plane = await startControlPlane(mongo.uri, installation);
  }
  t.ok(kills > 0, `killed ${kills} times in the middle`);
  const mails = mongo.db.collection('mails');
  const ofUpdate = { kind: 'status_update' };
  await waitFor('all mails', CONTINUED_MS_MAX, async () => {
    return (await mails.countDocuments({ ...ofUpdate, state: 'sent' })) === SUBSCRIBERS;
  });
  t.equal(await mails.countDocuments(ofUpdate), SUBSCRIBERS);
  t.equal(await broadcasts.countDocuments({ open: true }), 0);
  t.equal((await broadcasts.findOne())?.written, SUBSCRIBERS);
  const updates = mailbox.mails.filter(({ raw }) => raw.includes('Killed'));
  // A mail in progress at a kill comes again, with the same Message-ID.
  const ids = new Map(updates.map(({ headers, to }) => [headers['message-id'], to[0]]));
  t.equal(ids.size, SUBSCRIBERS);
  t.equal(new Set(ids.values()).size, SUBSCRIBERS);
});
