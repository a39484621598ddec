import type { TSchema } from 'typebox';
import { toIso } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import type { Client } from '../../http/client/client.js';
import { refuseForeignOrigin } from '../../http/client/same-origin.js';
import { actionRoute, type Route, readRoute } from '../../http/route.js';
import { AcceptInvitation as AcceptBody, InvitationPreview, PreviewInvitation } from '../schema.js';
import type { AcceptInvitation } from './accept.js';
import type { Identity } from './identity.js';
import type { FindOpenInvitation } from './open-invitation.js';

const TAG = 'Team';

/** What the page of an invitation asks for. */
const PASSWORD = { new: 'choose', existing: 'enter', signed_in: 'none' } as const;

const ACCOUNT = { new: 'new', existing: 'existing', signed_in: 'existing' } as const;

/** How answers show the account that a request logged in to. */
export interface AccountView {
  schema: TSchema;
  of(actor: Actor): unknown;
}

interface PublicRoutesNeeds {
  find: FindOpenInvitation;
  identity: Identity;
  accept: AcceptInvitation;
  account: AccountView;
  publicUrl: string;
}

/** Returns the routes of people who were invited. */
export function publicInvitationRoutes(needs: PublicRoutesNeeds): Route[] {
  const { find, identity, accept, account, publicUrl } = needs;
  // A page of another site must not be able to make a browser join a workspace.
  const refuseForeign = (client: Client) => refuseForeignOrigin('POST', client, publicUrl);
  return [
    readRoute({
      method: 'POST',
      path: '/v1/team/invitations/preview',
      access: 'public',
      tag: TAG,
      summary: 'Get what an invitation offers',
      description: 'Uses nothing up. 422 for a token that is not of an open invitation.',
      body: PreviewInvitation,
      errors: ['forbidden'],
      replies: { 200: InvitationPreview },
      async handle({ body, client }) {
        refuseForeign(client);
        const { invitation, workspace } = await find(body.token, client.ip);
        const { kind } = await identity.holder(invitation.email, client);
        // Whoever invites has a link that was not mailed, and must not learn which addresses have an account.
        const isTold = invitation.by_email !== false || kind === 'signed_in';
        const data = {
          workspace: { name: workspace.name },
          ...{ email: invitation.email, role: invitation.role, invited_by: { email: invitation.invited_by.email } },
          account: isTold ? ACCOUNT[kind] : 'unknown',
          password: isTold ? PASSWORD[kind] : 'enter_or_choose',
          expires_at: toIso(invitation.expires_at_ms),
        };
        return { status: 200, data };
      },
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/team/invitations/accept',
      access: 'public',
      tag: TAG,
      summary: 'Accept an invitation',
      description:
        'Makes you a member and signs you in to the workspace. Without an account, `password` is a new one; if the token came by e-mail, your address counts as confirmed. With an account, send its password and, if it has one, a second factor, or the cookie of a session with the invited address. An invitation works once.',
      body: AcceptBody,
      errors: ['unauthenticated', 'second_factor_required', 'forbidden', 'single_sign_on_required', 'conflict'],
      replies: { 200: account.schema },
      async handle({ body, client }) {
        refuseForeign(client);
        const { token, ...proof } = body;
        const open = await find(token, client.ip);
        const { actor, cookies } = await accept(open, await identity.prove(open, proof, client));
        return { status: 200, data: await account.of(actor), cookies };
      },
    }),
  ];
}
