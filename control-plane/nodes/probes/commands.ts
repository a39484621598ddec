import type { Timer } from '../../../kernel/clock.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import { createChangePoll, POLL_CHANGES_MS } from '../../storage/poll-changes.js';
import type { ProbeCommands } from '../nodes.js';
import { type Command, type CommandDeliveryNeeds, createCommandDelivery } from './command-delivery.js';
import { COMMANDS_READ_MAX, type CommandStore } from './commands-store.js';
import { rendezvousOwner } from './rendezvous.js';

/** Commands within this time are written together. */
const BATCH_MS = 10;
/** Rows of other control planes can become visible out of order, but at most this late. */
const OVERLAP_MS = 5_000;
const UNKNOWN_RETRY_MS = 250;

interface CommandsNeeds extends CommandDeliveryNeeds {
  store: CommandStore;
  /** The id of this process among all control planes. */
  controlPlane: string;
}

interface CommandRelay extends ProbeCommands {
  /** Reads commands of other control planes now. */
  poll(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Returns the relay of run-now commands: it sends them to probes that are connected here, and to others through the
 * database.
 */
export function createCommands(needs: CommandsNeeds): CommandRelay {
  const { store, sessions, presence, clock, logger } = needs;
  const delivery = createCommandDelivery(needs);
  const outgoing = createOutgoing(needs);
  const ownerOf = ({ monitor_id, location }: Pick<Command, 'monitor_id' | 'location'>) =>
    rendezvousOwner(monitor_id, presence.members(location));
  const isForHere = (owner: string | null) => owner !== null && sessions.get(owner) !== null;
  const incoming = createIncoming(needs, (command) => {
    if (isForHere(command.node_id ?? ownerOf(command))) delivery.deliver(command);
  });
  const polling = createPeriodicTask({
    clock,
    periodMs: POLL_CHANGES_MS,
    run: createChangePoll({ newest: () => store.newest(), read: incoming.poll, clock }),
    onFailure: (error) => logger.warn({ err: error }, 'polling run-now commands failed, retrying'),
  });
  polling.start();
  const retries = clock.every(UNKNOWN_RETRY_MS, delivery.retry);
  return {
    runNow({ monitorId, locations, slotMs, reason }) {
      for (const location of locations) {
        const owner = ownerOf({ monitor_id: monitorId, location });
        const id = `${monitorId}/${slotMs}/${location}`;
        const command = { _id: id, monitor_id: monitorId, location, node_id: owner, slot_ms: slotMs, reason };
        if (isForHere(owner)) delivery.deliver(command);
        else outgoing.add(command);
      }
    },
    poll: incoming.poll,
    async stop() {
      retries.cancel();
      outgoing.stop();
      await polling.stop();
      await incoming.idle();
    },
  };
}

/** Writes commands for probes of other control planes to the database, in batches. */
function createOutgoing({ store, controlPlane, clock, logger }: CommandsNeeds) {
  let batch: Command[] = [];
  let timer: Timer | null = null;
  function flush(): void {
    timer = null;
    const commands = batch.map((command) => ({ ...command, control_plane: controlPlane }));
    batch = [];
    store.add(commands).catch((error: unknown) => {
      logger.warn(
        { err: error, commands: commands.length },
        'writing run-now commands for other control planes failed; they are lost',
      );
    });
  }
  return {
    add(command: Command): void {
      batch.push(command);
      timer ??= clock.after(BATCH_MS, flush);
    },
    stop: () => timer?.cancel(),
  };
}

/** Reads the commands of other control planes. */
function createIncoming({ store, controlPlane, logger }: CommandsNeeds, onCommand: (command: Command) => void) {
  let polling: Promise<void> | null = null;
  let again = false;
  let since: Date | null = null;
  async function read(): Promise<void> {
    const commands = await store.since(since, controlPlane);
    const newest = commands.at(-1)?.created_at;
    const hasMore = commands.length === COMMANDS_READ_MAX;
    if (newest !== undefined) since = new Date(newest.getTime() - (hasMore ? 0 : OVERLAP_MS));
    again ||= hasMore;
    for (const command of commands) onCommand(command);
  }
  function poll(): Promise<void> {
    again = polling !== null;
    polling ??= read()
      .catch((error: unknown) => logger.warn({ err: error }, 'reading run-now commands failed, retrying'))
      .then(() => {
        polling = null;
        return again ? poll() : undefined;
      });
    return polling;
  }
  return { poll, idle: () => polling ?? Promise.resolve() };
}
