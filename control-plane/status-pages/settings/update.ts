import type { Actor } from '../../actor.js';
import type { Transaction } from '../../storage/transaction.js';
import { audited, settingsChanges } from '../audited.js';
import { componentsOf, type StatusPageDocument } from '../documents.js';
import { verifiedHosts } from '../hosts/check.js';
import { refuseNamedTwice } from '../hosts/named.js';
import { writeLogo } from '../logo/write.js';
import type { StatusPageNeeds } from '../needs.js';
import type { UpdateStatusPage } from '../schema.js';
import { checkTargets, loadPage, writeChange } from './change.js';
import { passwordHash } from './password.js';
import { changedSettings } from './settings.js';

/** Updates a status page. An update without changes writes nothing. */
export async function updateStatusPage(
  needs: StatusPageNeeds,
  tx: Transaction,
  actor: Actor,
  { id, patch, ifVersion }: { id: string; patch: UpdateStatusPage; ifVersion: number | null },
): Promise<StatusPageDocument> {
  const page = await loadPage(needs, tx, actor, id, ifVersion);
  const settings = changedSettings(page, patch, needs);
  const password_hash = await passwordHash(needs, settings, patch.password, page.password_hash);
  await checkTargets(needs, tx, actor, settings, componentsOf(page));
  if (patch.host_names !== undefined)
    await refuseNamedTwice(needs, tx, actor, { pageId: page._id, hosts: settings.hosts });
  const changes = settingsChanges(page, settings);
  const isNewPassword = password_hash !== page.password_hash;
  const logo = await writeLogo(needs, tx, { workspaceId: actor.workspaceId, id }, patch.logo, page.logo ?? null);
  const isNewLogo = logo?.hash !== page.logo?.hash;
  if (Object.keys(changes).length === 0 && !isNewPassword && !isNewLogo) return page;
  const changed = await writeChange(needs, tx, page, {
    ...settings,
    ...verifiedHosts(settings.hosts ?? []),
    logo,
    password_hash,
  });
  await needs.audit.record(
    tx,
    actor,
    audited('status_page.updated', changed, {
      changes,
      ...(isNewPassword ? { password_changed: true } : {}),
      ...(isNewLogo ? { logo_changed: true } : {}),
    }),
  );
  return changed;
}
