import { canonicalEmail } from '../../../http/input/email-address.js';
import { idOfKey } from '../../../storage/ids.js';
import type { Transaction } from '../../../storage/transaction.js';
import type { StatusPageDocument } from '../../documents.js';
import { mayNotify } from '../access.js';
import type { BroadcastDocument, SubscriberDocument, WatchDocument } from '../documents.js';
import { NEWS_MS } from '../limits.js';
import { deliveryOf } from '../webhooks/payload.js';
import { componentsOfEvent } from './events.js';
import { updateMail } from './mails.js';
import type { NotifyNeeds } from './needs.js';
import type { PageEvent } from './page-event.js';

/** Written in one transaction: a kill loses the work of one batch at most, and none of it is done twice. */
const BATCH_SUBSCRIBERS = 100;
/** When it is looked up what became of a mail. */
const CHECK_AFTER_MS = 60_000;

/**
 * Writes the mails and webhooks of the oldest event of a page to the next subscribers. The cursor moves in the same transaction, and
 * the id of each mail is that of event and subscriber, so that each subscriber gets each event once, whatever is killed.
 */
export async function sendBatch(needs: NotifyNeeds, watch: WatchDocument): Promise<void> {
  const { _id: pageId, workspace_id: workspaceId } = watch;
  const broadcast = await needs.broadcasts.oldestOpen(workspaceId, pageId);
  const page = await needs.store.find(workspaceId, pageId);
  const event = broadcast?.event ?? null;
  const isNews = broadcast !== null && broadcast.at_ms > needs.clock.now() - NEWS_MS;
  const isServed = page !== null && !(await needs.isStopped(workspaceId));
  if (broadcast === null || event === null || !isNews || !isServed) return endSending(needs, watch, broadcast);
  const batch = await needs.subscribers.batch(workspaceId, pageId, broadcast.cursor, BATCH_SUBSCRIBERS);
  const members = page.visibility === 'members' ? await membersAmong(needs, workspaceId, batch) : new Set<string>();
  const chosen = batch.filter(
    (one) =>
      (one.confirmed_at_ms ?? Number.POSITIVE_INFINITY) <= broadcast.at_ms &&
      wants(one, event) &&
      mayNotify(page, one, members),
  );
  const isEnd = batch.length < BATCH_SUBSCRIBERS;
  await needs.runTransaction(async (tx) => {
    const cursor = batch.at(-1)?._id ?? broadcast.cursor;
    if (!(await needs.broadcasts.advance(tx, broadcast, { cursor, written: chosen.length, isEnd }))) return;
    // Read again: whoever has unsubscribed since then gets nothing.
    const still = await needs.subscribers.existing(tx, workspaceId, chosen);
    await write(needs, tx, { page, broadcast, event, chosen: chosen.filter(({ _id }) => still.has(_id)) });
    await needs.watches.served(tx, watch, needs.clock.now());
    if (isEnd && !(await needs.broadcasts.hasOpen(tx, workspaceId, pageId))) await needs.watches.sent(tx, watch);
  });
}

/** Ends a broadcast of a page that is not served, or too old to be news; without any, nothing of the page waits. */
async function endSending(
  { broadcasts, watches, runTransaction }: NotifyNeeds,
  watch: WatchDocument,
  broadcast: BroadcastDocument | null,
): Promise<void> {
  await runTransaction(async (tx) => {
    if (broadcast !== null)
      await broadcasts.advance(tx, broadcast, { cursor: broadcast.cursor, written: 0, isEnd: true });
    if (!(await broadcasts.hasOpen(tx, watch.workspace_id, watch._id))) await watches.sent(tx, watch);
  });
}

/** An event without components is about the whole page. */
function wants({ component_ids }: SubscriberDocument, event: PageEvent): boolean {
  const about = componentsOfEvent(event);
  return component_ids === null || about.length === 0 || about.some((id) => component_ids.includes(id));
}

async function membersAmong({ recipients }: NotifyNeeds, workspaceId: string, batch: readonly SubscriberDocument[]) {
  const addresses = batch.flatMap(({ type, receiver }) => (type === 'email' ? [receiver] : []));
  const { members, viewers } = await recipients.sort(workspaceId, addresses);
  return new Set([...members, ...viewers].map(canonicalEmail));
}

interface Writing {
  page: StatusPageDocument;
  broadcast: BroadcastDocument;
  event: PageEvent;
  chosen: readonly SubscriberDocument[];
}

async function write(needs: NotifyNeeds, tx: Transaction, { page, broadcast, event, chosen }: Writing): Promise<void> {
  const mailed = new Map<string, string>();
  const nowMs = needs.clock.now();
  for (const subscriber of chosen) {
    if (subscriber.type === 'webhook') {
      await needs.deliveries.insert(tx, deliveryOf({ page, broadcast, event, subscriber, nowMs }, needs.publicUrl));
      continue;
    }
    const id = idOfKey('mail', broadcast.at_ms, `${broadcast._id}/${subscriber._id}`);
    const mail = updateMail({ page, event, subscriber, id, publicUrl: needs.publicUrl, tokens: needs.tokens });
    await needs.mailer.send(tx, mail);
    mailed.set(subscriber._id, id);
  }
  await needs.subscribers.mailed(tx, mailed, nowMs + CHECK_AFTER_MS);
}
