import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadMonitor, resetVotes, resolveAndRecord, writeChange } from './change.js';
import type { MonitorDocument } from './documents.js';
import type { MonitorNeeds } from './needs.js';

/** Stops the checks and resolves an unresolved incident. The status stays, and `resumeMonitor` continues with it. */
export async function pauseMonitor(
  needs: MonitorNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<MonitorDocument> {
  const monitor = await loadMonitor(needs, tx, actor, id);
  if (monitor.paused_at_ms !== null) return monitor;
  const nowMs = needs.clock.now();
  const paused = await writeChange(needs, tx, monitor, {
    paused_at_ms: nowMs,
    updated_at_ms: nowMs,
    resolve_grace_until_ms: null,
    state: resetVotes({ ...monitor.state, incident: null }, false),
  });
  await resolveAndRecord(needs, tx, actor, monitor, 'paused');
  await announce(needs, tx, [paused], null);
  return paused;
}
