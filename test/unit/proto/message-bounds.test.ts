import fc from 'fast-check';
import protobuf from 'protobufjs';
import t from 'tap';
import { LINK_DESCRIPTOR } from '../../../proto/generated/descriptor.js';
import type { FromNode } from '../../../proto/generated/picket/link/v1/FromNode.js';
import {
  BATCH_BYTES_MAX,
  BATCH_RECORDS_MAX,
  INTERFACE_ADDRESSES_MAX,
  MESSAGE_BYTES_MAX,
  MESSAGE_FIELDS_MAX,
  REPEATED_MAX,
  SAMPLE_VALUES_MAX,
} from '../../../proto/limits.js';
import { createBoundsCheck } from '../../../proto/message-bounds.js';

const root = protobuf.Root.fromJSON(JSON.parse(LINK_DESCRIPTOR));
const fromNode = root.lookupType('picket.link.v1.FromNode');
const sample = root.lookupType('picket.link.v1.MetricSample');
const encode = (message: FromNode) => fromNode.encode(fromNode.fromObject(message)).finish();
const check = createBoundsCheck(fromNode, REPEATED_MAX, MESSAGE_FIELDS_MAX);

/** Limits that short random messages reach. */
const SMALL = Object.fromEntries(Object.keys(REPEATED_MAX).map((field) => [field, 3]));
const small = createBoundsCheck(fromNode, SMALL, 40);

t.test('the largest messages that nodes send are accepted', async (t) => {
  const text = 'x'.repeat(200);
  const disk = { mount: text, device: text, type: 'ext4', sizeBytes: 1, usedBytes: 1, availableBytes: 1 };
  const addresses = Array.from({ length: INTERFACE_ADDRESSES_MAX }, () => '2001:db8::1');
  const inventory = {
    hostname: text,
    disks: Array.from({ length: 200 }, () => disk),
    interfaces: Array.from({ length: 200 }, () => ({ name: 'eth0', addresses, up: true })),
  };
  const records = Array.from({ length: BATCH_RECORDS_MAX }, () => Buffer.alloc(BATCH_BYTES_MAX / 512));
  const batch = encode({ batch: { firstSeq: 2 ** 50, records, droppedTotal: 2 ** 50 } });
  t.equal(check(encode({ inventory })), null);
  t.equal(check(batch), null);
  const full = Array.from({ length: BATCH_RECORDS_MAX }, (_, at) =>
    Buffer.alloc(Math.floor(BATCH_BYTES_MAX / BATCH_RECORDS_MAX) + (at < BATCH_BYTES_MAX % BATCH_RECORDS_MAX ? 1 : 0)),
  );
  const fullBatch = encode({ batch: { firstSeq: 2 ** 50, records: full, droppedTotal: 2 ** 50 } });
  t.ok(fullBatch.length <= MESSAGE_BYTES_MAX, `a full batch is within the limit of a message: ${fullBatch.length}`);
  const values = Array.from({ length: SAMPLE_VALUES_MAX }, () => ({ metric: 3, device: '/var', value: 71.5 }));
  const checkSample = createBoundsCheck(sample, REPEATED_MAX, MESSAGE_FIELDS_MAX);
  t.equal(checkSample(sample.encode({ atMs: 1_700_000_000_000, values }).finish()), null);
});

t.test('half a million empty elements in a message are refused', async (t) => {
  const floods: [string, Buffer][] = [
    ['Inventory.disks has more than 1000 elements', embedded(5, repeatedEmpty(13))],
    ['Inventory.interfaces has more than 1000 elements', embedded(5, repeatedEmpty(14))],
    ['Batch.records has more than 1000 elements', embedded(2, repeatedEmpty(2))],
    ['ProcessSample.byCpu has more than 100 elements', embedded(6, repeatedEmpty(4))],
    ['it has more than 50000 fields', embedded(5, Buffer.concat([repeatedEmpty(99)]))],
  ];
  for (const [detail, bytes] of floods) t.same(check(bytes), { detail });
});

t.test('elements are counted in each message of its own', async (t) => {
  const addresses = ['a', 'b', 'c'];
  t.equal(small(encode({ inventory: { interfaces: [{ addresses }, { addresses }, { addresses }] } })), null);
  const tooMany = encode({ inventory: { interfaces: [{ addresses }, { addresses: [...addresses, 'd'] }] } });
  t.same(small(tooMany), { detail: 'NetworkInterface.addresses has more than 3 elements' });
});

t.test('a repeated field without a limit does not start', async (t) => {
  const { 'Batch.records': _, ...missing } = SMALL;
  t.throws(() => createBoundsCheck(fromNode, missing, 40), /Batch\.records: a repeated field of a node needs a limit/);
});

t.test('whatever passes the check decodes to no more than the limits', async (t) => {
  const text = fc.string({ maxLength: 3 });
  const list = <T>(element: fc.Arbitrary<T>) => fc.array(element, { maxLength: 5 });
  const messages = fc.oneof(
    fc.record({ batch: fc.record({ firstSeq: fc.nat(), records: list(fc.uint8Array({ maxLength: 4 })) }) }),
    fc.record({
      inventory: fc.record({
        hostname: text,
        disks: list(fc.record({ mount: text, sizeBytes: fc.nat() })),
        interfaces: list(fc.record({ name: text, addresses: list(text) })),
      }),
    }),
    fc.record({ processes: fc.record({ nonce: fc.nat(), byCpu: list(fc.record({ pid: fc.nat() })) }) }),
  );
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
  let passed = 0;
  fc.assert(
    fc.property(messages, edits, (message, changed) => {
      const bytes = Buffer.from(encode(message as FromNode));
      for (const [at, byte] of changed) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      if (small(bytes) !== null) {
        // Without an edit, a message is refused only for a limit.
        return changed.length > 0 || longest(message) > 3 || fieldsOf(bytes) > 40;
      }
      passed++;
      try {
        return longest(fromNode.toObject(fromNode.decode(bytes), { arrays: true })) <= 3;
      } catch {
        return true;
      }
    }),
    { numRuns: 5_000 },
  );
  t.ok(passed > 1_000, `${passed} messages passed`);
});

/** Returns the length of the longest list anywhere in a message. */
function longest(value: unknown): number {
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Math.max(own, ...Object.values(value).map(longest));
}

/** An upper bound: every field has at least two bytes. */
const fieldsOf = (bytes: Uint8Array) => bytes.length / 2;

/** A message that contains this field, encoded. */
function embedded(field: number, content: Buffer): Buffer {
  const writer = protobuf.Writer.create();
  return Buffer.from(
    writer
      .uint32(field * 8 + 2)
      .bytes(content)
      .finish(),
  );
}

/** Empty elements of a repeated field, as many as fit in a message. */
function repeatedEmpty(field: number): Buffer {
  const one = Buffer.from(
    protobuf.Writer.create()
      .uint32(field * 8 + 2)
      .bytes(new Uint8Array(0))
      .finish(),
  );
  return Buffer.concat(Array.from({ length: Math.floor(1_000_000 / one.length) }, () => one));
}
