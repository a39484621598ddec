import type { UserDocument, WorkspaceDocument } from '../../accounts/documents.js';
import { createRequireRoomForFreeWorkspace } from '../../accounts/free-workspaces.js';
import type { JoinTeam } from '../../accounts/join.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { WorkspacesStore } from '../../accounts/workspaces-store.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import type { Role } from '../../roles.js';
import type { Transaction } from '../../storage/transaction.js';
import { invitationEnded, type OpenInvitation } from './open-invitation.js';
import { mayInvite } from './rules.js';
import type { InvitationsStore } from './store.js';

/** A person who works in the workspace that they joined. */
export interface Entered {
  actor: Actor;
  cookies: readonly string[];
}

/** A person who proved who they are, in the transaction in which they join. */
export interface ProvenPerson {
  /** Resolves to their account, which is created if there is none, and whose address is confirmed from now on. */
  account(): Promise<UserDocument>;
  /** Opens the workspace, of which the person is a member by now. */
  enter(user: UserDocument, joined: { workspace: WorkspaceDocument; role: Role }): Promise<Entered>;
}

/** Runs `join` in a transaction once the person has proved who they are. */
export type Proven = (join: (tx: Transaction, person: ProvenPerson) => Promise<Entered>) => Promise<Entered>;

/**
 * Makes a person a member. Throws 422 when the invitation ended meanwhile: of two requests at once, one succeeds. Throws 409 when it
 * would make them the owner of too many workspaces on the Free plan.
 */
export type AcceptInvitation = (open: OpenInvitation, proven: Proven) => Promise<Entered>;

export function createAcceptInvitation(needs: {
  invitations: Pick<InvitationsStore, 'take'>;
  memberships: MembershipsStore;
  workspaces: WorkspacesStore;
  join: JoinTeam;
  audit: AuditLog;
}): AcceptInvitation {
  const { invitations, memberships, workspaces, join, audit } = needs;
  const requireRoom = createRequireRoomForFreeWorkspace(needs);
  return ({ invitation, workspace }, proven) =>
    proven(async (tx, person) => {
      const { role, invited_by } = invitation;
      await memberships.lockWorkspace(tx, workspace._id);
      const taken = await invitations.take(tx, workspace._id, invitation._id, invitation.token_hash);
      // While the workspace is locked, nobody's role changes.
      const sender = await memberships.find(tx, workspace._id, invited_by.id);
      if (taken === null || taken.is_void === true || !mayInvite(sender?.role ?? null, role)) throw invitationEnded();
      const user = await person.account();
      // The plan as it is now. The invitation stays open: the transaction takes it only if the person joins.
      const plan = (await workspaces.document(tx, workspace._id))?.plan;
      if (role === 'owner' && plan === 'Free') await requireRoom(tx, user._id);
      const { ended } = await join(tx, { workspaceId: workspace._id, userId: user._id, email: user.email, role });
      const entered = await person.enter(user, { workspace, role });
      await audit.record(tx, entered.actor, {
        action: 'team.member_joined',
        resource: { type: 'user', id: user._id, name: user.email },
        metadata: { role, invitation_id: invitation._id, invited_by: invited_by.email, ...ended },
      });
      return entered;
    });
}
