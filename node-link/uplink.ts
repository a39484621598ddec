import { join } from 'node:path';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Random } from '../kernel/random.js';
import type { FromNode } from '../proto/generated/picket/link/v1/FromNode.js';
import type { Hello } from '../proto/generated/picket/link/v1/Hello.js';
import type { ToNode__Output } from '../proto/generated/picket/link/v1/ToNode.js';
import type { Welcome__Output } from '../proto/generated/picket/link/v1/Welcome.js';
import { PROTOCOL_VERSION } from '../proto/handshake.js';
import { type BatchSender, createBatchSender } from './batch.js';
import type { OpenChannel } from './channel.js';
import { createCredentialKeeper } from './enrolment/credential-keeper.js';
import { startCredentialRenewal } from './enrolment/credential-renewal.js';
import type { CredentialFile, NodeCredentials } from './enrolment/credentials.js';
import { createLink, type LinkSession } from './link.js';
import type { LinkState } from './link-state.js';
import { openSpool, type Spool } from './spool/spool.js';
import { createOpenStream } from './stream.js';

/** Delivers the records of a node to the control plane: spool, batches, stream and credential. */
export interface Uplink {
  spool: Spool;
  /** Stores a record until it is acknowledged. An `urgent` one is sent without waiting for others in its batch. */
  append(record: Uint8Array, urgent: boolean): void;
  /** Sends a message on the current session. Does nothing without one. */
  send(message: FromNode): void;
  linkState(): LinkState;
  start(): void;
  /** Delivers what is possible within two seconds, keeps the rest on disk and disconnects. Resolves to the totals. */
  stop(): Promise<{ undelivered: number; dropped_total: number; rejected_total: number }>;
}

/** What is different for a probe and an agent. */
export interface UplinkEvents {
  hello(): Pick<Hello, 'assignmentsRevision'>;
  /** A new session starts. Its welcome follows. */
  opened(): void;
  welcome(welcome: Welcome__Output): void;
  /** A message that only this kind of node handles. */
  message(message: ToNode__Output): void;
  /** The wall time of the control plane, as it was half a round trip ago. */
  serverTime(serverTimeMs: number, roundTripMs: number): void;
  /** The credential is revoked: the node is idle until it is welcomed again. */
  revoked(): void;
}

export interface UplinkNeeds {
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

const INSTANCE_BYTES = 12;
const SPOOL_FREE_RATIO_MIN = 0.05;
/** At a stop, the time that the control plane gets to acknowledge the last records. The others stay on disk. */
const STOP_DELIVERY_MS = 2_000;
const STOP_POLL_MS = 20;

export function createUplink(needs: UplinkNeeds): Uplink {
  const { events, clock } = needs;
  const spool = openSpool({
    ...needs,
    directory: join(needs.dataDir, 'spool'),
    bytesMax: needs.spoolBytesMax,
    freeRatioMin: SPOOL_FREE_RATIO_MIN,
  });
  const sender = createBatchSender({ ...needs, spool });
  const keeper = createCredentialKeeper({ ...needs, initial: needs.credentials, file: needs.credentialFile });
  let session: LinkSession | null = null;
  const link = createLink({
    ...needs,
    credentials: keeper.current,
    openStream: createOpenStream({ ...needs, instance: needs.random.bytes(INSTANCE_BYTES).toString('hex') }),
    handlers: {
      ...events,
      hello: () => ({ version: needs.version, protocol: PROTOCOL_VERSION, ...events.hello() }),
      opened(opened) {
        session = opened;
        keeper.accepted(opened.credentials);
        events.opened();
        sender.attach(opened);
        renewal.check();
      },
      writable: sender.writable,
      lost() {
        session = null;
        sender.detach();
      },
      ack: sender.ack,
      fallBack: keeper.fallBack,
    },
  });
  // A new stream is opened with a new credential, which revokes the previous one.
  const renewal = startCredentialRenewal({
    ...needs,
    keeper,
    address: () => session?.address ?? null,
    renewed: link.reopen,
  });

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
      renewal.stop();
      await spool.sync();
      await delivered(sender, clock);
      await link.stop();
      const { records, droppedTotal } = spool.stats();
      await spool.close();
      return { undelivered: records, dropped_total: droppedTotal, rejected_total: sender.rejectedTotal() };
    },
  };
}

/** Resolves when the control plane has acknowledged all records, or when the time for that is over. */
async function delivered(sender: BatchSender, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + STOP_DELIVERY_MS;
  while (!sender.drained() && clock.monotonic() < deadline) await clock.sleep(STOP_POLL_MS);
}
