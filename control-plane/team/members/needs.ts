import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { WorkspacesStore } from '../../accounts/workspaces-store.js';
import type { AuditLog } from '../../audit/audit.js';
import type { Sessions } from '../../sessions/sessions.js';
import type { Transaction } from '../../storage/transaction.js';
import type { MembersStore } from './store.js';

/** Dependencies of the operations on members. */
export interface MemberNeeds {
  members: MembersStore;
  memberships: Pick<MembershipsStore, 'lockWorkspace' | 'find' | 'hasOtherOwner' | 'setRole' | 'remove'>;
  workspaces: Pick<WorkspacesStore, 'document'>;
  /** Revokes the API keys that a person created in a workspace. Resolves to their number. */
  revokeKeysOf(tx: Transaction, workspaceId: string, userId: string): Promise<number>;
  sessions: Pick<Sessions, 'endAll'>;
  audit: AuditLog;
}
