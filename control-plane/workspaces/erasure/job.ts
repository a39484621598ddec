import type { Logger } from '../../../kernel/logger.js';
import { isBreakGlass } from '../../accounts/break-glass.js';
import type { EndMemberAccess } from '../../accounts/member-access.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import type { StandingStore } from '../../accounts/standing/store.js';
import type { WorkspacesStore } from '../../accounts/workspaces-store.js';
import { platformActor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import type { DatabaseTime } from '../../storage/clock/database-time.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
} from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import { restoreWorkspace } from '../restore.js';
import type { ErasureStore } from './store.js';

const PERIOD_MS = 3_600_000;
const FIRST_MS = 120_000;
const LEASE_MS = 120_000;
/** After the time of a deletion nobody can take it back. What control planes know of the database's clock differs by less. */
const MARGIN_MS = 60_000;
/** Workspaces and people of one run. The next run has the rest. */
const ERASED_PER_RUN_MAX = 100;

export interface ErasureNeeds extends LeasedPeriodicTaskNeeds {
  store: ErasureStore;
  /** The database's time, because a deletion cannot be undone and the clock of a control plane may be wrong. */
  databaseTime: DatabaseTime;
  workspaces: Pick<WorkspacesStore, 'document' | 'setDeletion'>;
  standings: Pick<StandingStore, 'noteStop'>;
  memberships: MembershipsStore;
  hasRenewingSubscription(workspaceId: string): Promise<boolean>;
  /** Deletes the second factors and passkeys of a person. */
  forgetFactors(tx: Transaction, userId: string): Promise<void>;
  endAccess: EndMemberAccess;
  audit: AuditLog;
  /** A person can be in so many workspaces that the time of a request would not be enough. */
  runTaskTransaction: RunTransaction;
  logger: Logger;
}

/** Returns the job that deletes workspaces and accounts whose seven days are over. Resolves to how many it deleted. */
export function createErasure(needs: ErasureNeeds): LeasedPeriodicTask<number> {
  const { store, databaseTime, logger } = needs;
  return createLeasedPeriodicTask(needs, {
    name: 'erasure',
    periodMs: PERIOD_MS,
    firstMs: FIRST_MS,
    leaseMs: LEASE_MS,
    failure: 'deleting what was requested to be deleted failed, retrying in an hour',
    failureLevel: 'error',
    async work({ stillHeld }) {
      let erased = 0;
      const dueMs = (await databaseTime()) - MARGIN_MS;
      for (const { _id: workspace } of await store.dueWorkspaces(dueMs, ERASED_PER_RUN_MAX)) {
        if (!(await stillHeld())) return erased;
        try {
          if (await eraseWorkspace(needs, { workspace, dueMs }, stillHeld)) erased += 1;
        } catch (err) {
          // A failure in one workspace must not stop the others.
          logger.error({ err, workspace }, 'deleting a workspace failed, retrying in an hour');
        }
      }
      for (const user of await store.duePeople(dueMs, ERASED_PER_RUN_MAX)) {
        if (!(await stillHeld())) return erased;
        try {
          const outcome = await erasePerson(needs, user._id, dueMs);
          if (outcome === 'erased') erased += 1;
          else if (outcome !== 'taken back')
            logger.warn(
              { user: user._id, ...outcome },
              'account not deleted because a workspace needs it, retrying in an hour',
            );
        } catch (err) {
          logger.error({ err, user: user._id }, 'deleting an account failed, retrying in an hour');
        }
      }
      return erased;
    },
  });
}

/** Resolves to false for a workspace that has to be paid for, and when the lease is lost before the end. */
async function eraseWorkspace(
  needs: ErasureNeeds,
  { workspace, dueMs }: { workspace: string; dueMs: number },
  stillHeld: () => Promise<boolean>,
): Promise<boolean> {
  const { store, hasRenewingSubscription, logger } = needs;
  // Stripe keeps a checkout open for a day, so an owner may have bought a plan after the request.
  if (await hasRenewingSubscription(workspace)) {
    await restore(needs, workspace, dueMs);
    logger.warn({ workspace }, 'workspace not deleted but restored, because its subscription is active');
    return false;
  }
  if (!(await store.eraseWorkspace(workspace, stillHeld))) return false;
  logger.info({ workspace }, 'a workspace was deleted, as one of its owners had requested');
  return true;
}

/**
 * Takes back a deletion that is due. Nobody could use what is paid for otherwise: a workspace that is due cannot be restored by
 * its owners, because it may be half erased.
 */
function restore(needs: ErasureNeeds, id: string, dueMs: number): Promise<void> {
  return needs.runTaskTransaction(async (tx) => {
    const workspace = await needs.workspaces.document(tx, id);
    if (workspace?.deletion == null) return;
    const untilMs = dueMs + MARGIN_MS;
    await restoreWorkspace(needs, tx, { actor: platformActor(id), workspace, untilMs, reason: 'subscription' });
  });
}

/** A workspace that the person became necessary for after the request. */
interface Kept {
  workspace: string;
  reason: 'only owner' | 'break-glass owner';
}

/** Resolves to `taken back` if the deletion is not due any more, as after the first proof of the address. */
function erasePerson(needs: ErasureNeeds, _id: string, dueMs: number): Promise<'erased' | 'taken back' | Kept> {
  const { store, workspaces, memberships, audit, runTaskTransaction } = needs;
  return runTaskTransaction(async (tx) => {
    // Whoever takes the deletion back from now on conflicts with this transaction, which removes the person.
    const person = await store.duePerson(tx, _id, dueMs);
    if (person === null) return 'taken back';
    await memberships.lockPerson(tx, _id);
    for (const { workspace_id, role } of await memberships.of(tx, _id)) {
      await memberships.lockWorkspace(tx, workspace_id);
      if (role !== 'owner') continue;
      if (!(await memberships.hasOtherOwner(tx, workspace_id, _id))) {
        return { workspace: workspace_id, reason: 'only owner' };
      }
      const workspace = await workspaces.document(tx, workspace_id);
      if (workspace !== null && isBreakGlass(workspace, _id)) {
        return { workspace: workspace_id, reason: 'break-glass owner' };
      }
    }
    for (const { workspace_id, role } of await memberships.of(tx, _id)) {
      const member = { workspaceId: workspace_id, userId: _id, email: person.email, role: null };
      const ended = await needs.endAccess(tx, member);
      await memberships.remove(tx, workspace_id, _id);
      await audit.record(tx, platformActor(workspace_id), {
        action: 'team.member_removed',
        resource: { type: 'user', id: _id, name: person.email },
        metadata: { role, left: true, account_deleted: true, ...ended },
      });
    }
    await needs.forgetFactors(tx, _id);
    await store.removePerson(tx, _id);
    return 'erased';
  });
}
