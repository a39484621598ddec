import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { WorkspacesStore } from '../../accounts/workspaces-store.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import type { Mailer } from '../../mail/mailer.js';
import type { Ids } from '../../storage/ids.js';
import type { Transaction } from '../../storage/transaction.js';
import type { MembersStore } from '../members/store.js';
import type { InvitationsStore } from './store.js';

/** Dependencies of the operations on invitations. */
export interface InvitationNeeds {
  invitations: InvitationsStore;
  members: MembersStore;
  memberships: MembershipsStore;
  workspaces: WorkspacesStore;
  mailer: Mailer;
  /** Counts an invitation by e-mail. Throws `rate_limited` when its address, sender or workspace has had too many today. */
  countInvitation(tx: Transaction, actor: Actor, address: string): Promise<void>;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  random: Random;
  publicUrl: string;
  /** Null without a mail server. */
  smtpUrl: string | null;
}
