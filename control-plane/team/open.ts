import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import { createConfirmationStore } from '../accounts/confirmation-store.js';
import type { JoinTeam } from '../accounts/join.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { AuditLog } from '../audit/audit.js';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { Pager } from '../http/paging.js';
import type { Mailer } from '../mail/mailer.js';
import type { Sessions } from '../sessions/sessions.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import { createAcceptInvitation } from './invitations/accept.js';
import { createEndInvitations } from './invitations/end.js';
import { createIdentity, type IdentityNeeds } from './invitations/identity.js';
import type { InvitationNeeds } from './invitations/needs.js';
import { createFindOpenInvitation } from './invitations/open-invitation.js';
import { type AccountView, publicInvitationRoutes } from './invitations/public-routes.js';
import { invitationRoutes } from './invitations/routes.js';
import { createInvitationsStore } from './invitations/store.js';
import type { MemberNeeds } from './members/needs.js';
import { memberRoutes } from './members/routes.js';
import { createMembersStore } from './members/store.js';
import type { SecondFactorsOf } from './members/view.js';

interface TeamNeeds extends Omit<IdentityNeeds, 'confirmations'> {
  db: Db;
  workspaces: WorkspacesStore;
  memberships: MembershipsStore;
  join: JoinTeam;
  endAccess: MemberNeeds['endAccess'];
  secondFactorsOf: SecondFactorsOf;
  sessions: Sessions;
  mailer: Mailer;
  countInvitation: InvitationNeeds['countInvitation'];
  account: AccountView;
  audit: AuditLog;
  pager: Pager;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
  publicUrl: string;
  /** Null without a mail server. */
  smtpUrl: string | null;
}

/** The members of a workspace with their roles, and invitations. */
export const teamSlice: Slice<'team', TeamNeeds, OpenedSlice> = {
  name: 'team',
  idPrefixes: ['inv'],
  auditActions: [
    'team.member_invited',
    'team.invitation_revoked',
    'team.member_joined',
    'team.role_changed',
    'team.member_removed',
    'team.change_refused',
  ],
  open(needs) {
    const { db } = needs;
    const members = createMembersStore(db);
    const invitations = createInvitationsStore(db);
    const guesses = createGuessLimit({ ...needs, what: 'invitation token', store: createRateLimitStore(db) });
    const shared = { ...needs, members, invitations, guesses };
    return {
      routes: [
        ...memberRoutes(shared),
        ...invitationRoutes(shared),
        ...publicInvitationRoutes({
          ...shared,
          find: createFindOpenInvitation(shared),
          identity: createIdentity({ ...shared, confirmations: createConfirmationStore(db) }),
          accept: createAcceptInvitation(shared),
        }),
      ],
      memberAccess: [createEndInvitations(invitations)],
      jobs: [guesses],
      async ensureIndexes() {
        await Promise.all([members.ensureIndexes(), invitations.ensureIndexes()]);
      },
    };
  },
};
