import { ROLE_RIGHTS, type Role } from '../roles.js';
import type { Transaction } from '../storage/transaction.js';
import type { Workspaces } from './accounts.js';
import type { WorkspaceDocument } from './documents.js';
import type { MembershipsStore } from './memberships-store.js';

/** The people who operate the installation: the owners and admins of the workspace of the first run. */
export interface Operators {
  /** Resolves to the id of their workspace; null before the first run. */
  workspaceId(): Promise<string | null>;
  /** Resolves to whether the person is one of them, as the transaction sees it. They only operate while they act there. */
  includes(tx: Transaction, userId: string): Promise<boolean>;
}

export function createOperators(needs: {
  workspaces: Pick<Workspaces, 'operators'>;
  memberships: Pick<MembershipsStore, 'find'>;
}): Operators {
  const workspaceId = async () => (await needs.workspaces.operators())?.id ?? null;
  return {
    workspaceId,
    async includes(tx, userId) {
      const id = await workspaceId();
      const membership = id === null ? null : await needs.memberships.find(tx, id, userId);
      return membership !== null && mayOperate(membership.role);
    },
  };
}

/** Returns whether somebody who acts in this workspace with this role operates the installation. */
export function isOperator(workspace: Pick<WorkspaceDocument, 'operates_installation'>, role: Role): boolean {
  return workspace.operates_installation === true && mayOperate(role);
}

/** Returns whether members of the operators' workspace with this role are operators. */
export function mayOperate(role: Role): boolean {
  return ROLE_RIGHTS[role].manage;
}
