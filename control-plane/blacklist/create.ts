import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import { PLANS } from '../plans/plans.js';
import { refuseOverQuota } from '../plans/quota.js';
import type { Transaction } from '../storage/transaction.js';
import type { BlacklistMonitorDocument, Frequency } from './documents.js';
import { readTarget } from './lookup/targets.js';
import type { BlacklistNeeds } from './needs.js';

/**
 * Creates a monitor, due at once. Throws 422 if the target is not a public address or domain, 409 if it has a monitor
 * already, and 402 beyond the plan.
 */
export async function createBlacklistMonitor(
  needs: BlacklistNeeds,
  tx: Transaction,
  actor: Actor,
  input: { target: string; frequency: Frequency },
): Promise<BlacklistMonitorDocument> {
  const { store, audit, ids, clock } = needs;
  const target = readTarget(input.target);
  const { plan, workspaceId } = actor;
  // The lock also makes sure that two concurrent requests do not both create a monitor of the target.
  const present = await store.lockAndCount(tx, workspaceId, PLANS[plan].blacklistMonitors + 1);
  const known = await store.idOfTarget(tx, workspaceId, target.name);
  if (known !== null) throw new AppError('conflict', `${target.name} already has a blacklist monitor: ${known}.`);
  refuseOverQuota(plan, 'blacklistMonitors', present);
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
  await needs.ensureDefaultRule(tx, actor);
  await audit.record(tx, actor, {
    action: 'blacklist_monitor.created',
    resource: { type: 'blacklist_monitor', id: monitor._id, name: monitor.target },
    metadata: { type: monitor.type, frequency: monitor.frequency },
  });
  return monitor;
}
