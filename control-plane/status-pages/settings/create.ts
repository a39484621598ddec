import type { Actor } from '../../actor.js';
import { PLANS } from '../../plans/plans.js';
import { refuseOverQuota } from '../../plans/quota.js';
import type { Transaction } from '../../storage/transaction.js';
import { audited } from '../audited.js';
import type { StatusPageDocument } from '../documents.js';
import { refuseNamedTwice } from '../hosts/named.js';
import { writeLogo } from '../logo/write.js';
import type { StatusPageNeeds } from '../needs.js';
import type { CreateStatusPage } from '../schema.js';
import { settingsShown } from '../view.js';
import { checkTargets, withFreeSlug } from './change.js';
import { passwordHash } from './password.js';
import { newSettings } from './settings.js';

/** Creates a status page, which is public at once. Throws 422, and 402 beyond the plan. */
export async function createStatusPage(
  needs: StatusPageNeeds,
  tx: Transaction,
  actor: Actor,
  input: CreateStatusPage,
): Promise<StatusPageDocument> {
  const { store, ids, clock, audit } = needs;
  const nowMs = clock.now();
  const settings = newSettings(input, needs);
  const password_hash = await passwordHash(needs, settings, input.password, null);
  await checkTargets(needs, tx, actor, settings, []);
  const allowed = PLANS[actor.plan].statusPages;
  refuseOverQuota(actor.plan, 'statusPages', await store.lockAndCount(tx, actor.workspaceId, allowed));
  const pageId = ids.next('stp');
  await refuseNamedTwice(needs, tx, actor, { pageId, hosts: settings.hosts });
  const page: StatusPageDocument = {
    _id: pageId,
    workspace_id: actor.workspaceId,
    ...settings,
    logo: await writeLogo(needs, tx, { workspaceId: actor.workspaceId, id: pageId }, input.logo, null),
    password_hash,
    created_by: actor.email,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await withFreeSlug(needs, tx, page, () => store.insert(tx, page));
  await audit.record(tx, actor, audited('status_page.created', page, settingsShown(settings)));
  return page;
}
