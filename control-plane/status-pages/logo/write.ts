import { createHash } from 'node:crypto';
import { readLogo } from '../../logo/logo.js';
import type { Transaction } from '../../storage/transaction.js';
import type { PageLogo } from '../documents.js';
import type { StatusPageNeeds } from '../needs.js';

const HASH_CHARS = 16;

/**
 * Stores the logo of a request, or removes the one before. Returns what the page has of it; `current` if the request has none.
 * Throws 422 for a wrong picture.
 */
export async function writeLogo(
  { logos }: Pick<StatusPageNeeds, 'logos'>,
  tx: Transaction,
  page: { workspaceId: string; id: string },
  sent: string | null | undefined,
  current: PageLogo | null,
): Promise<PageLogo | null> {
  if (sent === undefined) return current;
  if (sent === null) {
    await logos.remove(tx, page.workspaceId, page.id);
    return null;
  }
  const logo = await readLogo(sent, '/logo');
  await logos.save(tx, page, logo);
  return { hash: createHash('sha256').update(logo.bytes).digest('hex').slice(0, HASH_CHARS) };
}
