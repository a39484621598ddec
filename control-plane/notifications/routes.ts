import type { Logger } from '../../kernel/logger.js';
import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { actionRoute, mutationRoute, type Route, readRoute } from '../http/route.js';
import {
  QUESTIONS_PER_ADDRESS_PER_DAY_MAX,
  QUESTIONS_PER_PERSON_PER_DAY_MAX,
  QUESTIONS_PER_WORKSPACE_PER_DAY_MAX,
  TEST_MAILS_PER_ADDRESS_PER_DAY_MAX,
  TEST_MAILS_PER_PERSON_PER_DAY_MAX,
  TEST_MAILS_PER_WORKSPACE_PER_DAY_MAX,
} from '../recipients/limits.js';
import type { References } from '../references/references.js';
import { DetachedReferences, DetachQuery } from '../references/schema.js';
import type { Transaction } from '../storage/transaction.js';
import { askAgain } from './channel-settings/ask-again.js';
import { createChannel } from './channel-settings/create.js';
import { deleteChannel } from './channel-settings/delete.js';
import type { ChannelSettingsNeeds } from './channel-settings/needs.js';
import { testChannel } from './channel-settings/test.js';
import { updateChannel } from './channel-settings/update.js';
import { channelViews } from './channel-settings/view.js';
import type { Send } from './delivery/send.js';
import type { ChannelDocument } from './documents.js';
import {
  AskRecipient,
  Channel,
  ChannelId,
  CreateChannel,
  CreatedChannel,
  ListChannels,
  TestResult,
  UpdateChannel,
} from './schema.js';

const TAG = 'Channels';

interface ChannelRoutesNeeds extends ChannelSettingsNeeds {
  references: References;
  send: Send;
  pager: Pager;
  publicUrl: string;
  smtpUrl: string | null;
  logger: Logger;
}

async function viewOf(
  { recipients }: ChannelRoutesNeeds,
  actor: Actor,
  channel: ChannelDocument,
  tx?: Transaction,
): Promise<Channel> {
  const [view] = await channelViews(recipients, actor, [channel], tx);
  if (view === undefined) throw new Error('a channel has one view');
  return view;
}

/** Returns the routes of `/v1/channels`. Secrets of other services in the channels are masked in every response. */
export function channelRoutes(needs: ChannelRoutesNeeds): Route[] {
  return [...readRoutes(needs), ...changeRoutes(needs)];
}

function readRoutes(needs: ChannelRoutesNeeds): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: '/v1/channels',
      access: 'channels:read',
      tag: TAG,
      summary: 'List channels',
      query: ListChannels,
      replies: { 200: Channel },
      list: true,
      async handle({ actor, query }) {
        const page = needs.pager.open('channels', BY_ID, { actor, query });
        const found = await needs.store.list(actor.workspaceId, { type: query.type }, page.request);
        return page.reply(found, (rows) => channelViews(needs.recipients, actor, rows));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/channels/{id}',
      access: 'channels:read',
      tag: TAG,
      summary: 'Get a channel',
      params: ChannelId,
      replies: { 200: Channel },
      async handle({ actor, params }) {
        const channel = await needs.store.find(actor.workspaceId, params.id);
        if (channel === null) throw notFound('channel');
        return { status: 200, data: await viewOf(needs, actor, channel), version: channel.version };
      },
    }),
  ];
}

function changeRoutes(needs: ChannelRoutesNeeds): Route[] {
  return [
    mutationRoute({
      method: 'POST',
      path: '/v1/channels',
      access: 'channels:write',
      confirmedEmail: true,
      tag: TAG,
      summary: 'Create a channel',
      description:
        'Only this response contains the signing `secret` of a webhook. Deliveries follow the Standard Webhooks specification. `warnings` beside `data` name the addresses that were not asked today because of the limits.',
      body: CreateChannel,
      replies: { 201: CreatedChannel },
      warns: true,
      async handle({ actor, body }, tx) {
        const { channel, secret, warnings } = await createChannel(needs, tx, actor, body);
        const data = { ...(await viewOf(needs, actor, channel, tx)), ...(secret === null ? {} : { secret }) };
        return { status: 201, data, warnings, location: `/v1/channels/${channel._id}`, version: channel.version };
      },
    }),
    mutationRoute({
      method: 'PATCH',
      path: '/v1/channels/{id}',
      access: 'channels:write',
      confirmedEmail: true,
      tag: TAG,
      summary: 'Update a channel',
      description:
        'Secrets that you do not send stay unchanged, but a URL with another origin needs them again. `enabled: true` re-enables a channel that was disabled after a 410 response. With `enabled: false`, `warnings` beside `data` name what then notifies nobody.',
      params: ChannelId,
      body: UpdateChannel,
      replies: { 200: Channel },
      warns: true,
      async handle({ actor, params, body, ifVersion }, tx) {
        const changed = await updateChannel(needs, tx, actor, { id: params.id, ifVersion, input: body });
        const { channel, warnings } = changed;
        return { status: 200, data: await viewOf(needs, actor, channel, tx), warnings, version: channel.version };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/channels/{id}',
      access: 'channels:write',
      tag: TAG,
      summary: 'Delete a channel',
      description:
        'Returns 409 `conflict` with `used_by` while monitors, alert rules or unresolved incidents name the channel. With `detach=true`, they no longer name it, which needs the right to change them; the response says which of them then notify nobody. Supports `If-Match`.',
      params: ChannelId,
      query: DetachQuery,
      replies: { 200: DetachedReferences, 204: null },
      errors: ['conflict'],
      handle: ({ actor, params, query, ifVersion }, tx) =>
        deleteChannel(needs, tx, actor, { id: params.id, ifVersion, detach: query.detach === true }),
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/channels/{id}/ask',
      access: 'channels:write',
      confirmedEmail: true,
      tag: TAG,
      summary: 'Ask a recipient of an e-mail channel again',
      description: `Sends the e-mail that asks again to an address in \`unconfirmed\`. Limited per day (429): ${QUESTIONS_PER_ADDRESS_PER_DAY_MAX} e-mails of one person to an address, ${QUESTIONS_PER_PERSON_PER_DAY_MAX} of a person, ${QUESTIONS_PER_WORKSPACE_PER_DAY_MAX} of a workspace. An address that has stopped the e-mails is not asked (409).`,
      params: ChannelId,
      body: AskRecipient,
      replies: { 202: Channel },
      async handle({ actor, params, body }, tx) {
        const channel = await askAgain(needs, tx, actor, { id: params.id, address: body.address });
        return { status: 202, data: await viewOf(needs, actor, channel, tx) };
      },
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/channels/{id}/test',
      access: 'channels:write',
      confirmedEmail: true,
      tag: TAG,
      summary: 'Send a test message through a channel',
      description: `The message takes the same path as alerts. The response has the result, after at most 15 seconds. Test e-mails are limited per day (429): ${TEST_MAILS_PER_ADDRESS_PER_DAY_MAX} to an address, ${TEST_MAILS_PER_PERSON_PER_DAY_MAX} of a person, ${TEST_MAILS_PER_WORKSPACE_PER_DAY_MAX} of a workspace.`,
      params: ChannelId,
      replies: { 200: TestResult },
      handle: async ({ actor, params }) => ({ status: 200, data: await testChannel(needs, actor, params.id) }),
    }),
  ];
}
