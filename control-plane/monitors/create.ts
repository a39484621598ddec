import { roundTo } from '../../kernel/round.js';
import type { Actor } from '../actor.js';
import { planRefused } from '../plans/plan-limit.js';
import { PLANS } from '../plans/plans.js';
import { refuseOverQuota } from '../plans/quota.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, checkChannels, rulesFor } from './change.js';
import type { MonitorDocument } from './documents.js';
import type { MonitorNeeds } from './needs.js';
import { newSettings } from './settings/build.js';
import { unmasked } from './settings/masks.js';
import { planRefusal } from './settings/plan-limits.js';
import type { CreateMonitor } from './settings/schema.js';
import { acceptSettings, type MonitorSettings } from './settings/settings.js';
import { limitedBy } from './terms/limited.js';

/** Creates a monitor and checks it at once, so that the first result does not wait for an interval of up to a day. */
export async function createMonitor(
  needs: MonitorNeeds,
  tx: Transaction,
  actor: Actor,
  input: CreateMonitor,
): Promise<MonitorDocument> {
  const { settings: sent, errors } = newSettings(input, rulesFor(needs, actor));
  const settings = acceptSettings({ settings: sent, errors: [...errors, ...unmasked(sent, null, null).errors] });
  const refusal = planRefusal(settings, null, actor.plan);
  if (refusal !== null) throw planRefused(refusal);
  await checkChannels(needs, tx, actor, settings.channels);
  await reserveMonitors(needs, tx, actor, 1);
  const monitor = newMonitor(needs, actor, settings, null);
  await insertMonitors(needs, tx, actor, [monitor]);
  await announce(needs, tx, [monitor], 'manual');
  return monitor;
}

/** Returns the document of a monitor that has no results. */
export function newMonitor(
  needs: Pick<MonitorNeeds, 'secrets' | 'clock' | 'ids'>,
  actor: Actor,
  settings: MonitorSettings,
  pausedAtMs: number | null,
): MonitorDocument {
  const nowMs = needs.clock.now();
  const id = needs.ids.next('mon');
  return {
    _id: id,
    workspace_id: actor.workspaceId,
    ...needs.secrets.seal(id, settings),
    ...limitedBy(actor.plan, settings, null),
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

/** Stores new monitors, each with its audit entry. */
export async function insertMonitors(
  needs: Pick<MonitorNeeds, 'store' | 'audit'>,
  tx: Transaction,
  actor: Actor,
  monitors: MonitorDocument[],
): Promise<void> {
  await needs.store.insert(tx, monitors);
  await needs.audit.recordAll(
    tx,
    monitors.map((monitor) => ({
      actor,
      event: {
        action: 'monitor.created',
        resource: { type: 'monitor', id: monitor._id, name: monitor.name },
        metadata: { interval_minutes: roundTo(monitor.interval_seconds / 60, 4), check_type: monitor.type },
      },
    })),
  );
}

/**
 * Within this distance of the limit, the creation of one monitor locks the quota so that none exceeds it. Further away it
 * needs no lock: the most that an import adds, and 200 single ones at the same time, fit in between.
 */
const QUOTA_MARGIN_MONITORS = 2_200;

/** Throws 402 when the plan does not allow `adding` more monitors. */
export async function reserveMonitors(
  needs: Pick<MonitorNeeds, 'store'>,
  tx: Transaction,
  actor: Actor,
  adding: number,
): Promise<void> {
  if (adding === 0) return;
  const quota = PLANS[actor.plan].monitors;
  const held = await needs.store.held(tx, actor.workspaceId);
  const present = held + (await needs.store.count(tx, actor.workspaceId, quota + 1));
  refuseOverQuota(actor.plan, 'monitors', present + adding - 1);
  // Many at once always lock it: some imports together could pass any margin.
  if (adding > 1 || present + adding > quota - QUOTA_MARGIN_MONITORS)
    await needs.store.lockQuota(tx, actor.workspaceId);
}
