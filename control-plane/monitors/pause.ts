import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadMonitor, resetVotes } from './change.js';
import type { MonitorDocument } from './documents.js';
import type { PlannedChange } from './many/decision.js';
import { writePlanned } from './many/planned-change.js';
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
  const paused = await writePlanned(needs, tx, actor, pausing(actor, monitor, { pausedAtMs: nowMs, nowMs }));
  await announce(needs, tx, [paused], null);
  return paused;
}

/** Returns the change that pauses an active monitor. `pausedAtMs` is what its pause shows as its beginning. Pure. */
export function pausing(
  actor: Actor,
  monitor: MonitorDocument,
  { pausedAtMs, nowMs }: { pausedAtMs: number; nowMs: number },
): PlannedChange {
  return {
    monitor,
    change: {
      paused_at_ms: pausedAtMs,
      updated_at_ms: nowMs,
      resolve_grace_until_ms: null,
      state: resetVotes({ ...monitor.state, incident: null }, false),
    },
    event: { action: 'monitor.paused', resource: { type: 'monitor', id: monitor._id, name: monitor.name } },
    ends: { resolution: 'paused', message: `Resolved because ${actor.email} paused the monitor.`, kind: null },
  };
}
