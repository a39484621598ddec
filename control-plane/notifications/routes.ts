import { notFound } from '../errors.js';
import type { Pager } from '../http/paging.js';
import { actionRoute, mutationRoute, type Route, readRoute } from '../http/route.js';
import { type ChannelVerbDeps, createChannel } from './channel-settings/create.js';
import { deleteChannel } from './channel-settings/delete.js';
import { testChannel } from './channel-settings/test.js';
import { updateChannel } from './channel-settings/update.js';
import { presentChannel } from './channel-settings/view.js';
import type { Send } from './delivery/send.js';
import {
  Channel,
  ChannelId,
  CreateChannel,
  CreatedChannel,
  ListChannels,
  TestResult,
  UpdateChannel,
} from './schema.js';

const TAG = 'Channels';

/** `/v1/channels`. No scope covers them: they hold the secrets of other services. */
export function channelRoutes(deps: ChannelVerbDeps & { send: Send; pager: Pager; publicUrl: string }): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: '/v1/channels',
      access: 'full',
      tag: TAG,
      summary: 'List channels',
      query: ListChannels,
      replies: { 200: Channel },
      list: true,
      async handle({ actor, query }) {
        const page = deps.pager.open('channels', { actor, query });
        const found = await deps.store.list(actor.workspaceId, { type: query.type }, page.request);
        const { rows, nextCursor } = page.reply(found, (channel) => [channel._id]);
        return { status: 200, data: rows.map(presentChannel), nextCursor };
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/channels',
      access: 'full',
      tag: TAG,
      summary: 'Add a channel',
      description:
        'A webhook’s signing `secret` stands in this answer and in no other. Deliveries follow the Standard Webhooks scheme.',
      body: CreateChannel,
      replies: { 201: CreatedChannel },
      async handle({ actor, body }, tx) {
        const { channel, secret } = await createChannel(deps, tx, actor, body);
        const data = { ...presentChannel(channel), ...(secret === null ? {} : { secret }) };
        return { status: 201, data, location: `/v1/channels/${channel._id}`, version: channel.version };
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/channels/{id}',
      access: 'full',
      tag: TAG,
      summary: 'Get a channel',
      params: ChannelId,
      replies: { 200: Channel },
      async handle({ actor, params }) {
        const channel = await deps.store.find(actor.workspaceId, params.id);
        if (channel === null) throw notFound('channel');
        return { status: 200, data: presentChannel(channel), version: channel.version };
      },
    }),
    mutationRoute({
      method: 'PATCH',
      path: '/v1/channels/{id}',
      access: 'full',
      tag: TAG,
      summary: 'Change a channel',
      description: 'Secrets that are not sent stay. `enabled: true` takes a channel into use again that answered 410.',
      params: ChannelId,
      body: UpdateChannel,
      replies: { 200: Channel },
      async handle({ actor, params, body, ifVersion }, tx) {
        const channel = await updateChannel(deps, tx, actor, { id: params.id, ifVersion, input: body });
        return { status: 200, data: presentChannel(channel), version: channel.version };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/channels/{id}',
      access: 'full',
      tag: TAG,
      summary: 'Delete a channel',
      params: ChannelId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await deleteChannel(deps, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/channels/{id}/test',
      access: 'full',
      tag: TAG,
      summary: 'Send a test through a channel',
      description: 'Goes the way of every alert and answers what came of it, after 15 seconds at most.',
      params: ChannelId,
      replies: { 200: TestResult },
      handle: async ({ actor, params }) => ({ status: 200, data: await testChannel(deps, actor, params.id) }),
    }),
  ];
}
