import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { UserDocument } from './documents.js';
import type { UsersStore } from './users-store.js';

/** Resolves to the account of a person who acts. Throws `not_found` for an account that is deleted by now. */
export async function userOfActor(
  users: Pick<UsersStore, 'find' | 'findIn'>,
  { userId }: Pick<Actor, 'userId'>,
  tx?: Transaction,
): Promise<UserDocument> {
  if (userId === null) throw notFound('account');
  const user = tx === undefined ? await users.find(userId) : await users.findIn(tx, userId);
  if (user === null) throw notFound('account');
  return user;
}
