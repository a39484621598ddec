import { createHash } from 'node:crypto';
import type { StatusPageDocument } from '../documents.js';
import type { SubscriberDocument } from './documents.js';

const HASH_CHARS = 32;

type Guarded = Pick<StatusPageDocument, 'visibility' | 'password_hash'>;

/**
 * Names who can see a page now: `public`, `members`, or a hash that changes with its password. Stored with a subscription, because
 * people who subscribed to a public page have not seen what a narrower one says.
 */
export function accessOf({ visibility, password_hash }: Guarded): string {
  if (visibility !== 'password') return visibility;
  return createHash('sha256')
    .update(password_hash ?? '')
    .digest('hex')
    .slice(0, HASH_CHARS);
}

/**
 * Returns whether a subscriber may get what the page says now. Those of a public page get nothing while it has a password, and those
 * who knew an earlier password nothing under a new one; they get it again when the page is public again. Of a page for members, only
 * addresses of members get mails (`members`, in lower case). A webhook is a member's own. Pure.
 */
export function mayNotify(
  page: Guarded,
  { type, receiver, access }: Pick<SubscriberDocument, 'type' | 'receiver' | 'access'>,
  members: ReadonlySet<string>,
): boolean {
  if (type === 'webhook' || page.visibility === 'public') return true;
  return page.visibility === 'members' ? members.has(receiver) : access === accessOf(page);
}
