import type { UsersStore } from '../../accounts/users-store.js';
import type { Sessions } from '../../sessions/sessions.js';
import type { Transaction } from '../../storage/transaction.js';
import { emailAddress } from '../sign-in/email-address.js';
import type { DomainStore } from './store.js';

export interface EndSessionsNeeds {
  domains: Pick<DomainStore, 'verifiedOf'>;
  users: UsersStore;
  sessions: Pick<Sessions, 'peopleOfProvider' | 'endOfProvider'>;
}

/**
 * Ends the sessions that the provider of the workspace opened for people whose address is in none of its verified domains any
 * more: the provider could not open them now. Call it after the write. Resolves to how many it ended.
 */
export async function endSessionsOutside(needs: EndSessionsNeeds, tx: Transaction, workspaceId: string) {
  const { domains, users, sessions } = needs;
  const verified = new Set(await domains.verifiedOf(tx, workspaceId));
  const people = await sessions.peopleOfProvider(tx, workspaceId);
  const emails = await users.emails(people);
  const outside = people.filter((id) => !verified.has(emailAddress(emails.get(id))?.domain ?? ''));
  return outside.length === 0 ? 0 : sessions.endOfProvider(tx, workspaceId, outside);
}

/** Returns how an audit entry counts ended sessions; nothing if none ended. */
export function endedSessions(count: number): { sessions_ended?: number } {
  return count === 0 ? {} : { sessions_ended: count };
}
