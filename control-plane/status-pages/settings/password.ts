import { invalidField } from '../../errors.js';
import type { PageSettings } from '../documents.js';
import type { StatusPageNeeds } from '../needs.js';

/**
 * Returns the hash of the password that the page has from now on; null for a page without one. Throws 422 when one is missing, or
 * given for a page that needs none.
 */
export async function passwordHash(
  { passwords }: Pick<StatusPageNeeds, 'passwords'>,
  { visibility }: Pick<PageSettings, 'visibility'>,
  password: string | undefined,
  current: string | null,
): Promise<string | null> {
  if (visibility !== 'password') {
    if (password === undefined) return null;
    throw invalidField('/password', 'is only for a page with visibility password', 'not_with');
  }
  if (password !== undefined) return passwords.hash(password);
  if (current === null) throw invalidField('/password', 'is missing', 'required');
  return current;
}
