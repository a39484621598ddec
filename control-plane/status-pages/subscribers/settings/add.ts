import { urlRefusal } from '../../../../kernel/guard/url-refusal.js';
import { SECRET_BYTES, webhookSecret } from '../../../../kernel/webhook-signature.js';
import type { Actor } from '../../../actor.js';
import { AppError, invalidField } from '../../../errors.js';
import { refuseKeyWithExpiry } from '../../../http/access.js';
import { canonicalEmail } from '../../../http/input/email-address.js';
import { PLANS } from '../../../plans/plans.js';
import { refuseOverQuota } from '../../../plans/quota.js';
import type { Transaction } from '../../../storage/transaction.js';
import { componentsOf, type StatusPageDocument } from '../../documents.js';
import { loadPage } from '../../settings/change.js';
import { accessOf } from '../access.js';
import { askAddress } from '../ask.js';
import { subscriberAudited } from '../audited.js';
import type { SubscriberDocument, SubscriberSettings } from '../documents.js';
import { WEBHOOKS_PER_PAGE_MAX } from '../limits.js';
import type { SubscriberNeeds } from '../needs.js';
import { SEALED_PURPOSE } from '../webhooks/deliver.js';
import type { AddSubscriber } from './schema.js';

/** Adds a subscriber. An address is asked first. `secret` is the signing secret of a webhook, null for an address. */
export async function addSubscriber(
  needs: SubscriberNeeds,
  tx: Transaction,
  actor: Actor,
  { pageId, input }: { pageId: string; input: AddSubscriber },
): Promise<{ subscriber: SubscriberDocument; secret: string | null }> {
  const page = await loadPage(needs, tx, actor, pageId, null);
  const component_ids = input.component_ids ?? null;
  checkComponents(page, component_ids ?? []);
  const settings = { language: input.language ?? 'en', component_ids, access: accessOf(page) };
  const allowed = PLANS[actor.plan].statusPageSubscribers;
  const present = await needs.subscribers.lockAndCount(tx, actor.workspaceId, allowed);
  refuseOverQuota(actor.plan, 'statusPageSubscribers', present);
  const added =
    input.type === 'email'
      ? { subscriber: await addAddress(needs, tx, actor, { page, input, settings }), secret: null }
      : await addWebhook(needs, tx, actor, { page, input, settings });
  await needs.audit.record(tx, actor, subscriberAudited('status_page.subscriber_added', added.subscriber));
  return added;
}

function checkComponents(page: StatusPageDocument, ids: readonly string[]): void {
  const present = new Set(componentsOf(page).map(({ id }) => id));
  const unknown = ids.findIndex((id) => !present.has(id));
  if (unknown >= 0) throw invalidField(`/component_ids/${unknown}`, 'must be a component of this page', 'id');
}

interface Adding {
  page: StatusPageDocument;
  input: AddSubscriber;
  settings: SubscriberSettings;
}

async function addAddress(
  needs: SubscriberNeeds,
  tx: Transaction,
  actor: Actor,
  { page, input, settings }: Adding,
): Promise<SubscriberDocument> {
  if (input.address === undefined) throw invalidField('/address', 'is required for this type', 'required');
  if (input.url !== undefined) throw invalidField('/url', 'is only for a webhook', 'not_with');
  if (needs.smtpUrl === null)
    throw new AppError('conflict', 'No mail server is configured (PICKET_SMTP_URL), so nobody can be asked.');
  const address = canonicalEmail(input.address);
  if (!(await needs.limit.member(tx, actor, needs.clock.now()))) throw tooManyAsked();
  const { subscriber, isAsked } = await askAddress(needs, tx, { page, address, settings, createdBy: actor.email });
  if (isAsked && subscriber !== null) return subscriber;
  throw subscriber === null
    ? tooManyAsked()
    : new AppError('conflict', 'The page has this subscriber already, or has asked it within the last 48 hours.');
}

function tooManyAsked(): AppError {
  const detail =
    'Too many e-mails that ask were sent today: by you, by this workspace, for this page, or to this address. Retry tomorrow.';
  return new AppError('rate_limited', detail, { headers: { 'Retry-After': '86400' } });
}

async function addWebhook(
  needs: SubscriberNeeds,
  tx: Transaction,
  actor: Actor,
  { page, input, settings }: Adding,
): Promise<{ subscriber: SubscriberDocument; secret: string }> {
  const { subscribers, clock, guard } = needs;
  refuseKeyWithExpiry(actor, 'add a webhook to a status page');
  if (input.url === undefined) throw invalidField('/url', 'is required for this type', 'required');
  if (input.address !== undefined) throw invalidField('/address', 'is only for an e-mail address', 'not_with');
  const refusal = urlRefusal(input.url, guard);
  if (refusal !== null)
    throw invalidField('/url', refusal.message, refusal.code === 'blocked_target' ? 'private_address' : 'web_address');
  if ((await subscribers.findReceiver(tx, page, input.url)) !== null)
    throw new AppError('conflict', 'The page has a webhook with this URL.');
  const count = await subscribers.countOfPage(page.workspace_id, page._id, 'webhook', WEBHOOKS_PER_PAGE_MAX);
  if (count >= WEBHOOKS_PER_PAGE_MAX)
    throw new AppError('conflict', `A status page has at most ${WEBHOOKS_PER_PAGE_MAX} webhooks.`);
  const secret = webhookSecret(needs.random.bytes(SECRET_BYTES));
  const id = needs.ids.next('sub');
  const subscriber: SubscriberDocument = {
    _id: id,
    workspace_id: page.workspace_id,
    page_id: page._id,
    type: 'webhook',
    receiver: input.url,
    state: 'confirmed',
    ...settings,
    question: null,
    sealed: needs.box.seal(secret, { purpose: SEALED_PURPOSE, id }),
    created_by: actor.email,
    created_at_ms: clock.now(),
    confirmed_at_ms: clock.now(),
    version: 1,
  };
  await subscribers.insert(tx, subscriber);
  await needs.watches.watch(tx, page, clock.now());
  return { subscriber, secret };
}
