import { join } from 'node:path';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Random } from '../kernel/random.js';
import type { FromNode } from '../proto/generated/picket/link/v1/FromNode.js';
import type { Hello } from '../proto/generated/picket/link/v1/Hello.js';
import type { ToNode__Output } from '../proto/generated/picket/link/v1/ToNode.js';
import type { Welcome__Output } from '../proto/generated/picket/link/v1/Welcome.js';
import { type BatchSender, createBatchSender } from './batch.js';
import type { OpenChannel } from './channel.js';
import { createCredentialKeeper } from './enrolment/credential-keeper.js';
import type { CredentialFile, NodeCredentials } from './enrolment/credentials.js';
import { createLink, type LinkSession } from './link.js';
import type { LinkState } from './link-state.js';
import { openSpool, type Spool } from './spool/spool.js';
import { createOpenStream } from './stream.js';

/** Everything between a node's own work and the control plane: spool, batches, stream, credential. */
export interface Uplink {
  spool: Spool;
  /** Keeps a record until it is acknowledged. `urgent`: it does not wait for others to share its batch. */
  append(record: Uint8Array, urgent: boolean): void;
  /** Says something on the session that is open; without one nothing happens. */
  send(message: FromNode): void;
  linkState(): LinkState;
  start(): void;
  /** Delivers what can be delivered soon, keeps the rest on disk and hangs up. Resolves with what became of it all. */
  stop(): Promise<{ undelivered: number; dropped_total: number; rejected_total: number }>;
}

/** What makes a node a probe or an agent. */
export interface UplinkEvents {
  hello(): Pick<Hello, 'assignmentsRevision'>;
  /** A new session, before its welcome. */
  opened(): void;
  welcome(welcome: Welcome__Output): void;
  /** A message for this kind of node. */
  message(message: ToNode__Output): void;
  /** The control plane's wall time, as read half a round trip ago. */
  serverTime(serverTimeMs: number, roundTripMs: number): void;
  /** Nothing is wanted of this node until it is welcomed again. */
  revoked(): void;
}

export interface UplinkOptions {
  dataDir: string;
  spoolBytesMax: number;
  credentials: NodeCredentials;
  credentialFile: CredentialFile;
  version: string;
  openChannel: OpenChannel;
  events: UplinkEvents;
  clock: Clock;
  random: Random;
  logger: Logger;
}

const PROTOCOL = 1;
const INSTANCE_BYTES = 12;
const SPOOL_FREE_RATIO_MIN = 0.05;
const ROTATION_LOOK_MS = 3_600_000;
/** The control plane gets so long to acknowledge what came last; what it does not is on disk. */
const STOP_DELIVERY_MS = 2_000;
/** How often it is looked whether that is done. */
const STOP_LOOK_MS = 20;

export function createUplink(options: UplinkOptions): Uplink {
  const { openChannel, events, clock, logger } = options;
  const spool = openSpool({
    directory: join(options.dataDir, 'spool'),
    bytesMax: options.spoolBytesMax,
    freeRatioMin: SPOOL_FREE_RATIO_MIN,
    clock,
    logger,
  });
  const sender = createBatchSender({ spool, clock, logger });
  const keeper = createCredentialKeeper({
    initial: options.credentials,
    file: options.credentialFile,
    openChannel,
    clock,
    logger,
  });
  let session: LinkSession | null = null;

  /** Moves to a new stream once there is a new credential, so that the old one can be forgotten. */
  function renewCredential(): void {
    if (session === null) return;
    keeper
      .rotateWhenOld(session.address)
      .then((rotated) => {
        if (rotated) link.reopen();
      })
      .catch((error) => logger.error({ err: error }, 'rotation failed'));
  }

  const link = createLink({
    credentials: keeper.current,
    openStream: createOpenStream({
      openChannel,
      instance: options.random.bytes(INSTANCE_BYTES).toString('hex'),
      clock,
    }),
    handlers: {
      hello: () => ({ version: options.version, protocol: PROTOCOL, ...events.hello() }),
      opened(opened) {
        session = opened;
        keeper.accepted(opened.credentials);
        events.opened();
        sender.attach(opened);
        renewCredential();
      },
      welcome: events.welcome,
      writable: sender.writable,
      lost() {
        session = null;
        sender.detach();
      },
      ack: sender.ack,
      message: events.message,
      serverTime: events.serverTime,
      fallBack: keeper.fallBack,
      revoked: events.revoked,
    },
    clock,
    random: options.random,
    logger,
  });
  const rotation = clock.every(ROTATION_LOOK_MS, renewCredential);

  return {
    spool,
    append(record, urgent) {
      spool.append(record);
      sender.appended(urgent);
    },
    send: (message) => void session?.send(message),
    linkState: link.state,
    start: link.start,
    async stop() {
      rotation.cancel();
      await spool.sync();
      await delivered(sender, clock);
      await link.stop();
      const { records, droppedTotal } = spool.stats();
      await spool.close();
      return { undelivered: records, dropped_total: droppedTotal, rejected_total: sender.rejectedTotal() };
    },
  };
}

/** Resolves when the control plane has acknowledged everything, or its time for that is over. */
async function delivered(sender: BatchSender, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + STOP_DELIVERY_MS;
  while (!sender.drained() && clock.monotonic() < deadline) await clock.sleep(STOP_LOOK_MS);
}
