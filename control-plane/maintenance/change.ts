import type { Actor } from '../actor.js';
import { AppError, invalidField, notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { PlanName } from '../plans/plans.js';
import type { Transaction } from '../storage/transaction.js';
import type { ChangedSchedule, WindowDocument, WindowSettings } from './documents.js';
import type { Existing, WindowNeeds } from './needs.js';
import { overAtMs } from './schedule/occurrences.js';
import type { WindowChange } from './store.js';
import { keepPast } from './uptime/past.js';

/** Of a workspace. Every evaluation of something that fails looks at all of them that are not over. */
const WINDOWS_MAX: Readonly<Record<PlanName, number>> = { Free: 20, Pro: 200, Enterprise: 500 };

/** Throws 404, and 412 when the window is not the version that the client has read. */
export async function loadWindow(
  { store }: Pick<WindowNeeds, 'store'>,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null,
): Promise<WindowDocument> {
  const window = await store.find(actor.workspaceId, id, tx);
  if (window === null) throw notFound('maintenance window');
  requireVersion(ifVersion, window.version);
  return window;
}

/** Throws 422 when a monitor or a server is not of the workspace. `known` are those that the window names already. */
export async function checkTargets(
  needs: WindowNeeds,
  tx: Transaction,
  actor: Actor,
  settings: WindowSettings,
  known: readonly string[],
): Promise<void> {
  const { monitor_ids, server_ids } = settings;
  const added = [...monitor_ids, ...server_ids].filter((id) => !known.includes(id));
  await needs.referenceLock.refer(tx, added);
  const refuseUnknown = async (field: string, what: string, ids: readonly string[], existing: Existing) => {
    const asked = ids.filter((id) => added.includes(id));
    if (asked.length === 0) return;
    const found = await existing(tx, actor.workspaceId, asked);
    const unknown = asked.find((id) => !found.has(id));
    if (unknown === undefined) return;
    throw invalidField(`/${field}/${ids.indexOf(unknown)}`, `must be ${what} of this workspace: ${unknown}`);
  };
  await refuseUnknown('monitor_ids', 'a monitor', monitor_ids, needs.existingMonitors);
  await refuseUnknown('server_ids', 'a server', server_ids, needs.existingServers);
}

/** Throws 409 when the workspace has no room for another. Call it after `noteChange`, which makes the count exact. */
export async function refuseTooMany(
  { store }: WindowNeeds,
  tx: Transaction,
  { workspaceId, plan }: Pick<Actor, 'workspaceId' | 'plan'>,
): Promise<void> {
  const max = WINDOWS_MAX[plan];
  if ((await store.count(tx, workspaceId, max)) < max) return;
  throw new AppError(
    'conflict',
    `A workspace on the ${plan} plan can have ${max} maintenance windows, with those that have ended; delete some of them.`,
  );
}

/** Stores a change and notes it for all control planes. This one acts on it as soon as it is committed. */
export async function writeChange(
  needs: Pick<WindowNeeds, 'store' | 'past' | 'cache' | 'clock'>,
  tx: Transaction,
  window: WindowDocument,
  change: WindowChange & Partial<ChangedSchedule>,
): Promise<WindowDocument> {
  const { store, cache, clock } = needs;
  const nowMs = clock.now();
  const over_at_ms = overAtMs({ ...window, ...change });
  const changed = await store.change(tx, window, { ...change, over_at_ms, updated_at_ms: nowMs });
  // A concurrent change usually ends this transaction with a write conflict, which repeats it. This is a second guard.
  if (changed === null) throw new AppError('conflict', 'A concurrent request changed the maintenance window.');
  const past = await keepPast(needs, tx, window, nowMs);
  await store.noteChange(tx, window.workspace_id);
  tx.afterCommit(() => cache.put(changed, past));
  return changed;
}
