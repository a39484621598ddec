import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { audited, settingsChanges } from './audited.js';
import { checkTargets, loadWindow, writeChange } from './change.js';
import type { WindowDocument } from './documents.js';
import type { WindowNeeds } from './needs.js';
import type { UpdateWindow } from './schema.js';
import { changedSettings } from './settings.js';
import { refuseTooManyPast } from './uptime/past.js';

/** Updates a window. An update without changes writes nothing. */
export async function updateWindow(
  needs: WindowNeeds,
  tx: Transaction,
  actor: Actor,
  { id, patch, ifVersion }: { id: string; patch: UpdateWindow; ifVersion: number | null },
): Promise<WindowDocument> {
  const window = await loadWindow(needs, tx, actor, id, ifVersion);
  const settings = changedSettings(window, patch, needs.clock.now());
  await checkTargets(needs, tx, actor, settings, [...window.monitor_ids, ...window.server_ids]);
  const changes = settingsChanges(window, settings);
  if (Object.keys(changes).length === 0) return window;
  if (settings.counts_in_uptime === false) await refuseTooManyPast(needs, tx, actor.workspaceId, needs.clock.now());
  // Changes of one occurrence belong to the times that the window had.
  const isRescheduled = ['starts_at', 'ends_at', 'recurrence'].some((field) => field in changes);
  const changed = await writeChange(needs, tx, window, {
    ...settings,
    ...(isRescheduled ? { extension: null, cut: null } : {}),
  });
  await needs.audit.record(tx, actor, audited('maintenance.updated', changed, { changes }));
  return changed;
}
