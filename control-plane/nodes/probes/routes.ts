import { toIso } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import { BY_ID, byKey, type Pager } from '../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ListedToken, ProbeDocument } from '../documents.js';
import type { JoinToken as IssuedToken } from '../enrolment/join-tokens.js';
import { joinTokenView, revokeJoinToken } from '../enrolment/token-list.js';
import { JoinTokenId } from '../join-token.js';
import type { Presence } from '../presence/presence.js';
import { CreateJoinToken, JoinToken, PageQuery, Probe, ProbeId, ProbeJoinTokenView, UpdateProbe } from '../schema.js';
import { type ProbeChangeNeeds, revokeProbe, setDrained } from './change.js';
import { viewProbe } from './view.js';

interface ProbeRoutesNeeds extends ProbeChangeNeeds {
  presence: Presence;
  pager: Pager;
  createJoinToken(tx: Transaction, actor: Actor, location: string): Promise<IssuedToken>;
  /** Returns the command that installs and joins a probe. */
  installCommand(token: string): Promise<string>;
}

const TAG = 'Operators';

export function createProbeRoutes(needs: ProbeRoutesNeeds): Route[] {
  const { store, presence, pager } = needs;
  const view = (node: ProbeDocument) => viewProbe(node, presence.row(node._id), presence.isLive(node._id));
  return [
    readRoute({
      method: 'GET',
      path: '/v1/admin/probes',
      access: 'operator',
      tag: TAG,
      summary: 'List probes, newest first',
      query: PageQuery,
      replies: { 200: Probe },
      list: true,
      async handle(input) {
        const page = pager.open('probes', BY_ID, input);
        return page.reply(await store.pageOfProbes(page.request), (rows) => rows.map(view));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/admin/probes/{id}',
      access: 'operator',
      tag: TAG,
      summary: 'Get a probe',
      params: ProbeId,
      replies: { 200: Probe },
      async handle({ params }) {
        const node = await store.findProbe(params.id);
        if (node === null) throw notFound('probe');
        return { status: 200, data: view(node), version: node.document_version };
      },
    }),
    ...changeRoutes(needs, view),
    joinTokenRoute(needs),
    ...joinTokenListRoutes(needs),
  ];
}

function changeRoutes(needs: ProbeRoutesNeeds, view: (node: ProbeDocument) => Probe): Route[] {
  return [
    mutationRoute({
      method: 'PATCH',
      path: '/v1/admin/probes/{id}',
      access: 'operator',
      refusedAs: 'integration.change_refused',
      tag: TAG,
      summary: 'Drain or re-enable a probe',
      params: ProbeId,
      body: UpdateProbe,
      replies: { 200: Probe },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        const node = await setDrained(needs, tx, actor, { id: params.id, drained: body.drained, ifVersion });
        return { status: 200, data: view(node), version: node.document_version };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/admin/probes/{id}',
      access: 'operator',
      refusedAs: 'integration.change_refused',
      tag: TAG,
      summary: 'Revoke a probe',
      description: 'Picket closes its connection within 60 seconds and permanently rejects its credential.',
      params: ProbeId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await revokeProbe(needs, tx, actor, params.id, ifVersion);
        return { status: 204 };
      },
    }),
  ];
}

function joinTokenRoute({ createJoinToken, installCommand }: ProbeRoutesNeeds): Route {
  return mutationRoute({
    method: 'POST',
    path: '/v1/admin/probes/join-tokens',
    access: 'operator',
    confirmedEmail: true,
    refusedAs: 'integration.change_refused',
    tag: TAG,
    summary: 'Create a join token',
    description:
      'The token lets one probe join the location and expires after 24 hours. Only this response contains it.',
    body: CreateJoinToken,
    replies: { 201: JoinToken },
    async handle({ actor, body }, tx) {
      const { id, token, expiresAtMs } = await createJoinToken(tx, actor, body.location);
      const data: JoinToken = {
        id,
        token,
        install_command: await installCommand(token),
        expires_at: toIso(expiresAtMs),
      };
      // A token has no path of its own to read.
      return { status: 201, data, location: '/v1/admin/probes/join-tokens' };
    },
  });
}

const BY_TOKEN_ID = byKey((row: ListedToken) => row.token_id);

function joinTokenListRoutes({ store, pager, audit, clock }: ProbeRoutesNeeds): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: '/v1/admin/probes/join-tokens',
      access: 'operator',
      tag: TAG,
      summary: 'List join tokens of probes, newest first',
      description: 'Used and expired ones stay in the list until a day after their expiry.',
      query: PageQuery,
      replies: { 200: ProbeJoinTokenView },
      list: true,
      async handle(input) {
        const page = pager.open('probe-join-tokens', BY_TOKEN_ID, input);
        const found = await store.pageOfTokens({ kind: 'probe' }, page.request);
        return page.reply(found, (rows) =>
          rows.map((row) => ({
            ...joinTokenView(row, clock.now()),
            location: row.kind === 'probe' ? row.location : '',
          })),
        );
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/admin/probes/join-tokens/{id}',
      access: 'operator',
      tag: TAG,
      summary: 'Revoke a join token of a probe',
      description: 'No probe can join with it any more. 409 for a token that a probe has used: revoke the probe.',
      params: JoinTokenId,
      replies: { 204: null },
      errors: ['conflict'],
      async handle({ actor, params }, tx) {
        const { created_by: made_by, ...token } = await revokeJoinToken(store, tx, { kind: 'probe' }, params.id);
        const location = token.kind === 'probe' ? token.location : '';
        await audit.record(tx, actor, {
          action: 'probe.join_token_revoked',
          resource: { type: 'location', id: location, name: location },
          metadata: { join_token: params.id, made_by },
        });
        return { status: 204 };
      },
    }),
  ];
}
