import { notFound } from '../../errors.js';
import { byTime, type Pager } from '../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import { mutedReply } from '../../references/ended.js';
import { MutedChannels } from '../../references/schema.js';
import { ChangeRole, ListMembers, Member, MemberParams } from '../schema.js';
import { changeRole } from './change-role.js';
import type { MemberNeeds } from './needs.js';
import { removeMember } from './remove.js';
import type { Member as StoredMember } from './store.js';
import { memberVersion, memberViews, type SecondFactorsOf } from './view.js';

const TAG = 'Team';

const BY_JOINING = byTime(({ membership }: StoredMember) => ({ atMs: membership.created_at_ms, id: membership._id }));

interface MemberRoutesNeeds extends MemberNeeds {
  pager: Pager;
  secondFactorsOf: SecondFactorsOf;
}

/** Returns the routes of `/v1/team/members`. */
export function memberRoutes(needs: MemberRoutesNeeds): Route[] {
  return [...readRoutes(needs), ...changeRoutes(needs)];
}

function readRoutes({ members, pager, secondFactorsOf }: MemberRoutesNeeds): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: '/v1/team/members',
      access: 'view',
      tag: TAG,
      summary: 'List members',
      description: 'The members who joined last come first. A workspace has at most 1,000 members.',
      query: ListMembers,
      list: true,
      replies: { 200: Member },
      async handle({ actor, query }) {
        const page = pager.open('members', BY_JOINING, { actor, query });
        const found = await members.list(actor.workspaceId, query, page.request);
        return page.reply(found, (rows) => memberViews(rows, secondFactorsOf));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/team/members/{id}',
      access: 'view',
      tag: TAG,
      summary: 'Get a member',
      params: MemberParams,
      replies: { 200: Member },
      async handle({ actor, params }) {
        const member = await members.find(actor.workspaceId, params.id);
        if (member === null) throw notFound('member');
        const [data] = await memberViews([member], secondFactorsOf);
        return { status: 200, data, version: memberVersion(member) };
      },
    }),
  ];
}

function changeRoutes(needs: MemberRoutesNeeds): Route[] {
  return [
    mutationRoute({
      method: 'PATCH',
      path: '/v1/team/members/{id}',
      access: 'full',
      fresh: true,
      refusedAs: 'team.change_refused',
      tag: TAG,
      summary: 'Change the role of a member',
      description:
        'Ends the sessions of the member in this workspace, and what the new role could not create: invitations, unused join tokens and, for a viewer, the links in e-mails to them. API keys that the member created have at most the rights of the new role. Only an owner can make or replace an owner. No API key with an expiry can make an owner or admin. 409 for the last owner, and for the break-glass owner while single sign-on is enforced.',
      params: MemberParams,
      body: ChangeRole,
      errors: ['conflict'],
      replies: { 200: Member },
      async handle({ actor, params, body, ifVersion }, tx) {
        const member = await changeRole(needs, tx, actor, { userId: params.id, role: body.role, ifVersion });
        const [data] = await memberViews([member], needs.secondFactorsOf);
        return { status: 200, data, version: memberVersion(member) };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/team/members/{id}',
      access: 'self',
      fresh: true,
      refusedAs: 'team.change_refused',
      tag: TAG,
      summary: 'Remove a member, or leave',
      description:
        'With your own id you leave the workspace, whatever your role is. Ends the sessions of the person in this workspace, and revokes the API keys, invitations and unused join tokens that they created in it, and the links in e-mails to them. Only an owner can remove an owner. 200 names the e-mail channels that reach nobody any more, because the person was their only receiver. 409 for the last owner, and for the break-glass owner while single sign-on is enforced.',
      params: MemberParams,
      errors: ['conflict'],
      replies: { 200: MutedChannels, 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        return mutedReply(await removeMember(needs, tx, actor, { userId: params.id, ifVersion }));
      },
    }),
  ];
}
