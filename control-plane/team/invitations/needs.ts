import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { WorkspacesStore } from '../../accounts/workspaces-store.js';
import type { AuditLog } from '../../audit/audit.js';
import type { Mailer } from '../../mail/mailer.js';
import type { Ids } from '../../storage/ids.js';
import type { MembersStore } from '../members/store.js';
import type { InvitationsStore } from './store.js';

/** Dependencies of the operations on invitations. */
export interface InvitationNeeds {
  invitations: InvitationsStore;
  members: MembersStore;
  memberships: MembershipsStore;
  workspaces: WorkspacesStore;
  mailer: Mailer;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  random: Random;
  publicUrl: string;
  /** Null without a mail server. */
  smtpUrl: string | null;
}
