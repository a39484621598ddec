import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../actor.js';
import { planRefused } from '../plans/plan-limit.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, checkChannels, loadMonitor, resetVotes, rulesFor } from './change.js';
import type { MonitorChange, MonitorDocument } from './documents.js';
import type { PlannedChange } from './many/decision.js';
import { writePlanned } from './many/planned-change.js';
import type { MonitorNeeds } from './needs.js';
import { changedSettings } from './settings/build.js';
import { settingsChanges } from './settings/changes.js';
import { masked, secretsOf } from './settings/masks.js';
import { planRefusal } from './settings/plan-limits.js';
import type { UpdateMonitor } from './settings/schema.js';
import { acceptSettings, type MonitorSettings } from './settings/settings.js';
import { limitedBy } from './terms/limited.js';
import { lastChecked } from './view.js';

/** Updates the settings that the request names. A request that changes nothing writes nothing. */
export async function updateMonitor(
  needs: MonitorNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
  patch: UpdateMonitor,
  ifVersion: number | null,
): Promise<MonitorDocument> {
  const monitor = await loadMonitor(needs, tx, actor, id, ifVersion);
  const current = needs.secrets.settings(monitor);
  const settings = acceptSettings(changedSettings(current, patch, rulesFor(needs, actor)));
  const refusal = planRefusal(settings, current, actor.plan);
  if (refusal !== null) throw planRefused(refusal);
  if (patch.channels !== undefined) await checkChannels(needs, tx, actor, settings.channels);
  if (isDeepStrictEqual(settings, current)) return monitor;
  const changed = await writePlanned(needs, tx, actor, updating(needs, actor, monitor, settings));
  await announce(needs, tx, [changed], isOtherCheck(current, settings) ? 'manual' : null);
  return changed;
}

/** Returns the change that gives a monitor settings that differ from its own. */
export function updating(
  needs: Pick<MonitorNeeds, 'secrets' | 'clock'>,
  actor: Actor,
  monitor: MonitorDocument,
  settings: MonitorSettings,
): PlannedChange {
  const before = needs.secrets.settings(monitor);
  const limits = limitedBy(actor.plan, settings, monitor);
  return {
    monitor,
    change: {
      ...sealedSettings(needs, monitor, before, settings),
      ...limits,
      updated_at_ms: needs.clock.now(),
      ...verdictInputs(monitor, before, { ...settings, locations: limits.locations }),
    },
    event: {
      action: 'monitor.updated',
      resource: { type: 'monitor', id: monitor._id, name: settings.name },
      metadata: { changes: settingsChanges(before, settings) },
    },
    // An incident about the certificate of the old target would never be resolved by checks of the new one.
    ends: isOtherTarget(before, settings)
      ? {
          resolution: 'target_changed',
          message: `Resolved because ${actor.email} changed the target of the monitor.`,
          kind: 'certificate',
        }
      : null,
  };
}

/** Returns the settings as the monitor stores them. Secrets that stay the same are not sealed again. */
function sealedSettings(
  { secrets }: Pick<MonitorNeeds, 'secrets'>,
  { _id, sealed }: MonitorDocument,
  before: MonitorSettings,
  settings: MonitorSettings,
) {
  const isSame = sealed !== undefined && isDeepStrictEqual(secretsOf(before), secretsOf(settings));
  return isSame ? { ...masked(settings), sealed } : secrets.seal(_id, settings);
}

/** Whether the checks themselves differ, so that earlier results do not apply to the new settings. */
export function isOtherCheck(before: MonitorSettings, after: MonitorSettings): boolean {
  return isOtherTarget(before, after) || !isDeepStrictEqual(before.http, after.http);
}

/**
 * Returns how the change affects the votes; history always stays. Results for another target or for other HTTP
 * settings no longer vote, nor do results of removed locations. The status stays until new votes change it.
 */
function verdictInputs(monitor: MonitorDocument, before: MonitorSettings, settings: MonitorSettings): MonitorChange {
  const isActive = monitor.paused_at_ms === null;
  if (isOtherCheck(before, settings)) {
    return {
      live: {},
      good: {},
      live_from_version: monitor.version + 1,
      last_checked_at_ms: lastChecked(monitor),
      state: resetVotes(monitor.state, isActive),
      ...(isOtherTarget(before, settings) ? { certificate: null, certificate_told: null, certificate_seen: null } : {}),
    };
  }
  const { failing = {}, ...state } = monitor.state;
  const ofKept = <T>(byLocation: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(byLocation).filter(([location]) => settings.locations.includes(location)));
  return {
    live: ofKept(monitor.live),
    good: ofKept(monitor.good),
    last_checked_at_ms: lastChecked(monitor),
    state: { ...state, failing: ofKept(failing), attention: isActive },
  };
}

function isOtherTarget(before: MonitorSettings, after: MonitorSettings): boolean {
  return before.url !== after.url || before.type !== after.type;
}
