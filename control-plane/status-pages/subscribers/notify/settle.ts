import { platformActor } from '../../../actor.js';
import { endSubscription } from '../end-subscription.js';
import type { NotifyNeeds } from './needs.js';

const ROWS_MAX = 500;
const RETRY_MS = 60_000;

/** Ends the subscriptions of addresses that the mail server has refused for good, such as those of mailboxes that are gone. */
export async function settleMails(needs: NotifyNeeds): Promise<void> {
  const { subscribers, tracked, clock, runTransaction } = needs;
  const rows = await subscribers.unsettled(clock.now(), ROWS_MAX);
  if (rows.length === 0) return;
  const progress = await tracked.progress(rows.flatMap(({ unsettled }) => unsettled?.mail_id ?? []));
  const of = (row: (typeof rows)[number]) => progress.get(row.unsettled?.mail_id ?? '');
  const waiting = rows.filter((row) => of(row)?.state === 'waiting').map(({ _id }) => _id);
  const refused = rows.filter((row) => of(row)?.refused === true);
  const ended = new Set([...waiting, ...refused.map(({ _id }) => _id)]);
  await subscribers.checkLater(waiting, clock.now() + RETRY_MS);
  for (const subscriber of refused) {
    await runTransaction(async (tx) => {
      await endSubscription(needs, tx, platformActor(subscriber.workspace_id), { subscriber, why: 'refused' });
    });
  }
  await subscribers.settled(rows.filter(({ _id }) => !ended.has(_id)).map(({ _id }) => _id));
}
