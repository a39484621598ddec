import { notFound } from '../../errors.js';
import type { Pager } from '../../http/paging.js';
import { actionRoute, mutationRoute, type Route, readRoute } from '../../http/route.js';
import { createForwarder } from './create.js';
import type { ForwarderDocument } from './documents.js';
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
import { type TryOutDeps, tryForwarder } from './try-out.js';
import { updateForwarder } from './update.js';
import { type ForwarderVerbDeps, requireForwarding } from './verb.js';
import { forwarderView, viewForwarder } from './view.js';

const TAG = 'Audit log';
const PATH = '/api/v1/audit-logs/forwarders';
/** Of a forwarder that was made or changed by the request itself, lag is not looked for: it has just begun. */
const NOT_LOOKED = { events: 0, firstMs: null };

/** `/api/v1/audit-logs/forwarders`, on the Enterprise plan. */
export function forwarderRoutes(deps: ForwarderVerbDeps & TryOutDeps & { pager: Pager }): Route[] {
  const { store, entries, pager, clock } = deps;
  const view = (forwarder: ForwarderDocument) => viewForwarder(entries, forwarder, clock.now());
  return [
    readRoute({
      method: 'GET',
      path: PATH,
      access: 'audit:read',
      tag: TAG,
      summary: 'List forwarders',
      query: ListForwarders,
      replies: { 200: Forwarder },
      errors: ['plan_required'],
      list: true,
      async handle({ actor, query }) {
        requireForwarding(actor);
        const page = pager.open('audit-forwarders', { actor, query });
        const found = await store.list(actor.workspaceId, page.request);
        const { rows, nextCursor } = page.reply(found, (forwarder) => [forwarder._id]);
        return { status: 200, data: await Promise.all(rows.map(view)), nextCursor };
      },
    }),
    mutationRoute({
      method: 'POST',
      path: PATH,
      access: 'full',
      tag: TAG,
      summary: 'Add a forwarder',
      description:
        'Sends each audit entry, sealed and in order, at least once. Begins with what happens from now on, or at `from`. A webhook’s signing `secret` stands in this answer and in no other.',
      body: CreateForwarder,
      replies: { 201: CreatedForwarder },
      errors: ['plan_required', 'conflict'],
      async handle({ actor, body }, tx) {
        const { forwarder, secret } = await createForwarder(deps, tx, actor, body);
        const shown = forwarderView(forwarder, NOT_LOOKED, clock.now());
        const data = { ...shown, ...(secret === null ? {} : { secret }) };
        return { status: 201, data, location: `${PATH}/${forwarder._id}`, version: forwarder.version };
      },
    }),
    readRoute({
      method: 'GET',
      path: `${PATH}/{id}`,
      access: 'audit:read',
      tag: TAG,
      summary: 'Get a forwarder',
      description: 'With its state, how far it is behind, its last success and its last error.',
      params: ForwarderId,
      replies: { 200: Forwarder },
      errors: ['plan_required'],
      async handle({ actor, params }) {
        requireForwarding(actor);
        const forwarder = await store.find(actor.workspaceId, params.id);
        if (forwarder === null) throw notFound('forwarder');
        return { status: 200, data: await view(forwarder), version: forwarder.version };
      },
    }),
    mutationRoute({
      method: 'PATCH',
      path: `${PATH}/{id}`,
      access: 'full',
      tag: TAG,
      summary: 'Change, pause or rewind a forwarder',
      description:
        '`paused` stops and goes on without a loss, `from` sends again what there is since then. Any change makes a failing forwarder try at once.',
      params: ForwarderId,
      body: UpdateForwarder,
      replies: { 200: Forwarder },
      errors: ['plan_required'],
      async handle({ actor, params, body, ifVersion }, tx) {
        const forwarder = await updateForwarder(deps, tx, actor, { id: params.id, ifVersion, input: body });
        return { status: 200, data: await view(forwarder), version: forwarder.version };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: `${PATH}/{id}`,
      access: 'full',
      tag: TAG,
      summary: 'Delete a forwarder',
      params: ForwarderId,
      replies: { 204: null },
      errors: ['plan_required'],
      async handle({ actor, params, ifVersion }, tx) {
        await removeForwarder(deps, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
    actionRoute({
      method: 'POST',
      path: `${PATH}/{id}/test`,
      access: 'full',
      tag: TAG,
      summary: 'Send a test message to a forwarder’s receiver',
      description:
        'Goes the way of every entry, is none itself, and answers what came of it, after 17 seconds at most.',
      params: ForwarderId,
      replies: { 200: ForwarderTest },
      errors: ['plan_required'],
      handle: async ({ actor, params }) => ({ status: 200, data: await tryForwarder(deps, actor, params.id) }),
    }),
  ];
}
