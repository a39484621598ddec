import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createRounds } from '../../../kernel/rounds.js';
import type { MonitorAssignment } from '../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import { createLook, NEWS_MS } from '../../storage/look-for-news.js';
import type { ProbeCommandDocument } from '../documents.js';
import type { ProbeCommands } from '../nodes.js';
import type { Presence } from '../presence/presence.js';
import type { Registry } from '../presence/registry.js';
import { COMMANDS_READ_MAX, type CommandStore } from './commands-store.js';
import { rendezvousOwner } from './rendezvous.js';

/** Commands asked for within this time are written together. */
const GATHER_MS = 10;
/** Rows written by others become readable in another order than their times say, but hardly later than this. */
const OVERLAP_MS = 5_000;
/** How long a command waits here for the monitor to become known, as when the database cannot be asked now. */
const UNKNOWN_KEPT_MS = 5_000;
const UNKNOWN_LOOK_MS = 250;
const UNKNOWN_MAX = 10_000;
/** A command is sent once; that is remembered longer than a command can be on its way. */
const SENT_KEPT_MS = 60_000;

type Command = Omit<ProbeCommandDocument, 'created_at' | 'control_plane'>;

interface Dependencies {
  store: CommandStore;
  registry: Registry;
  presence: Presence;
  /** null while the monitors are not known yet, and for a monitor that is not the location's. */
  assignment(location: string, monitorId: string): MonitorAssignment | null;
  /** Reads monitors again that are not known. */
  refresh(monitorIds: readonly string[]): Promise<void>;
  controlPlane: string;
  clock: Clock;
  logger: Logger;
}

export interface CommandRelay extends ProbeCommands {
  /** Looks for commands of other control planes now. */
  poll(): Promise<void>;
  stop(): Promise<void>;
}

/** Brings run-now commands to the probes: to those connected here at once, to others through the database. */
export function createCommands(dependencies: Dependencies): CommandRelay {
  const { store, registry, presence, clock, logger, controlPlane } = dependencies;
  const delivery = createDelivery(dependencies);
  let outgoing: Command[] = [];
  let gathering: Timer | null = null;
  let polling: Promise<void> | null = null;
  let again = false;
  let since: Date | null = null;

  function flush(): void {
    gathering = null;
    const commands = outgoing.map((command) => ({ ...command, control_plane: controlPlane }));
    outgoing = [];
    store.add(commands).catch((error: unknown) => {
      logger.warn({ err: error, commands: commands.length }, 'run-now commands for other control planes are lost');
    });
  }
  async function read(): Promise<void> {
    const commands = await store.since(since, controlPlane);
    const newest = commands.at(-1)?.created_at;
    const more = commands.length === COMMANDS_READ_MAX;
    if (newest !== undefined) since = new Date(newest.getTime() - (more ? 0 : OVERLAP_MS));
    again ||= more;
    for (const command of commands) if (isForHere(command)) delivery.deliver(command);
  }
  function isForHere({ node_id, location, monitor_id }: Command): boolean {
    const owner = node_id ?? rendezvousOwner(monitor_id, presence.members(location));
    return owner !== null && registry.get(owner) !== null;
  }
  function poll(): Promise<void> {
    again = polling !== null;
    polling ??= read()
      .catch((error: unknown) => logger.warn({ err: error }, 'run-now commands cannot be read now'))
      .then(() => {
        polling = null;
        return again ? poll() : undefined;
      });
    return polling;
  }
  const look = createLook({ newest: () => store.newest(), read: poll, clock });
  const looks = createRounds({
    clock,
    periodMs: NEWS_MS,
    round: look,
    failed: (error) => logger.warn({ err: error }, 'run-now commands cannot be looked for now'),
  });
  looks.start();
  const retries = clock.every(UNKNOWN_LOOK_MS, delivery.retry);
  return {
    runNow({ monitorId, locations, slotMs, reason }) {
      for (const location of locations) {
        const owner = rendezvousOwner(monitorId, presence.members(location));
        const id = `${monitorId}/${slotMs}/${location}`;
        const command = { _id: id, monitor_id: monitorId, location, node_id: owner, slot_ms: slotMs, reason };
        if (owner !== null && registry.get(owner) !== null) {
          delivery.deliver(command);
          continue;
        }
        outgoing.push(command);
        gathering ??= clock.after(GATHER_MS, flush);
      }
    },
    poll,
    async stop() {
      retries.cancel();
      gathering?.cancel();
      await looks.stop();
      await polling;
    },
  };
}

/** Hands commands to this control plane's own streams, each once, with the assignment. */
function createDelivery({ registry, presence, assignment, refresh, clock, logger }: Dependencies) {
  const sent = new Map<string, number>();
  const unknown = new Map<string, { command: Command; untilMs: number }>();
  function trySend(command: Command): boolean {
    const found = assignment(command.location, command.monitor_id);
    const owner = command.node_id ?? rendezvousOwner(command.monitor_id, presence.members(command.location));
    const local = owner === null ? null : registry.get(owner);
    if (found === null || local === null) return false;
    const { monitor_id: monitorId, slot_ms: slotMs, reason } = command;
    if (!local.session.offer({ runNow: { monitorId, slotMs, reason, assignment: found } })) {
      logger.warn({ node: owner }, 'a run-now command is dropped: the node reads too slowly or is going away');
    }
    return true;
  }
  /** Forgets what is over, and tries again what was not known. */
  function retry(): void {
    const now = clock.monotonic();
    // Entries stand in order of time, so the first that is not over ends the search.
    for (const [id, untilMs] of sent) {
      if (untilMs > now) break;
      sent.delete(id);
    }
    for (const [id, { command, untilMs }] of unknown) if (trySend(command) || untilMs <= now) unknown.delete(id);
  }
  /** A command can be here before the news of the monitor's change: then the database is asked, once for each. */
  const ask = createAsking(refresh, (error) => {
    if (error !== null) logger.warn({ err: error }, 'monitors of run-now commands cannot be read now');
    retry();
  });
  return {
    deliver(command: Command): void {
      if (sent.has(command._id)) return;
      sent.set(command._id, clock.monotonic() + SENT_KEPT_MS);
      if (trySend(command) || unknown.size >= UNKNOWN_MAX) return;
      unknown.set(command._id, { command, untilMs: clock.monotonic() + UNKNOWN_KEPT_MS });
      if (assignment(command.location, command.monitor_id) === null) ask(command.monitor_id);
    },
    retry,
  };
}

/** One question at a time; what is wanted meanwhile is asked together after it. */
function createAsking(refresh: Dependencies['refresh'], answered: (error: unknown) => void): (id: string) => void {
  let wanted = new Set<string>();
  let asking = false;
  function ask(): void {
    if (asking || wanted.size === 0) return;
    asking = true;
    const ids = [...wanted];
    wanted = new Set();
    const done = (error: unknown) => {
      asking = false;
      answered(error);
      ask();
    };
    refresh(ids).then(() => done(null), done);
  }
  return (id) => {
    wanted.add(id);
    ask();
  };
}
