import { systemClock as clock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom as random } from '../../../kernel/random.js';
import { createBatchSender } from '../../../node-link/batch.js';
import type { OpenChannel } from '../../../node-link/channel.js';
import { createLink } from '../../../node-link/link.js';
import type { Spool } from '../../../node-link/spool/spool.js';
import { createOpenStream } from '../../../node-link/stream.js';
import type { Batch } from '../../../proto/generated/picket/link/v1/Batch.js';
import { PROTOCOL_VERSION } from '../../../proto/handshake.js';

/** An agent with the real link and batches, and a spool that computes its records when they are read. */
export interface LinkedAgent {
  start(): void;
  /** Has this many more records to send. */
  add(records: number): void;
  /** Returns the number of unacknowledged records. */
  waiting(): number;
  isConnected(): boolean;
  stop(): Promise<void>;
}

interface LinkedAgentNeeds {
  id: string;
  credential: string;
  address: string;
  authorityPem: string;
  openChannel: OpenChannel;
  /** `age` is 0 for the newest record. */
  record(seq: number, age: number): Uint8Array;
  connected?(): void;
  lost?(): void;
  sent?(batch: Batch): void;
  acknowledged?(upToSeq: number, rejections: number): void;
}

export function linkedAgent(needs: LinkedAgentNeeds): LinkedAgent {
  const { id, credential, address, authorityPem } = needs;
  const logger = createLogger({ name: 'agent', level: 'silent' });
  const { spool, add } = computedSpool(needs.record);
  const sender = createBatchSender({ spool, clock, logger });
  let isConnected = false;
  const credentials = { nodeId: id, location: '', credential, previous: null, authorityPem, addresses: [address] };
  const link = createLink({
    credentials: () => ({ ...credentials, issuedAtMs: 0 }),
    openStream: createOpenStream({ openChannel: needs.openChannel, instance: id, clock }),
    handlers: {
      hello: () => ({ version: '1.2.3', protocol: PROTOCOL_VERSION, assignmentsRevision: 0 }),
      opened(session) {
        isConnected = true;
        needs.connected?.();
        sender.attach({
          ...session,
          send(message) {
            if (message.batch) needs.sent?.(message.batch);
            return session.send(message);
          },
        });
      },
      welcome: () => {},
      writable: sender.writable,
      lost() {
        isConnected = false;
        needs.lost?.();
        sender.detach();
      },
      ack(ack) {
        needs.acknowledged?.(ack.upToSeq, ack.rejections.length);
        sender.ack(ack);
      },
      message: () => {},
      serverTime: () => {},
      fallBack: () => false,
      revoked: () => {},
    },
    ...{ clock, random, logger },
  });
  return {
    start: link.start,
    add(records) {
      add(records);
      sender.appended(false);
    },
    waiting: () => spool.stats().records,
    isConnected: () => isConnected,
    stop: link.stop,
  };
}

function computedSpool(record: LinkedAgentNeeds['record']): { spool: Spool; add(records: number): void } {
  let [acked, last] = [0, 0];
  const spool: Spool = {
    append: () => last,
    sync: async () => {},
    read(afterSeq, limits) {
      const records: ReturnType<Spool['read']> = [];
      let size = 0;
      for (let seq = Math.max(afterSeq, acked) + 1; seq <= last && records.length < limits.records; seq++) {
        const bytes = record(seq, last - seq);
        size += bytes.length;
        if (size > limits.bytes && records.length > 0) break;
        records.push({ seq, atMs: 0, bytes });
      }
      return records;
    },
    ack(upTo) {
      acked = Math.max(acked, Math.min(upTo, last));
    },
    ackedSeq: () => acked,
    lastSeq: () => last,
    stats: () => ({ records: last - acked, bytes: 0, droppedTotal: 0, damagedTotal: 0 }),
    oldestAtMs: () => null,
    close: async () => {},
  };
  return {
    spool,
    add(records) {
      last += records;
    },
  };
}
