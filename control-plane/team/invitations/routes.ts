import type { UsersStore } from '../../accounts/users-store.js';
import { notFound } from '../../errors.js';
import { BY_ID, type Pager } from '../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import type { Role } from '../../roles.js';
import type { InvitationDocument } from '../documents.js';
import { CreateInvitation, Invitation, InvitationParams, ListInvitations, SentInvitation } from '../schema.js';
import { invite } from './invite.js';
import type { InvitationNeeds } from './needs.js';
import { resendInvitation } from './resend.js';
import { revokeInvitation } from './revoke.js';
import type { Sent } from './send.js';
import { invitationView } from './view.js';

const TAG = 'Team';

interface InvitationRoutesNeeds extends InvitationNeeds {
  users: UsersStore;
  pager: Pager;
}

/** Returns the routes of `/v1/team/invitations` for members. */
export function invitationRoutes(needs: InvitationRoutesNeeds): Route[] {
  return [...readRoutes(needs), ...changeRoutes(needs)];
}

function readRoutes(needs: InvitationRoutesNeeds): Route[] {
  const { invitations, pager } = needs;
  return [
    readRoute({
      method: 'GET',
      path: '/v1/team/invitations',
      access: 'view',
      tag: TAG,
      summary: 'List invitations, newest first',
      description: 'Expired invitations stay in the list for 30 days, so that they can be sent again.',
      query: ListInvitations,
      list: true,
      replies: { 200: Invitation },
      async handle({ actor, query }) {
        const page = pager.open('invitations', BY_ID, { actor, query });
        const found = await invitations.list(actor.workspaceId, page.request);
        return page.reply(found, (rows) => viewsOf(needs, rows));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/team/invitations/{id}',
      access: 'view',
      tag: TAG,
      summary: 'Get an invitation',
      description: '404 after it was accepted, revoked or replaced.',
      params: InvitationParams,
      replies: { 200: Invitation },
      async handle({ actor, params }) {
        const found = await invitations.find(actor.workspaceId, params.id);
        if (found === null) throw notFound('invitation');
        const [data] = await viewsOf(needs, [found]);
        return { status: 200, data, version: found.version };
      },
    }),
  ];
}

function changeRoutes(needs: InvitationRoutesNeeds): Route[] {
  return [
    mutationRoute({
      method: 'POST',
      path: '/v1/team/invitations',
      access: 'full',
      confirmedEmail: true,
      fresh: true,
      refusedAs: 'team.change_refused',
      tag: TAG,
      summary: 'Invite a person by e-mail',
      description:
        'The link in the e-mail works once, for 7 days. A second invitation of the same address replaces the first. Only an owner can invite an owner, and no API key with an expiry can invite an owner or admin. 409 for a member, and when 100 other invitations are open. A workspace can send 50 invitations per hour. Without a mail server, the response has the `accept_url` to hand over.',
      body: CreateInvitation,
      errors: ['conflict', 'forbidden', 'rate_limited'],
      replies: { 201: SentInvitation },
      async handle({ actor, body }, tx) {
        const sent = await invite(needs, tx, actor, body);
        const data = sentView(needs, sent, actor.role);
        const { _id, version } = sent.invitation;
        return { status: 201, data, location: `/v1/team/invitations/${_id}`, version };
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/team/invitations/{id}/resend',
      access: 'full',
      confirmedEmail: true,
      fresh: true,
      refusedAs: 'team.change_refused',
      tag: TAG,
      summary: 'Send an invitation again',
      description:
        'With a new link, valid for 7 days, in your name. The link in the earlier e-mail stops working. Also for expired and void invitations. The role follows the same rules as that of a new invitation.',
      params: InvitationParams,
      errors: ['forbidden', 'rate_limited'],
      replies: { 200: SentInvitation },
      async handle({ actor, params }, tx) {
        const sent = await resendInvitation(needs, tx, actor, params.id);
        return { status: 200, data: sentView(needs, sent, actor.role), version: sent.invitation.version };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/team/invitations/{id}',
      access: 'full',
      fresh: true,
      refusedAs: 'team.change_refused',
      tag: TAG,
      summary: 'Revoke an invitation',
      params: InvitationParams,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await revokeInvitation(needs, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}

/** Returns an invitation that the actor has just sent. */
function sentView({ clock }: InvitationRoutesNeeds, { invitation, acceptUrl }: Sent, role: Role) {
  const view = invitationView(invitation, new Map([[invitation.invited_by.id, role]]), clock.now());
  return acceptUrl === null ? view : { ...view, accept_url: acceptUrl };
}

async function viewsOf({ members, clock }: InvitationRoutesNeeds, rows: readonly InvitationDocument[]) {
  const [first] = rows;
  if (first === undefined) return [];
  const roles = await members.roles(first.workspace_id, [...new Set(rows.map(({ invited_by }) => invited_by.id))]);
  return rows.map((row) => invitationView(row, roles, clock.now()));
}
