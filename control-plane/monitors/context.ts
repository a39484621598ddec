import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { TargetGuard } from '../../kernel/target-guard.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError, invalidField, notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { Incidents } from '../incidents/incidents.js';
import type { LocationDirectory, ProbeCommands, RunNowReason } from '../nodes/nodes.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { MonitorChanges } from './changes-store.js';
import type { MonitorDocument, VerdictState } from './documents.js';
import type { ChannelIds, MonitorDirectory } from './monitors.js';
import type { SettingsRules } from './settings.js';
import type { MonitorChange, MonitorStore } from './store.js';

/** What the verbs of this slice work with. */
export interface MonitorContext {
  store: MonitorStore;
  changes: MonitorChanges;
  directory: MonitorDirectory;
  probes: ProbeCommands;
  locations: LocationDirectory;
  incidents: Incidents;
  channels: ChannelIds;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  guard: TargetGuard;
  logger: Logger;
}

export function rulesFor(context: MonitorContext, actor: Actor): SettingsRules {
  return { plan: actor.plan, locationCodes: context.locations.codes(), guard: context.guard };
}

/** The monitor of the actor's workspace, or 404; 412 when `ifVersion` names another version of it. */
export async function loadMonitor(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null = null,
): Promise<MonitorDocument> {
  const monitor = await context.store.find(actor.workspaceId, id, tx);
  if (monitor === null) throw notFound('monitor');
  requireVersion(ifVersion, monitor.version);
  return monitor;
}

/** Writes a change of a monitor that was read in the same transaction. */
export async function writeChange(
  context: MonitorContext,
  tx: Transaction,
  monitor: MonitorDocument,
  change: MonitorChange,
): Promise<MonitorDocument> {
  const changed = await context.store.change(tx, monitor, change);
  // Within a transaction a rival write ends in a write conflict and a new try, so this is a last line of defence.
  if (changed === null) throw new AppError('conflict', 'The monitor was changed by someone else at the same moment.');
  return changed;
}

/**
 * The verdict's state without what it remembers of single votes: status and incident stay, and the next votes are
 * taken as the first. `attention` has the sweep look at the monitor until it finds it clean.
 */
export function votesForgotten(state: VerdictState, attention: boolean): VerdictState {
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

/** Refuses ids that are no channel of the workspace. */
export async function checkChannels(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  channels: readonly string[] | null,
): Promise<void> {
  if (channels === null || channels.length === 0) return;
  const [unknown] = await context.channels.unknown(tx, actor.workspaceId, channels);
  if (unknown !== undefined) {
    throw invalidField(`/channels/${channels.indexOf(unknown)}`, 'must be a channel of this workspace');
  }
}

/** Tells every control plane of the change; once it has taken effect here, checks the active ones where `run` says so. */
export async function announce(
  context: MonitorContext,
  tx: Transaction,
  monitors: readonly MonitorDocument[],
  run: RunNowReason | null,
): Promise<void> {
  await context.changes.note(
    tx,
    monitors.map((monitor) => ({ id: monitor._id, workspaceId: monitor.workspace_id })),
  );
  tx.afterCommit(() => {
    void context.directory.refresh(monitors.map((monitor) => monitor._id)).then(
      () => {
        if (run === null) return;
        const active = monitors.filter((monitor) => monitor.paused_at_ms === null);
        for (const monitor of active) runNow(context, monitor, run, context.clock.now());
      },
      (error: unknown) => context.logger.warn({ err: error }, 'monitors changed; the directory will read them later'),
    );
  });
}

export function runNow(context: MonitorContext, monitor: MonitorDocument, reason: RunNowReason, slotMs: number): void {
  context.probes.runNow({ monitorId: monitor._id, locations: monitor.locations, slotMs, reason });
}
