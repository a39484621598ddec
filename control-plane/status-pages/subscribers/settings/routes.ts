import { notFound } from '../../../errors.js';
import { requireVersion } from '../../../http/etag.js';
import { BY_ID, type Pager } from '../../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../../http/route.js';
import { StatusPageId } from '../../schema.js';
import { endSubscription } from '../end-subscription.js';
import type { SubscriberNeeds } from '../needs.js';
import { subscriberView } from '../view.js';
import { addSubscriber } from './add.js';
import { AddedSubscriber, AddSubscriber, ListSubscribers, Subscriber, SubscriberId } from './schema.js';

const TAG = 'Status pages';
const LIST_PATH = '/v1/status-pages/{id}/subscribers';
const SUBSCRIBER_PATH = '/v1/status-pages/{id}/subscribers/{subscriberId}';

/** Returns the routes of the subscribers of status pages. */
export function createSubscriberRoutes(needs: SubscriberNeeds, pager: Pager): Route[] {
  return [...readRoutes(needs, pager), ...changeRoutes(needs)];
}

function readRoutes({ store, subscribers }: SubscriberNeeds, pager: Pager): Route[] {
  const read = { access: 'status_pages:read', tag: TAG } as const;
  return [
    readRoute({
      ...read,
      method: 'GET',
      path: LIST_PATH,
      summary: 'List the subscribers of a status page, newest first',
      description: 'Without `status_pages:write`, addresses and URLs are masked.',
      params: StatusPageId,
      query: ListSubscribers,
      replies: { 200: Subscriber },
      list: true,
      async handle({ actor, params, query }) {
        const page = pager.open(`subscribers of ${params.id}`, BY_ID, { actor, query });
        if ((await store.find(actor.workspaceId, params.id)) === null) throw notFound('status page');
        const found = await subscribers.list(actor.workspaceId, params.id, page.request);
        return page.reply(found, (rows) => rows.map((row) => subscriberView(actor, row)));
      },
    }),
    readRoute({
      ...read,
      method: 'GET',
      path: SUBSCRIBER_PATH,
      summary: 'Get a subscriber of a status page',
      params: SubscriberId,
      replies: { 200: Subscriber },
      async handle({ actor, params }) {
        const found = await subscribers.find(actor.workspaceId, params.id, params.subscriberId);
        if (found === null) throw notFound('subscriber of this status page');
        return { status: 200, data: subscriberView(actor, found), version: found.version };
      },
    }),
  ];
}

function changeRoutes(needs: SubscriberNeeds): Route[] {
  const write = { access: 'status_pages:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...write,
      method: 'POST',
      confirmedEmail: true,
      path: LIST_PATH,
      summary: 'Add a subscriber to a status page',
      description:
        'An e-mail address gets one e-mail that asks, and nothing else until it is confirmed. A webhook gets events at once; only this response contains its signing `secret`. Deliveries follow the Standard Webhooks specification.',
      params: StatusPageId,
      body: AddSubscriber,
      replies: { 201: AddedSubscriber },
      errors: ['plan_limit', 'conflict'],
      async handle({ actor, params, body }, tx) {
        const { subscriber, secret } = await addSubscriber(needs, tx, actor, { pageId: params.id, input: body });
        const data = { ...subscriberView(actor, subscriber), ...(secret === null ? {} : { secret }) };
        const location = `/v1/status-pages/${params.id}/subscribers/${subscriber._id}`;
        return { status: 201, data, location, version: subscriber.version };
      },
    }),
    mutationRoute({
      ...write,
      method: 'DELETE',
      path: SUBSCRIBER_PATH,
      summary: 'Remove a subscriber of a status page',
      description: 'Nothing of it is kept. It can subscribe again. Supports `If-Match`.',
      params: SubscriberId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        const found = await needs.subscribers.find(actor.workspaceId, params.id, params.subscriberId, tx);
        if (found !== null) requireVersion(ifVersion, found.version);
        const isRemoved =
          found !== null && (await endSubscription(needs, tx, actor, { subscriber: found, why: 'removed' }));
        if (!isRemoved) throw notFound('subscriber of this status page');
        return { status: 204 };
      },
    }),
  ];
}
