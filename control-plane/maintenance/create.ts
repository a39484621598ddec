import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { audited, settingsShown } from './audited.js';
import { checkTargets, refuseTooMany } from './change.js';
import type { WindowDocument } from './documents.js';
import type { WindowNeeds } from './needs.js';
import { overAtMs } from './schedule/occurrences.js';
import type { CreateWindow } from './schema.js';
import { newSettings } from './settings.js';
import { refuseTooManyPast } from './uptime/past.js';

export async function createWindow(
  needs: WindowNeeds,
  tx: Transaction,
  actor: Actor,
  input: CreateWindow,
): Promise<WindowDocument> {
  const { store, cache, ids, clock, audit } = needs;
  const nowMs = clock.now();
  const settings = newSettings(input, nowMs);
  await checkTargets(needs, tx, actor, settings, []);
  await store.noteChange(tx, actor.workspaceId);
  await refuseTooMany(needs, tx, actor);
  if (settings.counts_in_uptime === false) await refuseTooManyPast(needs, tx, actor.workspaceId, nowMs);
  const changed = { extension: null, cut: null };
  const window: WindowDocument = {
    ...{ _id: ids.next('mnt'), workspace_id: actor.workspaceId },
    ...settings,
    ...{ ...changed, over_at_ms: overAtMs({ ...settings, ...changed }) },
    ...{ created_by: actor.email, created_at_ms: nowMs, updated_at_ms: nowMs, version: 1 },
  };
  await store.insert(tx, window);
  await audit.record(tx, actor, audited('maintenance.created', window, settingsShown(settings)));
  tx.afterCommit(() => cache.put(window, null));
  return window;
}
