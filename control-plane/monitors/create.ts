import { PLANS } from '../accounts/plans.js';
import { refuseOverQuota } from '../accounts/quota.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, checkChannels, type MonitorContext, rulesFor } from './context.js';
import type { MonitorDocument } from './documents.js';
import { acceptSettings, type MonitorSettings, newSettings, planRefusal } from './settings.js';
import type { CreateMonitor } from './settings-schema.js';

/** Creates a monitor and has it checked at once, so that a first result does not wait for a day's interval. */
export async function createMonitor(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  input: CreateMonitor,
): Promise<MonitorDocument> {
  const settings = acceptSettings(newSettings(input, rulesFor(context, actor)));
  const refusal = planRefusal(settings, null, actor.plan);
  if (refusal !== null) throw new AppError('plan_limit', refusal);
  await checkChannels(context, tx, actor, settings.channels);
  await reserveMonitors(context, tx, actor, 1);
  const monitor = newMonitor(context, actor, settings, null);
  await context.store.insert(tx, [monitor]);
  await recordCreated(context, tx, actor, monitor);
  await announce(context, tx, [monitor], 'manual');
  return monitor;
}

export function newMonitor(
  context: MonitorContext,
  actor: Actor,
  settings: MonitorSettings,
  pausedAtMs: number | null,
): MonitorDocument {
  const nowMs = context.clock.now();
  return {
    _id: context.ids.next('mon'),
    workspace_id: actor.workspaceId,
    ...settings,
    paused_at_ms: pausedAtMs,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
    live_from_version: 1,
    last_checked_at_ms: null,
    state: {
      revision: 0,
      status: 'up',
      changed_at_ms: nowMs,
      evaluated_through_ms: 0,
      first_failed_at_ms: null,
      recovering_since_ms: null,
      attention: false,
    },
    live: {},
    good: {},
    certificate: null,
    uptime: null,
    resolve_grace_until_ms: null,
  };
}

export async function recordCreated(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  monitor: MonitorDocument,
): Promise<void> {
  await context.audit.record(tx, actor, {
    action: 'monitor.created',
    resource: { type: 'monitor', id: monitor._id, name: monitor.name },
    metadata: { interval_minutes: monitor.interval_seconds / 60, check_type: monitor.type },
  });
}

/** Far from the limit creations do not wait for one another; this near they do, so that none slips past it. */
const QUOTA_MARGIN_MONITORS = 200;

/** Throws 402 where the plan does not allow `adding` more monitors. */
export async function reserveMonitors(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  adding: number,
): Promise<void> {
  if (adding === 0) return;
  const quota = PLANS[actor.plan].monitors;
  const present = await context.store.count(tx, actor.workspaceId, quota + 1);
  refuseOverQuota(actor.plan, 'monitors', present + adding - 1);
  if (present + adding > quota - QUOTA_MARGIN_MONITORS) await context.store.lockQuota(tx, actor.workspaceId);
}
