import { setTimeout as sleep } from 'node:timers/promises';
import protobuf from 'protobufjs';
import { PROTOCOL_VERSION } from '../../../proto/handshake.js';
import { BATCH_RECORDS_MAX } from '../../../proto/limits.js';
import { loadMetricSampleCodec, messageType } from '../../../proto/load.js';
import type { StartAttack } from './attack.js';
import { openRawStream } from './raw-stream.js';

const HOUR_MS = 3_600_000;
const INVENTORIES = 40;
const INVENTORY_BYTES = 100_000;
const PADDED_SAMPLES = 15;
const UNKNOWN_BYTES = 60_000;
const BATCHES_OF_ONE_HOUR = 4;
/** Above the limit of a message: two bytes for each. */
const TOO_MANY_DISKS = 2_000_000;
/** Below the limit of a message. */
const MANY_DISKS = 400_000;
/** A stream that the control plane does not end is left open for this time. */
const READ_MS = 1_000;

const INVENTORY_FIELD = 5;
const DISKS_FIELD = 13;
const UNKNOWN_FIELD = 99;
const BYTES_TYPE = 2;

/** Uses one valid credential of an agent to send as much as the protocol allows, and more. */
export const startAgent: StartAttack = async (plan, tally) => {
  const fromNode = messageType('FromNode');
  const codec = loadMetricSampleCodec();
  const encode = (message: object) => fromNode.encode(fromNode.fromObject(message)).finish();
  const hello = encode({ hello: { version: '1.2.3', protocol: PROTOCOL_VERSION } });
  const [many, tooMany] = [disks(MANY_DISKS), disks(TOO_MANY_DISKS)];
  const unknown = field(UNKNOWN_FIELD, Buffer.alloc(UNKNOWN_BYTES, 7));
  const hourMs = Math.floor(Date.now() / HOUR_MS - 2) * HOUR_MS;
  let seq = 1;
  let sent = 0;

  function batch(records: Uint8Array[]): Uint8Array {
    const firstSeq = seq;
    seq += records.length;
    return encode({ batch: { firstSeq, records, droppedTotal: 0 } });
  }
  const sample = (atMs: number) => codec.encode({ atMs, values: [{ metric: 'LOAD_1', value: sent++ }] });

  /** Each in a stream of its own, because the control plane slows down a stream or ends it. */
  const floods: (() => Uint8Array[])[] = [
    () => {
      const inventory = (bytes: number) => encode({ inventory: { hostname: `web-${sent++}`, os: 'x'.repeat(bytes) } });
      return Array.from({ length: INVENTORIES }, (_, index) => inventory(index % 2 === 0 ? 0 : INVENTORY_BYTES));
    },
    () => {
      const padded = () => Buffer.concat([sample(Date.now() - (sent % HOUR_MS)), unknown]);
      return [batch(Array.from({ length: PADDED_SAMPLES }, padded))];
    },
    () => {
      const ofOneHour = () => sample(hourMs + ((sent * 97) % HOUR_MS));
      const full = () => batch(Array.from({ length: BATCH_RECORDS_MAX }, ofOneHour));
      return Array.from({ length: BATCHES_OF_ONE_HOUR }, full);
    },
    () => [many],
    () => [tooMany],
  ];

  const everything = () => floods.flatMap((flood) => flood());

  return {
    async round() {
      for (const flood of [...floods, everything]) {
        const stream = await openRawStream(plan, plan.agent);
        stream.send(hello);
        for (const message of flood()) {
          stream.send(message);
          tally.add('bytes of the agent', message.length);
        }
        tally.add(`agent ${await Promise.race([stream.ended, sleep(READ_MS, 'read')])}`);
        stream.cut();
      }
    },
    end() {},
  };
};

/** Returns an inventory with this number of empty disks, as bytes. */
function disks(count: number): Uint8Array {
  return field(
    INVENTORY_FIELD,
    Buffer.concat(Array.from({ length: count }, () => field(DISKS_FIELD, Buffer.alloc(0)))),
  );
}

function field(number: number, content: Uint8Array): Uint8Array {
  return protobuf.Writer.create()
    .uint32(number * 8 + BYTES_TYPE)
    .bytes(content)
    .finish();
}
