import { canonicalEmail } from '../http/input/email-address.js';
import type { StandingOf } from '../plans/cache.js';
import { ROLE_RIGHTS } from '../roles.js';
import type { Transaction } from '../storage/transaction.js';
import type { RecipientDocument } from './documents.js';
import type { RecipientMembersStore } from './members-store.js';
import type { RecipientsStore } from './store.js';

/**
 * What an address is to a workspace. `viewer`: of a member who may only read. `new`: it was never asked. `left`: it was a
 * member's, and was not asked since.
 */
export type Relation = 'member' | 'viewer' | 'confirmed' | 'asked' | 'stopped' | 'left' | 'new';

export interface RelationNeeds {
  store: Pick<RecipientsStore, 'known'>;
  members: RecipientMembersStore;
  standingOf: StandingOf;
  isOperators: IsOperators;
}

/** Resolves to whether a workspace is that of the operators, in which no question is asked. */
export type IsOperators = (workspaceId: string) => Promise<boolean>;

/** An address, in lower case, and what is known of it. */
export interface Related {
  relation: Relation;
  document: RecipientDocument | null;
}

/** Resolves to what each address is to the workspace, by address in lower case. */
export async function relationsOf(
  needs: RelationNeeds,
  workspaceId: string,
  addresses: readonly string[],
  tx?: Transaction,
): Promise<ReadonlyMap<string, Related>> {
  const wanted = [...new Set(addresses.map(canonicalEmail))];
  if (wanted.length === 0) return new Map();
  // One after the other: a transaction does one thing at a time.
  const known = await needs.store.known(workspaceId, wanted, tx);
  const roles = await needs.members.rolesOf(workspaceId, wanted, tx);
  const [standing, isOperators] = await Promise.all([needs.standingOf(workspaceId), needs.isOperators(workspaceId)]);
  const relation = (address: string): Relation => {
    const role = roles.get(address);
    if (role !== undefined) return ROLE_RIGHTS[role].write ? 'member' : 'viewer';
    const state = known.get(address)?.state ?? (isOperators ? 'confirmed' : 'new');
    // Until an owner has confirmed, messages may go to the address of the one who signed up, who may be somebody else.
    if (standing?.onlyTo === address && state !== 'stopped') return 'confirmed';
    return state;
  };
  return new Map(
    wanted.map((address) => [address, { relation: relation(address), document: known.get(address) ?? null }]),
  );
}

/** Returns whether an address with this relation may get mails. Pure. */
export function mayGetMails(relation: Relation): boolean {
  return relation === 'member' || relation === 'viewer' || relation === 'confirmed';
}
