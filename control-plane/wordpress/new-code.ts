import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { SiteWithCode } from './create.js';
import { loadSite, siteResource } from './load.js';
import type { SiteNeeds } from './needs.js';
import { CODE_VALID_MS, codeHash, newCode } from './protocol/code.js';

/**
 * Replaces the activation code of a site. A connected plugin stays connected until another one uses the code, for example
 * after the site was moved.
 */
export async function createActivationCode(
  { sites, audit, clock, random }: SiteNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<SiteWithCode> {
  const site = await loadSite(sites, actor, id, tx);
  const nowMs = clock.now();
  const code = newCode(random);
  const changed = await sites.change(tx, site, {
    code: { hash: codeHash(code) ?? '', expires_at_ms: nowMs + CODE_VALID_MS, made_by: actor.userId },
    updated_at_ms: nowMs,
  });
  if (changed === null) throw new AppError('conflict', 'The site was changed by another request at the same time.');
  await audit.record(tx, actor, { action: 'site.code_created', resource: siteResource(site) });
  return { site: changed, code };
}
