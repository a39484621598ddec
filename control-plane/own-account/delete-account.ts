import type { Clock } from '../../kernel/clock.js';
import { refuseBreakGlass } from '../accounts/break-glass.js';
import type { UserDocument } from '../accounts/documents.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import { userOfActor } from '../accounts/user-of-actor.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError } from '../errors.js';
import { accountDeletionMail } from '../mail/contents/account-deletion.js';
import { mailLink } from '../mail/link.js';
import type { Mailer } from '../mail/mailer.js';
import { originOf } from '../sessions/devices/origin.js';
import type { Sessions } from '../sessions/sessions.js';
import type { Transaction } from '../storage/transaction.js';

/** The time in which a deletion can be taken back. */
const WAY_BACK_MS = 7 * 86_400_000;
/** Names of workspaces in one error message. */
const NAMED_MAX = 5;

export interface DeleteAccountNeeds {
  users: UsersStore;
  workspaces: WorkspacesStore;
  memberships: MembershipsStore;
  sessions: Sessions;
  mailer: Mailer;
  audit: AuditLog;
  clock: Clock;
  publicUrl: string;
}

/** Requests and takes back the deletion of the account of the person who is logged in. */
export interface AccountDeletion {
  /**
   * Resolves to the time of the deletion. Other sessions end. Throws 409 while a workspace with other members would be
   * left without an owner or its break-glass owner, naming it.
   */
  request(tx: Transaction, actor: Actor): Promise<number>;
  takeBack(tx: Transaction, actor: Actor): Promise<void>;
}

export function createAccountDeletion(needs: DeleteAccountNeeds): AccountDeletion {
  const { users, sessions, mailer, clock, publicUrl } = needs;
  return {
    async request(tx, actor) {
      const user = await userOfActor(users, actor, tx);
      await refuseToOrphan(needs, tx, user);
      const requested_at_ms = clock.now();
      const deletion = { requested_at_ms, by: user._id, at_ms: requested_at_ms + WAY_BACK_MS };
      await users.setDeletion(tx, user._id, deletion);
      await sessions.endAll(tx, user._id, actor.session === null ? {} : { except: actor.session.id });
      const link = mailLink(publicUrl, '/settings/account');
      const origin = originOf(actor, requested_at_ms);
      await mailer.send(tx, accountDeletionMail({ to: user.email, link, deletedAtMs: deletion.at_ms, origin }));
      await record(needs, tx, { actor, user }, 'auth.account_deletion_requested');
      return deletion.at_ms;
    },
    async takeBack(tx, actor) {
      const user = await userOfActor(users, actor, tx);
      if (user.deletion == null) throw new AppError('conflict', 'The account is not going to be deleted.');
      if (user.deletion.at_ms <= clock.now()) throw new AppError('conflict', 'The account is being deleted.');
      await users.setDeletion(tx, user._id, null);
      await record(needs, tx, { actor, user }, 'auth.account_deletion_cancelled');
    },
  };
}

async function refuseToOrphan(needs: DeleteAccountNeeds, tx: Transaction, user: UserDocument): Promise<void> {
  const orphans: string[] = [];
  for (const { workspace_id, role } of await needs.memberships.of(tx, user._id)) {
    if (role !== 'owner') continue;
    // Locks the workspace, so that nobody makes this person its break-glass owner before the commit.
    await needs.memberships.lockWorkspace(tx, workspace_id);
    const workspace = await needs.workspaces.document(tx, workspace_id);
    if (workspace === null || workspace.deletion != null) continue;
    refuseBreakGlass(workspace, user._id);
    if (!(await needs.memberships.hasOtherOwner(tx, workspace_id, user._id))) orphans.push(workspace.name);
  }
  if (orphans.length === 0) return;
  const names = orphans
    .slice(0, NAMED_MAX)
    .map((name) => JSON.stringify(name))
    .join(', ');
  const more = orphans.length > NAMED_MAX ? ` and ${orphans.length - NAMED_MAX} more` : '';
  throw new AppError(
    'conflict',
    `You are the only owner of ${names}${more}. Make somebody else an owner, or delete the workspace, first.`,
  );
}

async function record(
  { audit }: DeleteAccountNeeds,
  tx: Transaction,
  done: { actor: Actor; user: UserDocument },
  action: 'auth.account_deletion_requested' | 'auth.account_deletion_cancelled',
): Promise<void> {
  const { actor, user } = done;
  const resource = { type: 'user', id: user._id, name: user.email };
  await audit.record(tx, actor, { action, resource });
}
