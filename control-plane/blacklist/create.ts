import { PLANS } from '../accounts/plans.js';
import { refuseOverQuota } from '../accounts/quota.js';
import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import type { BlacklistContext } from './context.js';
import type { BlacklistMonitorDocument, Frequency } from './documents.js';
import { readTarget } from './lookup/targets.js';

/** Creates a monitor, due at once. Throws 422 for what is no public address or domain, 402 beyond the plan. */
export async function createBlacklistMonitor(
  context: BlacklistContext,
  tx: Transaction,
  actor: Actor,
  input: { target: string; frequency: Frequency },
): Promise<BlacklistMonitorDocument> {
  const { store, audit, ids, clock } = context;
  const target = readTarget(input.target);
  const { plan, workspaceId } = actor;
  await store.lockQuota(tx, workspaceId);
  refuseOverQuota(plan, 'blacklistMonitors', await store.count(tx, workspaceId, PLANS[plan].blacklistMonitors + 1));
  const nowMs = clock.now();
  const monitor: BlacklistMonitorDocument = {
    _id: ids.next('blm'),
    workspace_id: workspaceId,
    target: target.name,
    type: target.type,
    frequency: input.frequency,
    next_at_ms: nowMs,
    listings: [],
    last: null,
    results: [],
    not_asked: [],
    checks: 0,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await store.insert(tx, monitor);
  await context.ensureDefaultRule(tx, actor);
  await audit.record(tx, actor, {
    action: 'blacklist_monitor.created',
    resource: { type: 'blacklist_monitor', id: monitor._id, name: monitor.target },
    metadata: { type: monitor.type, frequency: monitor.frequency },
  });
  return monitor;
}
