import type { Db } from 'mongodb';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { NewFreeWorkspace } from '../accounts/new-free-workspace.js';
import type { StandingStore } from '../accounts/standing/store.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { Mailer } from '../mail/mailer.js';
import type { Sessions } from '../sessions/sessions.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { DatabaseTime } from '../storage/clock/database-time.js';
import type { LeasedPeriodicTaskNeeds } from '../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../storage/transaction.js';
import { createChangeSettings } from './change.js';
import { createCreateWorkspace } from './create.js';
import { createWorkspaceDeletion } from './deletion.js';
import { createErasure, type ErasureNeeds } from './erasure/job.js';
import { createErasureStore } from './erasure/store.js';
import { createGetWorkspace } from './get.js';
import { createListWorkspaces } from './list.js';
import { createWorkspaceRoutes } from './routes.js';
import { createSwitchWorkspace } from './switch.js';

interface WorkspacesNeeds extends LeasedPeriodicTaskNeeds {
  db: Db;
  databaseTime: DatabaseTime;
  forgetFactors: ErasureNeeds['forgetFactors'];
  endAccess: ErasureNeeds['endAccess'];
  hasRenewingSubscription: ErasureNeeds['hasRenewingSubscription'];
  runTransaction: RunTransaction;
  runTaskTransaction: ErasureNeeds['runTaskTransaction'];
  workspaces: WorkspacesStore;
  standings: Pick<StandingStore, 'noteStop'>;
  users: UsersStore;
  memberships: MembershipsStore;
  newFreeWorkspace: NewFreeWorkspace;
  sessions: Sessions;
  mailer: Mailer;
  audit: AuditLog;
  pager: Pager;
  publicUrl: string;
}

/** The workspaces of a person, and the settings of a workspace. */
export const workspacesSlice: Slice<'ownWorkspaces', WorkspacesNeeds, OpenedSlice> = {
  name: 'ownWorkspaces',
  auditActions: [
    ...(['workspace.created', 'workspace.updated', 'workspace.deletion_requested', 'workspace.restored'] as const),
    ...(['workspace.change_refused', 'auth.workspace_switched'] as const),
  ],
  open(needs) {
    const store = createErasureStore(needs.db);
    return {
      jobs: [createErasure({ ...needs, store })],
      ensureIndexes: store.ensureIndexes,
      routes: createWorkspaceRoutes({
        workspaces: needs.workspaces,
        list: createListWorkspaces(needs),
        get: createGetWorkspace(needs),
        create: createCreateWorkspace(needs),
        switchTo: createSwitchWorkspace(needs),
        change: createChangeSettings(needs),
        deletion: createWorkspaceDeletion(needs),
      }),
    };
  },
};
