import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { MonitorAssignment } from '../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { ProbeCommandDocument } from '../documents.js';
import type { Presence } from '../presence/presence.js';
import { rendezvousOwner } from './rendezvous.js';
import type { ProbeSessions } from './sessions.js';

/** How long a command waits until its monitor is known here, for example while the database is unavailable. */
const UNKNOWN_KEPT_MS = 5_000;
const UNKNOWN_MAX = 10_000;
/** A command is sent once. This is remembered longer than a command can be in transit. */
const SENT_KEPT_MS = 60_000;

export type Command = Omit<ProbeCommandDocument, 'created_at' | 'control_plane'>;

export interface CommandDeliveryNeeds {
  sessions: ProbeSessions;
  presence: Presence;
  /** Returns null before the first read of the monitors, and for a monitor that the location does not check. */
  assignment(location: string, monitorId: string): MonitorAssignment | null;
  /** Reads unknown monitors. */
  refresh(monitorIds: readonly string[]): Promise<void>;
  clock: Clock;
  logger: Logger;
}

/** Sends commands with their assignments on the streams of this control plane, each command once. */
export interface CommandDelivery {
  deliver(command: Command): void;
  /** Sends commands whose monitor was unknown, and forgets old ones. */
  retry(): void;
}

export function createCommandDelivery(needs: CommandDeliveryNeeds): CommandDelivery {
  const { assignment, refresh, clock, logger } = needs;
  const sent = new Map<string, number>();
  const unknown = new Map<string, { command: Command; untilMs: number }>();
  function retry(): void {
    const now = clock.monotonic();
    // Entries are in the order of their time, so the first that is not expired ends the loop.
    for (const [id, untilMs] of sent) {
      if (untilMs > now) break;
      sent.delete(id);
    }
    for (const [id, { command, untilMs }] of unknown) if (trySend(needs, command) || untilMs <= now) unknown.delete(id);
  }
  // A command can arrive before the change of its monitor is known here. Then the monitor is read, once for each
  // command.
  const requestRefresh = createRefreshQueue(refresh, (error) => {
    if (error !== null) logger.warn({ err: error }, 'reading the monitors of run-now commands failed');
    retry();
  });
  return {
    deliver(command) {
      if (sent.has(command._id)) return;
      sent.set(command._id, clock.monotonic() + SENT_KEPT_MS);
      if (trySend(needs, command) || unknown.size >= UNKNOWN_MAX) return;
      unknown.set(command._id, { command, untilMs: clock.monotonic() + UNKNOWN_KEPT_MS });
      if (assignment(command.location, command.monitor_id) === null) requestRefresh(command.monitor_id);
    },
    retry,
  };
}

/** Returns false when the monitor is unknown or its probe is not connected here. */
function trySend({ assignment, presence, sessions, logger }: CommandDeliveryNeeds, command: Command): boolean {
  const found = assignment(command.location, command.monitor_id);
  const owner = command.node_id ?? rendezvousOwner(command.monitor_id, presence.members(command.location));
  const local = owner === null ? null : sessions.get(owner);
  if (found === null || local === null) return false;
  const { monitor_id: monitorId, slot_ms: slotMs, reason } = command;
  if (!local.session.offer({ runNow: { monitorId, slotMs, reason, assignment: found } })) {
    logger.warn({ node: owner }, 'dropping a run-now command: the probe reads too slowly or is disconnecting');
  }
  return true;
}

/**
 * Returns a function that requests a refresh. One refresh runs at a time; ids requested during it are refreshed
 * together after it.
 */
function createRefreshQueue(
  refresh: CommandDeliveryNeeds['refresh'],
  onRefreshed: (error: unknown) => void,
): (id: string) => void {
  let waiting = new Set<string>();
  let refreshing = false;
  function start(): void {
    if (refreshing || waiting.size === 0) return;
    refreshing = true;
    const ids = [...waiting];
    waiting = new Set();
    const done = (error: unknown) => {
      refreshing = false;
      onRefreshed(error);
      start();
    };
    refresh(ids).then(() => done(null), done);
  }
  return (id) => {
    waiting.add(id);
    start();
  };
}
