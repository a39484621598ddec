import { toIso } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import { BY_ID, type Pager } from '../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ProbeDocument } from '../documents.js';
import type { JoinToken as IssuedToken } from '../enrolment/join-tokens.js';
import type { Presence } from '../presence/presence.js';
import { CreateJoinToken, JoinToken, PageQuery, Probe, ProbeId, UpdateProbe } from '../schema.js';
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
    refusedAs: 'integration.change_refused',
    tag: TAG,
    summary: 'Create a join token',
    description:
      'The token lets one probe join the location and expires after 24 hours. Only this response contains it.',
    body: CreateJoinToken,
    replies: { 201: JoinToken },
    async handle({ actor, body }, tx) {
      const { token, expiresAtMs } = await createJoinToken(tx, actor, body.location);
      const data: JoinToken = { token, install_command: await installCommand(token), expires_at: toIso(expiresAtMs) };
      // A token has no path of its own; the list shows the probe that joins with it.
      return { status: 201, data, location: '/v1/admin/probes' };
    },
  });
}
