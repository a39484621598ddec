import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import { BY_ID, type Pager } from '../../http/paging.js';
import { actionRoute, mutationRoute, type Route, readRoute } from '../../http/route.js';
import { createForwarder } from './create.js';
import type { ForwarderDocument } from './documents.js';
import type { ForwarderNeeds } from './needs.js';
import { removeForwarder } from './remove.js';
import {
  CreatedForwarder,
  CreateForwarder,
  Forwarder,
  ForwarderId,
  ForwarderTest,
  ListForwarders,
  UpdateForwarder,
} from './schema.js';
import { type SendTestNeeds, sendTestMessage } from './send-test.js';
import type { ForwarderStore } from './store.js';
import { updateForwarder } from './update.js';
import { forwarderView, viewForwarder } from './view.js';

const TAG = 'Audit log';
const PATH = '/api/v1/audit-logs/forwarders';
/** The lag of a new forwarder; it is not queried, because nothing was sent so far. */
const NO_LAG = { events: 0, firstMs: null };

interface RouteNeeds extends ForwarderNeeds, SendTestNeeds {
  store: ForwarderStore;
  pager: Pager;
  clock: Clock;
}

/** Returns the routes under `/api/v1/audit-logs/forwarders`. All but those that read and delete need the Enterprise plan. */
export function forwarderRoutes(needs: RouteNeeds): Route[] {
  return [...readRoutes(needs), ...writeRoutes(needs), testRoute(needs)];
}

function readRoutes({ store, entries, pager, clock }: RouteNeeds): Route[] {
  const view = (actor: Actor, forwarder: ForwarderDocument) => viewForwarder(entries, actor, forwarder, clock.now());
  return [
    readRoute({
      method: 'GET',
      path: PATH,
      access: 'audit:read',
      tag: TAG,
      summary: 'List forwarders',
      query: ListForwarders,
      replies: { 200: Forwarder },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('audit-forwarders', BY_ID, { actor, query });
        const found = await store.list(actor.workspaceId, page.request);
        return page.reply(found, (rows) => Promise.all(rows.map((row) => view(actor, row))));
      },
    }),
    readRoute({
      method: 'GET',
      path: `${PATH}/{id}`,
      access: 'audit:read',
      tag: TAG,
      summary: 'Get a forwarder',
      description: 'Shows its state, its lag, its last success and its last error.',
      params: ForwarderId,
      replies: { 200: Forwarder },
      async handle({ actor, params }) {
        const forwarder = await store.find(actor.workspaceId, params.id);
        if (forwarder === null) throw notFound('forwarder');
        return { status: 200, data: await view(actor, forwarder), version: forwarder.version };
      },
    }),
  ];
}

function writeRoutes(needs: RouteNeeds): Route[] {
  const { entries, clock } = needs;
  return [
    mutationRoute({
      method: 'POST',
      path: PATH,
      access: 'full',
      refusedAs: 'integration.change_refused',
      confirmedEmail: true,
      tag: TAG,
      summary: 'Create a forwarder',
      description:
        'The forwarder sends each sealed audit entry at least once, in order. It starts with new entries, or at `from`. Only this response contains the signing `secret` of a webhook. No API key with an expiry can create one, or change its target.',
      body: CreateForwarder,
      replies: { 201: CreatedForwarder },
      errors: ['plan_required', 'conflict'],
      async handle({ actor, body }, tx) {
        const { forwarder, secret } = await createForwarder(needs, tx, actor, body);
        const shown = forwarderView(forwarder, NO_LAG, clock.now());
        const data = { ...shown, ...(secret === null ? {} : { secret }) };
        return { status: 201, data, location: `${PATH}/${forwarder._id}`, version: forwarder.version };
      },
    }),
    mutationRoute({
      method: 'PATCH',
      path: `${PATH}/{id}`,
      access: 'full',
      refusedAs: 'integration.change_refused',
      confirmedEmail: true,
      tag: TAG,
      summary: 'Update, pause or rewind a forwarder',
      description:
        '`paused` stops and resumes the forwarder without losing entries. `from` sends the entries since that time again. Any change makes a failing forwarder retry at once. A target with another origin needs `auth` again.',
      params: ForwarderId,
      body: UpdateForwarder,
      replies: { 200: Forwarder },
      errors: ['plan_required'],
      async handle({ actor, params, body, ifVersion }, tx) {
        const forwarder = await updateForwarder(needs, tx, actor, { id: params.id, ifVersion, input: body });
        const data = await viewForwarder(entries, actor, forwarder, clock.now());
        return { status: 200, data, version: forwarder.version };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: `${PATH}/{id}`,
      access: 'full',
      refusedAs: 'integration.change_refused',
      tag: TAG,
      summary: 'Delete a forwarder',
      params: ForwarderId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeForwarder(needs, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}

function testRoute(needs: RouteNeeds): Route {
  return actionRoute({
    method: 'POST',
    path: `${PATH}/{id}/test`,
    access: 'full',
    refusedAs: 'integration.change_refused',
    confirmedEmail: true,
    tag: TAG,
    summary: 'Send a test message to a forwarder’s receiver',
    description:
      'The message takes the same path as audit entries, but is not an entry. The response has the result, after at most 17 seconds.',
    params: ForwarderId,
    replies: { 200: ForwarderTest },
    errors: ['plan_required'],
    handle: async ({ actor, params }) => ({ status: 200, data: await sendTestMessage(needs, actor, params.id) }),
  });
}
