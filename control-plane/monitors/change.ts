import type { Actor } from '../actor.js';
import { invalidField, notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { RunNowReason } from '../nodes/nodes.js';
import type { Transaction } from '../storage/transaction.js';
import type { MonitorDocument, VerdictState } from './documents.js';
import type { MonitorNeeds } from './needs.js';
import type { SettingsRules } from './settings/settings.js';

/** Returns the rules that settings of the actor's workspace must follow. */
export function rulesFor(needs: Pick<MonitorNeeds, 'locations' | 'guard'>, actor: Actor): SettingsRules {
  return { plan: actor.plan, locationCodes: needs.locations.codes(), guard: needs.guard };
}

/** Returns the monitor of the actor's workspace. Throws 404, and 412 when `ifVersion` is another version. */
export async function loadMonitor(
  needs: Pick<MonitorNeeds, 'store'>,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null = null,
): Promise<MonitorDocument> {
  const monitor = await needs.store.find(actor.workspaceId, id, tx);
  if (monitor === null) throw notFound('monitor');
  requireVersion(ifVersion, monitor.version);
  return monitor;
}

/**
 * Returns the state without its record of votes: status and incident stay, and the next votes count as the first.
 * With `attention` the sweep evaluates the monitor until no location fails.
 */
export function resetVotes(state: VerdictState, attention: boolean): VerdictState {
  return {
    revision: state.revision,
    status: state.status,
    changed_at_ms: state.changed_at_ms,
    evaluated_through_ms: state.evaluated_through_ms,
    first_failed_at_ms: null,
    recovering_since_ms: null,
    attention,
    incident: state.incident ?? null,
  };
}

/** Throws 422 for an id that is not a channel of the workspace. */
export async function checkChannels(
  needs: Pick<MonitorNeeds, 'channels'>,
  tx: Transaction,
  actor: Actor,
  channels: readonly string[] | null,
): Promise<void> {
  if (channels === null || channels.length === 0) return;
  const [unknown] = await needs.channels.unknown(tx, actor.workspaceId, channels);
  if (unknown !== undefined) {
    throw invalidField(
      `/channels/${channels.indexOf(unknown)}`,
      'must be a channel of this workspace',
      'unknown_channel',
    );
  }
}

/**
 * Notes the change for every control plane. With a reason in `run`, the active monitors are checked at once, as soon
 * as the directory of this process has the change.
 */
export async function announce(
  needs: Pick<MonitorNeeds, 'changes' | 'directory' | 'probes' | 'clock' | 'logger'>,
  tx: Transaction,
  monitors: readonly MonitorDocument[],
  run: RunNowReason | null,
): Promise<void> {
  await needs.changes.note(
    tx,
    monitors.map((monitor) => ({ id: monitor._id, workspaceId: monitor.workspace_id })),
  );
  tx.afterCommit(() => {
    void needs.directory.refresh(monitors.map((monitor) => monitor._id)).then(
      () => {
        if (run === null) return;
        const active = monitors.filter((monitor) => monitor.paused_at_ms === null);
        for (const monitor of active) runNow(needs, monitor, run, needs.clock.now());
      },
      (error: unknown) =>
        needs.logger.warn({ err: error }, 'failed to refresh changed monitors; the next poll reads them'),
    );
  });
}

/** Has every location of the monitor check it at once. */
export function runNow(
  needs: Pick<MonitorNeeds, 'probes'>,
  monitor: MonitorDocument,
  reason: RunNowReason,
  slotMs: number,
): void {
  needs.probes.runNow({ monitorId: monitor._id, locations: monitor.locations, slotMs, reason });
}
