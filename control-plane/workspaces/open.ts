import type { Clock } from '../../kernel/clock.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { StandingStore } from '../accounts/standing-store.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { Mailer } from '../mail/mailer.js';
import type { Sessions } from '../sessions/sessions.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import { createChangeSettings } from './change.js';
import { createCreateWorkspace } from './create.js';
import { createWorkspaceDeletion } from './deletion.js';
import { createListWorkspaces } from './list.js';
import { createWorkspaceRoutes } from './routes.js';
import { createSwitchWorkspace } from './switch.js';

interface WorkspacesNeeds {
  workspaces: WorkspacesStore;
  standings: Pick<StandingStore, 'noteStop'>;
  users: UsersStore;
  memberships: MembershipsStore;
  sessions: Sessions;
  mailer: Mailer;
  audit: AuditLog;
  pager: Pager;
  ids: Ids;
  clock: Clock;
  publicUrl: string;
}

/** The workspaces of a person, and the settings of a workspace. */
export const workspacesSlice: Slice<'ownWorkspaces', WorkspacesNeeds, OpenedSlice> = {
  name: 'ownWorkspaces',
  auditActions: ['workspace.created', 'workspace.updated', 'workspace.deletion_requested', 'workspace.restored'],
  open(needs) {
    return {
      routes: createWorkspaceRoutes({
        workspaces: needs.workspaces,
        list: createListWorkspaces(needs),
        create: createCreateWorkspace(needs),
        switchTo: createSwitchWorkspace(needs),
        change: createChangeSettings(needs),
        deletion: createWorkspaceDeletion(needs),
      }),
    };
  },
};
