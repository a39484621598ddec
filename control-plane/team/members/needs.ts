import type { EndMemberAccess } from '../../accounts/member-access.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { WorkspacesStore } from '../../accounts/workspaces-store.js';
import type { AuditLog } from '../../audit/audit.js';
import type { MembersStore } from './store.js';

/** Dependencies of the operations on members. */
export interface MemberNeeds {
  members: MembersStore;
  memberships: Pick<
    MembershipsStore,
    'lockWorkspace' | 'lockPerson' | 'find' | 'of' | 'hasOtherOwner' | 'setRole' | 'remove'
  >;
  workspaces: Pick<WorkspacesStore, 'document' | 'plans'>;
  endAccess: EndMemberAccess;
  audit: AuditLog;
}
