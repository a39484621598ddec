import type { Clock } from '../../../kernel/clock.js';
import { apiKeyExpiringMail } from '../../mail/contents/api-key-expiring.js';
import { mailLink } from '../../mail/link.js';
import type { Mailer } from '../../mail/mailer.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
} from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { MembershipsStore } from '../memberships-store.js';
import type { UsersStore } from '../users-store.js';
import type { WorkspacesStore } from '../workspaces-store.js';
import type { ApiKeyDocument } from './documents.js';
import type { ApiKeysStore } from './store.js';

/** The time before the expiry of a key at which the reminder is sent to its creator. */
const REMIND_MS = 7 * 86_400_000;
/** Keys of one run. The next run has the rest. */
const KEYS_PER_RUN_MAX = 500;
const FIRST_MS = 60_000;

const PERIOD_MS = 3_600_000;
const LEASE_MS = 120_000;

/** Returns the hourly job. Its first run is soon after the start, for what was due meanwhile. */
export function createExpiryReminders(
  needs: ExpiryRemindersNeeds & LeasedPeriodicTaskNeeds,
): LeasedPeriodicTask<number> {
  return createLeasedPeriodicTask(needs, {
    name: 'api_key_reminders',
    periodMs: PERIOD_MS,
    firstMs: FIRST_MS,
    leaseMs: LEASE_MS,
    work: () => remindOfExpiries(needs),
    failure: 'reminding of API keys that expire soon failed, retrying in an hour',
  });
}

export interface ExpiryRemindersNeeds {
  store: ApiKeysStore;
  users: UsersStore;
  workspaces: WorkspacesStore;
  memberships: MembershipsStore;
  mailer: Mailer;
  runTransaction: RunTransaction;
  clock: Clock;
  publicUrl: string;
}

/**
 * Sends a mail to the creator of each key that expires within a week, once. A key that was made for less than that is
 * not mentioned: whoever made it knows. Resolves to the number of mails.
 */
async function remindOfExpiries(needs: ExpiryRemindersNeeds): Promise<number> {
  const nowMs = needs.clock.now();
  const expiring = await needs.store.expiring({ fromMs: nowMs, toMs: nowMs + REMIND_MS, rowsMax: KEYS_PER_RUN_MAX });
  let sent = 0;
  for (const key of expiring) if (await remind(needs, key, nowMs)) sent += 1;
  return sent;
}

function remind(needs: ExpiryRemindersNeeds, key: ApiKeyDocument, nowMs: number): Promise<boolean> {
  const { store, users, workspaces, memberships, mailer, runTransaction, publicUrl } = needs;
  const expiresAtMs = key.expires_at_ms ?? nowMs;
  return runTransaction(async (tx) => {
    // Written also for a key that needs no reminder, so that no later run reads it again.
    if (!(await store.noteReminder(tx, key.workspace_id, key._id, nowMs))) return false;
    if (expiresAtMs - key.created_at_ms <= REMIND_MS) return false;
    const [user, workspace, membership] = [
      await users.findIn(tx, key.user_id),
      await workspaces.document(tx, key.workspace_id),
      await memberships.find(tx, key.workspace_id, key.user_id),
    ];
    if (user === null || workspace === null || membership === null) return false;
    const mail = apiKeyExpiringMail({
      ...{ to: user.email, name: key.name, lastFour: key.last_four, workspace: workspace.name },
      ...{ keyExpiresAtMs: expiresAtMs, lastUsedAtMs: key.last_used_at_ms, nowMs },
      link: mailLink(publicUrl, '/settings/api-keys'),
    });
    await mailer.send(tx, { ...mail, workspaceId: key.workspace_id });
    return true;
  });
}
