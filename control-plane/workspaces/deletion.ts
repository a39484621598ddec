import type { Clock } from '../../kernel/clock.js';
import type { WorkspaceDocument } from '../accounts/documents.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { StandingStore } from '../accounts/standing/store.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError, invalidField, notFound } from '../errors.js';
import { workspaceDeletionMail } from '../mail/contents/workspace-deletion.js';
import { mailLink } from '../mail/link.js';
import type { Mailer } from '../mail/mailer.js';
import type { Transaction } from '../storage/transaction.js';
import { restoreWorkspace } from './restore.js';

/** The time in which a deletion can be taken back. */
const WAY_BACK_MS = 7 * 86_400_000;

/** Requests and takes back the deletion of the actor's workspace. Until the time is up, nothing is deleted. */
export interface WorkspaceDeletion {
  /**
   * Resolves to the time of the deletion. Throws 422 for another name, 409 for the workspace of the operators and for one with
   * a subscription that is renewed.
   */
  request(tx: Transaction, actor: Actor, name: string): Promise<number>;
  takeBack(tx: Transaction, actor: Actor): Promise<WorkspaceDocument>;
}

export function createWorkspaceDeletion(needs: {
  workspaces: WorkspacesStore;
  standings: Pick<StandingStore, 'noteStop'>;
  memberships: MembershipsStore;
  users: UsersStore;
  mailer: Mailer;
  audit: AuditLog;
  clock: Clock;
  publicUrl: string;
  hasRenewingSubscription(workspaceId: string): Promise<boolean>;
}): WorkspaceDeletion {
  const { workspaces, standings, memberships, users, mailer, audit, clock, publicUrl } = needs;

  async function found(tx: Transaction, actor: Actor): Promise<WorkspaceDocument> {
    const workspace = await workspaces.document(tx, actor.workspaceId);
    if (workspace === null) throw notFound('workspace');
    return workspace;
  }

  return {
    async request(tx, actor, name) {
      const workspace = await found(tx, actor);
      if (name.trim() !== workspace.name) {
        throw invalidField('/name', 'must be the name of the workspace', 'name_of_workspace');
      }
      if ((await workspaces.operators())?.id === workspace._id) {
        throw new AppError('conflict', 'This is the workspace of the operators. It cannot be deleted.');
      }
      if (workspace.deletion != null) return workspace.deletion.at_ms;
      if (await needs.hasRenewingSubscription(workspace._id)) {
        const way = 'Change the plan to Free first: POST /v1/billing/plan.';
        throw new AppError('conflict', `The subscription of this workspace renews automatically. ${way}`);
      }
      const requested_at_ms = clock.now();
      const deletion = { requested_at_ms, by: actor.userId ?? '', at_ms: requested_at_ms + WAY_BACK_MS };
      await workspaces.setDeletion(tx, workspace._id, deletion);
      await standings.noteStop(tx, workspace._id, null);
      const owners = await users.emails(await memberships.owners(tx, workspace._id));
      for (const to of owners.values()) {
        const about = { workspace: workspace.name, by: actor.email, deletedAtMs: deletion.at_ms };
        const link = mailLink(publicUrl, '/settings/workspace');
        await mailer.send(tx, workspaceDeletionMail({ to, ...about, requestedAtMs: requested_at_ms, link }));
      }
      const resource = { type: 'workspace', id: workspace._id, name: workspace.name };
      await audit.record(tx, actor, { action: 'workspace.deletion_requested', resource });
      return deletion.at_ms;
    },
    async takeBack(tx, actor) {
      const workspace = await found(tx, actor);
      if (workspace.deletion == null) throw new AppError('conflict', 'The workspace is not going to be deleted.');
      if (workspace.deletion.at_ms <= clock.now()) throw new AppError('conflict', 'The workspace is being deleted.');
      await restoreWorkspace(needs, tx, { actor, workspace, untilMs: clock.now() });
      return { ...workspace, deletion: null };
    },
  };
}
