import { pino } from 'pino';
import type { Test } from 'tap';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { createBatchSender } from '../../../node-link/batch.js';
import { createOpenChannel } from '../../../node-link/channel.js';
import type { NodeCredentials } from '../../../node-link/enrolment/credentials.js';
import { createLink } from '../../../node-link/link.js';
import { openSpool, type Spool } from '../../../node-link/spool/spool.js';
import { createOpenStream } from '../../../node-link/stream.js';
import { loadCheckResultCodec, loadNodeLink } from '../../../proto/load.js';
import { temporaryFolder } from '../machine/temporary-folder.js';
import type { FakeControlPlane } from './fake-control-plane.js';

export interface BareNode {
  spool: Spool;
  sender: ReturnType<typeof createBatchSender>;
  link: ReturnType<typeof createLink>;
  lines: { level: number; msg: string }[];
  /** How often it received the time of the control plane: with the welcome and with each pong. */
  times(): number;
  /** How many streams it has begun to open. The control plane may not know of the latest yet. */
  attempts(): number;
  /** How many records it has handed to its streams. */
  sent(): number;
  append(count: number, urgent?: boolean, size?: number): void;
}

export interface BareNodeOptions {
  control: FakeControlPlane;
  addresses?: string[];
  credential?: string;
  clock?: Clock;
  /** Of the batches. */
  senderClock?: Clock;
}

/** Returns the spool, the sender and the link of a probe, without the rest of the probe. */
export function bareNode(t: Test, options: BareNodeOptions): BareNode {
  const { clock = systemClock, senderClock = systemClock } = options;
  const lines: BareNode['lines'] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const directory = temporaryFolder(t);
  const spool = openSpool({ ...{ directory, bytesMax: 1e9, freeRatioMin: 0, logger }, clock: systemClock });
  const sender = createBatchSender({ spool, clock: senderClock, logger });
  const credentials = credentialsOf(options);
  const counts = { times: 0, attempts: 0, sent: 0 };
  const openChannel = createOpenChannel(loadNodeLink());
  const openStream = createOpenStream({ openChannel, instance: 'test', clock: systemClock });
  const link = createLink({
    credentials: () => credentials,
    openStream(...of) {
      counts.attempts += 1;
      return openStream(...of);
    },
    handlers: countingHandlers(sender, counts),
    clock,
    random: { ...systemRandom, fraction: () => 0.1 },
    logger,
  });
  t.teardown(async () => {
    await link.stop();
    await spool.close();
  });
  return {
    ...{ spool, sender, link, lines, append: appending(spool, sender) },
    times: () => counts.times,
    attempts: () => counts.attempts,
    sent: () => counts.sent,
  };
}

function credentialsOf({ control, credential = 'good', addresses }: BareNodeOptions): NodeCredentials {
  return {
    ...{ nodeId: 'prb_test', location: 'fra', credential, previous: null, issuedAtMs: 0 },
    authorityPem: control.authority.authorityPem,
    addresses: addresses ?? [`127.0.0.1:${control.port}`],
  };
}

/** Gives everything to the sender, and counts what it sends. */
function countingHandlers(
  sender: BareNode['sender'],
  counts: { times: number; sent: number },
): Parameters<typeof createLink>[0]['handlers'] {
  return {
    hello: () => ({ version: '1', protocol: 1 }),
    opened: (session) =>
      sender.attach({
        ...session,
        send(message) {
          counts.sent += message.batch?.records?.length ?? 0;
          return session.send(message);
        },
      }),
    ...{ writable: sender.writable, lost: sender.detach, ack: sender.ack },
    ...{ welcome: () => {}, message: () => {}, revoked: () => {}, fallBack: () => false },
    serverTime: () => {
      counts.times += 1;
    },
  };
}

/** Returns a function that appends records of the monitors `mon_1`, `mon_2` and so on. */
function appending(spool: Spool, sender: BareNode['sender']): BareNode['append'] {
  const codec = loadCheckResultCodec();
  let count = 0;
  return (records, urgent = false, size = 10) => {
    for (let index = 0; index < records; index += 1) {
      count += 1;
      spool.append(codec.encode({ monitorId: `mon_${count}`, errorMessage: 'x'.repeat(size) }));
      sender.appended(urgent);
    }
  };
}

/** The monitors of all stored results, in their order. */
export const monitorIds = (plane: FakeControlPlane) => plane.results().map((result) => result.monitorId);
export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `mon_${index + 1}`);
