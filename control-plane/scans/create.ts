import type { Actor } from '../actor.js';
import { AppError, invalidField } from '../errors.js';
import { PLANS } from '../plans/plans.js';
import { refuseOverQuota } from '../plans/quota.js';
import type { Transaction } from '../storage/transaction.js';
import type { ScanDocument } from './documents.js';
import type { ScanNeeds } from './needs.js';
import { targetOf } from './target.js';

/** A scan that no probe has begun by then fails. */
export const QUEUED_MS_MAX = 10 * 60_000;

/**
 * Queues a scan of the website of a monitor. Throws 422 for a monitor that does not exist or checks no website, 409 while another
 * scan of it runs, and 402 beyond the plan.
 */
export async function createScan(
  { store, days, findMonitor, audit, ids, clock }: ScanNeeds,
  tx: Transaction,
  actor: Actor,
  input: { monitor_id: string },
): Promise<ScanDocument> {
  const { workspaceId, plan } = actor;
  const monitor = await findMonitor(workspaceId, input.monitor_id, tx);
  if (monitor === null) throw invalidField('/monitor_id', 'is not a monitor of this workspace');
  const target = targetOf(monitor);
  if (target === null) throw invalidField('/monitor_id', 'is not a monitor of type http');
  const nowMs = clock.now();
  // The count also makes sure that two concurrent requests do not both start a scan of the website.
  refuseOverQuota(plan, 'scansPerDay', (await days.add(tx, workspaceId, nowMs)) - 1);
  const open = await store.openOf(tx, workspaceId, target.host);
  if (open !== null) throw new AppError('conflict', `A scan of ${target.host} has not ended yet: ${open}.`);
  const scan: ScanDocument = {
    _id: ids.next('scn'),
    workspace_id: workspaceId,
    monitor_id: monitor._id,
    monitor_name: monitor.name,
    target: target.origin,
    host: target.host,
    locations: monitor.locations,
    status: 'queued',
    open: true,
    attempts: 0,
    node_id: null,
    location: null,
    next_at_ms: nowMs,
    deadline_at_ms: nowMs + QUEUED_MS_MAX,
    proof: null,
    failure: null,
    score: null,
    findings: [],
    effort: null,
    created_at_ms: nowMs,
    started_at_ms: null,
    ended_at_ms: null,
    expires_at: new Date(nowMs + PLANS[plan].hoursSeconds * 1_000),
    version: 1,
  };
  await store.insert(tx, scan);
  await audit.record(tx, actor, {
    action: 'scan.triggered',
    resource: { type: 'scan', id: scan._id, name: scan.target },
    metadata: { monitor_id: monitor._id },
  });
  return scan;
}
